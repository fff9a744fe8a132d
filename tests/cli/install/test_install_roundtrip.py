"""Whatever the settings hold, and whatever is installed in turn, uninstall gives them back."""

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.install import settings_file, settings_record
from hookd.cli.install.clients import OTHER_CLIENTS, Client
from hookd.cli.lib.json_splice import without_comments
from hookd.clients.claude_code import status_line_entry
from hookd.clients.claude_code.status_line_entry import LineShim
from hookd.clients.hook_groups import Shim
from hookd.events.protocol import EVENTS
from support.installation import EVERY, FOREIGN, SHIM

LINE = LineShim("/data/my shims/user/hookd-statusline")

leaves = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
values = st.recursive(
    leaves | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
unknown = st.dictionaries(st.text(min_size=1, max_size=5).map("x".__add__), values, max_size=3)
matchers = st.sampled_from([{}, {"matcher": ""}, {"matcher": "*"}, {"matcher": "^größe|Bash( "}])
kinds = st.sampled_from([{}, {"type": "http", "url": "http://localhost"}, {"type": "prompt"}])
foreign = st.builds(lambda more, kind: FOREIGN | kind | more, unknown, kinds)
groups = st.builds(
    lambda before, matcher, hooks, after: before | matcher | {"hooks": hooks} | after,
    unknown,
    matchers,
    st.lists(foreign, max_size=2),
    unknown,
)
names = st.sampled_from(["Stop", "PreToolUse", "WorktreeCreate", "SessionEnd", "Später", "x.y"])
comments = st.dictionaries(st.just("_comment"), leaves | st.text(max_size=8), max_size=1)
hooks = st.builds(
    lambda events, comment: {"hooks": comment | events},
    st.dictionaries(names, st.lists(groups, max_size=2), max_size=4),
    comments,
)
commands = st.text(st.sampled_from("a é|'\"\\$\n;-"), max_size=8)
lines = st.builds(
    lambda before, command, after: {
        "statusLine": before | {"type": "command", "command": command} | after
    },
    unknown,
    commands,
    unknown,
)
parts = st.permutations([hooks | st.just({}), lines | st.just({}), unknown, unknown])
documents = parts.flatmap(lambda some: st.tuples(*some)).map(
    lambda found: {key: value for part in found for key, value in part.items()}
)
forms: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 2, 4, "\t"]),
        "ensure_ascii": st.booleans(),
        "separators": st.sampled_from([None, (",", ":"), (" , ", " : ")]),
    }
)
newlines = st.sampled_from(["\n", "\r\n"])
ends = st.sampled_from(["", "\n", "\n\n"])
marks = st.sampled_from([b"", b"\xef\xbb\xbf"])

choices = st.just(EVERY) | st.lists(st.sampled_from(sorted(EVENTS)), min_size=1, unique=True)
"""The events of one install."""

