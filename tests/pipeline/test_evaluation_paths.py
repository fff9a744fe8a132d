"""Each guard finds the file of a call from the working folder, the home folder, and by links."""

import json

import pytest

from hookd.core.model.facts import Guard
from hookd.policies import file_guard, path_guard, write_existing_file_guard
from hookd.risk.model import CallContext
from support.parametrize import parametrize_all
from support.patches import HOME, ROOT, Disk, add, disk, evaluated, in_tool, patch, said_by, update


def ruled(**rule: object) -> Disk:
    """Return a project with one guard rule."""
    given = {"id": "rule", "urgency": "block", "payload": {"text": "No."}, **rule}
    return disk(guards=(Guard(1, "rule", "user", json.dumps(given)),))


PATHS = path_guard.Options.model_validate({"rules": [{"deny": ["gen/**", "~/private/**"]}]})
READ_FIRST = write_existing_file_guard.Options(mode="enforce")
GUARDS = {
    "path-guard": disk({"path-guard": PATHS}),
    "rule": ruled(toolFilter={"include": ["Edit(/gen/**)", "Edit(~/private/**)"]}),
    "rule with whole paths": ruled(
        toolFilter={"include": [f"Edit({ROOT}/gen/**)", f"Edit({HOME}/private/**)"]}
    ),
    "rule over changes": ruled(changes=["gen/**", "~/private/**"]),
    "write-existing-file-guard": disk(
        {"write-existing-file-guard": READ_FIRST.model_copy(update={"outside": True})},
        texts={f"{ROOT}/gen/a": "x", f"{HOME}/private/a": "x"},
    ),
}

NAMED = [
    ("gen/a", ROOT),
    ("./gen/a", ROOT),
    ("src/../gen/a", ROOT),
    ("../gen/a", f"{ROOT}/src"),
    ("a", f"{ROOT}/gen"),
    (f"{ROOT}/gen/a", "/elsewhere"),
    ("~/private/a", ROOT),
    (f"{HOME}/private/a", ROOT),
]


@pytest.mark.parametrize("guard", GUARDS)
@parametrize_all(("path", "cwd"), NAMED)
def test_a_file_is_found_by_any_name(path: str, cwd: str, guard: str) -> None:
    for call in (("Write", {"file_path": path, "content": "x"}), in_tool(patch(add(path)))):
        found = evaluated(GUARDS[guard], call, cwd=cwd)
        assert said_by(guard.partition(" ")[0], found).verdict == "deny", call


LINKS = {
    f"{ROOT}/hosts": "/etc/hosts",
    f"{ROOT}/key": f"{HOME}/.ssh/id_ed25519",
    f"{ROOT}/set.json": f"{ROOT}/.claude/settings.json",
}
LED = [
    ("hosts", ROOT, "destructive-guard", "deny"),
    ("../hosts", f"{ROOT}/src", "destructive-guard", "deny"),
    ("../../etc/hosts", ROOT, "destructive-guard", "deny"),
    ("key", ROOT, "secrets-guard", "deny"),
    ("../key", f"{ROOT}/src", "secrets-guard", "deny"),
    ("~/.ssh/id_ed25519", ROOT, "secrets-guard", "deny"),
    ("set.json", ROOT, "self-guard", "ask"),
    ("../set.json", f"{ROOT}/src", "self-guard", "ask"),
    (".claude/settings.json", ROOT, "self-guard", "ask"),
    ("../.claude/settings.json", f"{ROOT}/src", "self-guard", "ask"),
    ("~/.claude/settings.json", ROOT, "self-guard", "ask"),
    ("src/a.py", ROOT, "destructive-guard", None),
]


@parametrize_all(("path", "cwd", "guard", "verdict"), LED)
def test_links_of_a_relative_path_are_followed(
    path: str, cwd: str, guard: str, verdict: str | None
) -> None:
    edit = {"file_path": path, "old_string": "a", "new_string": "b"}
    for call in (("Edit", edit), in_tool(patch(update(path)))):
        assert said_by(guard, evaluated(disk(real=LINKS), call, cwd=cwd)).verdict == verdict


def test_a_file_of_the_home_folder_is_not_one_of_the_project() -> None:
    options = {"file-guard": file_guard.Options(mode="enforce")}
    where = disk(options, policy_state={"file-guard": {"delegates": True}})
    for path, reminds in (("src/a", True), ("~/src/a", False), ("../a", False)):
        found = evaluated(where, ("Write", {"file_path": path, "content": "x"}))
        assert bool(said_by("file-guard", found).context) is reminds


def test_a_path_without_a_known_folder_is_unknown() -> None:
    place = CallContext(cwd=None, home=HOME)
    assert (place.located("a"), place.located("")) == (None, None)
    assert (place.located("/a"), place.located("~/a")) == ("/a", f"{HOME}/a")
    assert CallContext(cwd="/w").located("a") == "/w/a"
