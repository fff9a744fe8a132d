"""The page of tested clients: two parts, each written by a complete run of its clients."""

from clients.clients_page import PAGE, Cell, page, table

OK = frozenset({"SessionStart", "PreToolUse"})
CLAUDE = [Cell("deny", "2.1.330", "passed", "", 3, OK)]
OTHERS = [
    Cell("deny", "codex 0.169.0", "passed", "", 2, OK),
    Cell("deny", "opencode 1.18.33", "missing", "It has none.", 0, frozenset()),
]


def test_a_run_writes_its_part_and_keeps_the_other() -> None:
    both = page("", CLAUDE, OTHERS)
    assert page(both, CLAUDE, []) == page(both, [], OTHERS) == page(both, [], []) == both
    failed = [Cell("deny", "2.1.331", "failed", "It ran.", 3, OK)]
    renewed = page(both, failed, [])
    assert "| deny | FAILED |" in renewed
    assert "2.1.330" not in renewed
    assert "| deny | ok | - (1) |" in renewed
    assert "(1) It has none." in renewed


def test_the_page_tells_which_events_were_fired() -> None:
    text = page("", CLAUDE, OTHERS)
    assert "| PreToolUse | yes |" in text
    (row,) = (line for line in text.splitlines() if line.startswith("| codex 0.169.0 |"))
    fired, _, unseen = row.removeprefix("| codex 0.169.0 | ").partition(" | ")
    assert fired == "SessionStart, PreToolUse"
    assert unseen.startswith("UserPromptSubmit, PermissionRequest")


def test_the_published_page_has_both_parts() -> None:
    text = PAGE.read_text("utf-8")
    assert page(text, [], []) == text
    assert "FAILED" not in text


def test_the_terminal_gets_a_table() -> None:
    assert [line.split() for line in table(OTHERS).splitlines()] == [
        ["scenario", "codex", "0.169.0", "opencode", "1.18.33", "s"],
        ["deny", "ok", "-", "2"],
    ]