steps = st.tuples(choices, st.sampled_from([None, LINE]), st.booleans())
installs = st.lists(steps, min_size=1, max_size=3)
"""Installs one after the other: their events, their status line, if somebody writes after them."""


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Draw a settings file as a person or a program may have written it."""
    text = json.dumps(draw(documents), **draw(forms)) + draw(ends)
    return draw(marks) + text.replace("\n", draw(newlines)).encode("utf-8")


def install(file: Path, known: Path, events: list[str], line: LineShim | None = None) -> None:
    document = settings_file.read(file)
    value = settings_record.registered(document, SHIM, events, known, line)
    settings_record.save(document, document.rewritten(value), known)


def uninstall(file: Path, known: Path) -> None:
    document = settings_file.read(file)
    settings_record.restore(document, *settings_record.without(document, known), known)


def ordered(raw: bytes) -> str:
    """Return the JSON that a file holds: the same text is the same value in the same order."""
    return json.dumps(json.loads(raw.decode("utf-8-sig")))


def foreign_text(raw: bytes) -> list[str]:
    """Return every foreign hook, and every other key, as text in its order."""
    value = status_line_entry.unwrap(json.loads(raw.decode("utf-8-sig")))
    rest = [json.dumps([key, item]) for key, item in value.items() if key != "hooks"]
    lists = [groups for groups in value.get("hooks", {}).values() if isinstance(groups, list)]
    every = [hook for groups in lists for group in groups for hook in group["hooks"]]
    return rest + [json.dumps(hook) for hook in every if "/shims/user/" not in hook["command"]]


@given(files(), installs)
def test_any_installs_and_one_uninstall_give_back_any_file(
    original: bytes, steps: list[tuple[list[str], LineShim | None, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file, known = Path(folder, "settings.json"), Path(folder, "install.json")
        file.write_bytes(original)
        for events, line, touched in steps:
            install(file, known, events, line)
            there = status_line_entry.parse(json.loads(file.read_text("utf-8-sig")))
            assert bool(there) == bool(line)
            assert foreign_text(file.read_bytes()) == foreign_text(original)
            if touched:
                file.write_bytes(file.read_bytes() + b"\n")
        uninstall(file, known)
        assert ordered(file.read_bytes()) == ordered(original)
        if not any(touched for _, _, touched in steps):
            assert file.read_bytes() == original
            assert [path.name for path in Path(folder).iterdir()] == [file.name]


@pytest.mark.parametrize(
    "empty", [{"hooks": {}}, {"hooks": {"Stop": []}}, {"hooks": {"Setup": []}}]
)
def test_a_container_that_stood_empty_outlives_a_smaller_set_of_events(
    tmp_path: Path, empty: dict[str, Any]
) -> None:
    file, known = tmp_path / "settings.json", tmp_path / "install.json"
    file.write_text(json.dumps(empty))
    install(file, known, EVERY)
    install(file, known, ["PreToolUse"])
    file.write_bytes(file.read_bytes() + b"\n")
    uninstall(file, known)
    assert json.loads(file.read_bytes()) == empty


# Other clients


WITH_GROUPS = {"codex": ["command", "prompt"], "gemini": ["command"], "qwen": ["command", "http"]}
"""Clients whose settings hold groups of hooks, with types of hooks that others may have there."""

remarks = st.sampled_from(["", "", "// größe, {\n", '/* } " */', "/* a\n b */ "])


@st.composite
def other_settings(draw: st.DrawFn, client: Client) -> dict[str, Any]:
    """Draw the settings of a client besides Claude Code, with hooks of others."""
    registration = client.registration
    theirs = st.sampled_from([*list(registration.NAMES.values())[:4], "xLater", "_why"])
    if client.whole:
        lists = st.lists(foreign, max_size=2)
    else:
        kind = st.sampled_from(WITH_GROUPS[client.name])
        mine = st.builds(lambda more, kind: FOREIGN | {"type": kind} | more, unknown, kind)
        lists = st.lists(
            st.builds(
                lambda matcher, hooks, more: matcher | {"hooks": hooks} | more,
                matchers,
                st.lists(mine, max_size=2),
                unknown,
            ),
            max_size=2,
        )
    value: dict[str, Any] = {"hooks": draw(st.dictionaries(theirs, lists, max_size=3))}
    if draw(st.booleans()):
        value = {} if draw(st.booleans()) else {"hooks": {}}
    if client.name == "codex":
        return draw(st.sampled_from([{}, {"description": "größe"}])) | value
    return draw(unknown) | value | draw(unknown)


@st.composite
def other_files(draw: st.DrawFn, client: Client) -> bytes | None:
    """Draw the file of a client as others may have written it; None is no file."""
    if draw(st.sampled_from([False, False, False, True])):
        return None
    text = json.dumps(draw(other_settings(client)), **draw(forms)) + draw(ends)
    if client.comments and '"' not in draw(remarks):
        text = re.sub(r"(?<=[{,])(?=\n)", lambda _: draw(remarks), text)
        text = draw(remarks) + text
    return text.replace("\n", draw(newlines)).encode()


other_clients = st.sampled_from([one for one in OTHER_CLIENTS.values() if one.name != "opencode"])
cases = other_clients.flatmap(
    lambda client: st.tuples(
        st.just(client),
        other_files(client),
        st.lists(
            st.tuples(
                st.just(list(client.registration.NAMES))
                | st.lists(st.sampled_from(list(client.registration.NAMES)), unique=True),
                st.booleans(),
            ),
            min_size=1,
            max_size=3,
        ),
    )
)


def value_of(raw: bytes) -> str:
    return json.dumps(json.loads(without_comments(raw.decode()) or "{}"))


def foreign_hooks(raw: bytes | None) -> list[str]:
    """Return the hooks of others as text, in their order, each with its event and its places."""
    hooks = json.loads(without_comments((raw or b"{}").decode())).get("hooks", {})
    return [
        json.dumps([event, at, which, hook])
        for event, groups in hooks.items()
        for at, group in enumerate(groups)
        for which, hook in enumerate(group.get("hooks", [group]))
        if "/shims/" not in json.dumps(hook)
    ]


@given(cases)
def test_any_installs_with_any_client_and_one_uninstall_give_back_any_file(
    case: tuple[Client, bytes | None, list[tuple[list[str], bool]]],
) -> None:
    client, original, steps = case
    shim = Shim(f"/data/my shims/shims/{client.name}-user-0123abcd")
    with tempfile.TemporaryDirectory() as folder:
        file, known = Path(folder, "settings", "settings.json"), Path(folder, "install.json")
        if original is not None:
            file.parent.mkdir()
            file.write_bytes(original)
        for events, touched in steps:
            document = client.read(file)
            bare = settings_record.recall(known, file).bare
            value = client.registration.register(document.value, shim, events, bare)
            after = client.rewritten(document, value)
            settings_record.save(document, after, known, entries=client.entries)
            assert client.registration.registered(client.read(file).value) == [
                name for name in client.registration.NAMES if name in events
            ]
            if file.exists():
                assert foreign_hooks(file.read_bytes()) == foreign_hooks(original)
                if touched:
                    file.write_bytes(file.read_bytes() + b"\n")
        document = client.read(file)
        left, exact = settings_record.without(document, known, client.entries)
        settings_record.restore(document, left, exact, known)
        if not any(touched for _, touched in steps):
            assert (file.read_bytes() if file.exists() else None) == original
            assert sorted(path.name for path in Path(folder).rglob("*")) == (
                [] if original is None else ["settings", "settings.json"]
            )
        elif original is not None:
            # Without anything in it, a file that could be hookd's own goes.
            gone = client.whole and value_of(original) == "{}" and not file.exists()
            assert gone or value_of(file.read_bytes()) == value_of(original)
