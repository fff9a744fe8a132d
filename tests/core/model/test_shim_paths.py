"""Names of shims: scope folders by their names, and texts that name a shim."""

import pytest

from hookd.core.model.client_names import CLIENTS
from hookd.core.model.shim_paths import is_scope, link_event, named_in, scope_parts


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("user", ("", "user")),
        ("local-0123abcd", ("", "local")),
        ("plugin-0123abcd", ("", "plugin")),
        *((f"{client}-file-0123abcd", (client, "file")) for client in CLIENTS),
        ("cursor-user-0123abcd", None),
        ("user-0123", None),
        ("team-0123abcd", None),
        ("hookd-hook", None),
    ],
)
def test_a_folder_is_a_scope_by_its_name(name: str, parts: tuple[str, str] | None) -> None:
    assert scope_parts(name) == parts
    assert is_scope(name) is (parts is not None)
    link = f"/data/shims/{name}/PreToolUse"
    assert link_event(link) == ("PreToolUse" if parts else None)
    assert list(named_in(f'"{link}"'.encode())) == ([6] if parts or "hookd-" in name else [])


def test_a_text_names_a_shim_in_either_form() -> None:
    assert list(named_in(b"a\nhookd-hook --event Stop\n")) == [2]
    assert list(named_in(b"/srv/shims/hookd-cold")) == [4]
    assert list(named_in(b"/srv/shims/other/Stop")) == []
