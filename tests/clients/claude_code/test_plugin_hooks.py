"""Hooks of the plugin: those of `hookd install`, started by the plugin's program."""

from hookd.clients.claude_code.plugin_hooks import PROGRAM, plugin_hooks
from hookd.clients.claude_code.registration import register
from hookd.clients.hook_groups import Shim
from support.installation import EVERY


def test_each_entry_is_that_of_install_with_another_program() -> None:
    installed = register({}, Shim("/shims/user"), EVERY)["hooks"]
    hooks = plugin_hooks()["hooks"]
    assert list(hooks) == list(installed)
    for event, (group,) in hooks.items():
        (entry,) = group["hooks"]
        ((own,),) = (one["hooks"] for one in installed[event])
        assert entry == own | {"command": PROGRAM, "args": [event]}
        assert group.get("matcher") == installed[event][0].get("matcher")
