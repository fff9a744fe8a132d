"""When a file that is there may be written as a whole."""

from dataclasses import replace
from typing import Any

import pytest

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import opinion_kind
from hookd.core.model.verdict import Opinion
from hookd.events.model import PostToolUse, PreToolUse
from hookd.policies.write_existing_file_guard import NAME, POLICY, Options
from support.paper_disk import Disk, looked
from support.parametrize import parametrize_all

SHOP = "/work/shop"
DISK = Disk(
    files={f"{SHOP}/a.py": "x = 1\n", f"{SHOP}/empty": "", f"{SHOP}/gen/b": "b", "/etc/hosts": "h"},
    links={f"{SHOP}/also.py": f"{SHOP}/a.py", f"{SHOP}/out": "/etc"},
)


class Window:
    """A window on paper: what the policy remembers is there at the next call."""

    def __init__(self, session: Session | None = None, **options: Any) -> None:
        self.facts = Facts(
            project=Project(1, SHOP),
            session=session or Session(1, "s"),
            options={NAME: Options(mode="enforce", **options)},
        )

    def before(self, tool: str, path: str) -> Opinion | None:
        return self._hears(PreToolUse, tool, path)

    def after(self, tool: str, path: str) -> Opinion | None:
        return self._hears(PostToolUse, tool, path)

    def writes(self, path: str) -> str:
        return opinion_kind(self.before("Write", path))

    def _hears(self, kind: type[PreToolUse] | type[PostToolUse], tool: str, path: str) -> Any:
        event = kind(
            hook_event_name=kind.__name__,
            tool_name=tool,
            tool_input={"file_path": path},
            cwd=SHOP,
        )
        opinion = looked(POLICY, event, self.facts, DISK)
        for effect in opinion.effects if opinion else ():
            assert isinstance(effect, Remember)
            assert not effect.lasts, "after a compaction the file is to be read again"
            self.facts = replace(self.facts, policy_state={NAME: effect.value})
        return opinion


@parametrize_all(
    ("path", "says"),
    [
        (f"{SHOP}/a.py", "deny"),
        ("a.py", "deny"),
        (f"{SHOP}/also.py", "deny"),
        (f"{SHOP}/new.py", ""),
        (f"{SHOP}/empty", ""),
        ("/etc/hosts", ""),
        (f"{SHOP}/out/hosts", ""),
        (f"{SHOP}/a\0b", ""),
        ("", ""),
    ],
)
def test_what_is_there_and_was_not_read_is_not_overwritten(path: str, says: str) -> None:
    assert Window().writes(path) == says


def test_tried_again_it_passes() -> None:
    window = Window()
    assert [window.writes(f"{SHOP}/a.py") for _ in range(3)] == ["deny", "", ""]
    assert window.writes(f"{SHOP}/gen/b") == "deny"


@parametrize_all("tool", ["Read", "Write", "Edit"])
@parametrize_all("path", [f"{SHOP}/a.py", f"{SHOP}/also.py", f"{SHOP}/gen/../a.py"])
def test_what_was_read_or_written_by_any_name_may_be_written(tool: str, path: str) -> None:
    window = Window()
    window.after(tool, path)
    assert window.after(tool, path) is None
    assert window.writes(f"{SHOP}/a.py") == ""


@parametrize_all("kept", ["loaded_files", "preloaded_files"])
def test_what_the_window_has_had_counts_as_read(kept: str) -> None:
    session = replace(Session(1, "s"), **{kept: (f"{SHOP}/a.py",)})
    assert Window(session).writes(f"{SHOP}/a.py") == ""
    assert Window(session).writes(f"{SHOP}/also.py") == ""
    assert Window(session).writes(f"{SHOP}/gen/b") == "deny"


def test_the_options_say_what_is_meant() -> None:
    assert Window(allow=("gen/**",)).writes(f"{SHOP}/gen/b") == ""
    assert Window(allow=("*.py",)).writes(f"{SHOP}/a.py") == ""
    assert Window(outside=True).writes("/etc/hosts") == "deny"
    assert Window(outside=True).writes(f"{SHOP}/out/hosts") == "deny"
    with pytest.raises(ValueError, match="glob"):
        Options(allow=(" ",))


def test_no_path_is_kept_and_no_more_than_so_many_marks() -> None:
    window = Window()
    for number in range(1_030):
        window.after("Read", f"{SHOP}/token-{number}")
    kept = window.facts.policy_state[NAME]
    assert len(kept) == 1_024
    assert not any("token" in mark for mark in kept)


def test_without_a_window_nothing_is_said() -> None:
    window = Window()
    window.facts = replace(window.facts, session=None)
    assert window.writes(f"{SHOP}/a.py") == ""
    assert window.after("Read", f"{SHOP}/a.py") is None


def test_the_reason_names_the_file_and_alternatives() -> None:
    opinion = Window().before("Write", f"{SHOP}/a.py")
    assert opinion is not None
    for word in (f"{SHOP}/a.py", "Read", "Edit", "repeat the same Write"):
        assert word in opinion.reason
