"""The report: what the first screen says, that it fits 80 columns, and the same as JSON."""

from hookd.replay.compare import Answer, Difference, Gap, Kind, Tally
from hookd.replay.report import report_lines, report_object


def difference(number: int, kind: Kind, text: str = "git push", session: str = "s1") -> Difference:
    after = Answer({"newDeny": "deny", "newAsk": "ask", "noStop": ""}[kind], "new-rule")
    before = Answer("ask", "destructive-guard") if kind == "noStop" else Answer()
    order = f"2026-01-31T08:00:{number:02}.000Z", number
    return Difference(f"#{number}", order, session, "Bash", text, kind, before, after)


RESULT = Tally(
    events=1_240,
    sessions=3,
    same=1_229,
    since="2026-01-24T08:00:00.000Z",
    until="2026-01-31T08:00:00.000Z",
    differences=(
        *(difference(number, "newDeny", session=f"s{number % 2}") for number in range(1, 6)),
        difference(7, "newDeny", "git push --force"),
        difference(8, "newAsk", "x" * 300),
        difference(9, "noStop"),
    ),
    gaps=(
        Gap("#20", ("", 20), "the payload was cut"),
        Gap(
            "#21", ("", 21), "a fact was not recorded", "self-guard", "Bash", "git push", "newDeny"
        ),
        Gap("#22", ("", 22), "a fact was not recorded", "self-guard"),
    ),
)


def test_the_first_screen() -> None:
    lines = list(report_lines(RESULT, ("rule new-rule denies Bash(git push *)",), 1))
    assert lines == [
        "1,240 events of 3 sessions, 2026-01-24 to 2026-01-31.",
        "Today's rules, policies and settings, compared with this change:",
        "  rule new-rule denies Bash(git push *)",
        "",
        "  newly denied              6   2 calls in 2 sessions",
        "  newly asked               1   1 call in 1 session",
        "  no longer stopped         1   1 call in 1 session",
        "  the same              1,229",
        "  not comparable            3   less than 1 %",
        "",
        "Newly denied: 6",
        "  5x Bash: git push",
        "     #1, #2, #3, ...; by new-rule",
        "  1 more calls: --examples 2, or --json",
        "",
        "Newly asked: 1",
        f"  Bash: {'x' * 71}…",
        "     #8; by new-rule",
        "",
        "No longer stopped: 1",
        "  Bash: git push",
        "     #9; was asked by destructive-guard",
        "",
        "Not comparable: 3",
        "       2  a fact was not recorded: #21, #22",
        "       1  the payload was cut: #20",
        "  1 of these would be newly denied, as far as is known:",
        "          #21 Bash: git push",
    ]
    assert max(map(len, lines)) <= 80


def test_without_a_change_the_recorded_decisions_are_compared() -> None:
    lines = list(report_lines(Tally(), (), 5))
    assert lines[:2] == [
        "0 events of 0 sessions.",
        "Today's rules, policies and settings, compared with the recorded decisions:",
    ]
    assert not any("Not comparable:" in line for line in lines)


def test_json_names_every_event() -> None:
    found = report_object(RESULT, ("a change",), ("new-deny > 5: it is 6",))
    assert found["newDeny"]["count"] == 6
    assert found["noLongerStopped"]["events"] == [
        {
            "event": "#9",
            "at": "2026-01-31T08:00:09.000Z",
            "session": "s1",
            "tool": "Bash",
            "call": "git push",
            "before": {"decision": "ask", "rule": "destructive-guard"},
            "after": {"decision": None, "rule": "new-rule"},
        }
    ]
    assert found["notComparable"]["reasons"] == {
        "a fact was not recorded": 2,
        "the payload was cut": 1,
    }
    assert found["notComparable"]["events"][1]["would"] == "newDeny"
    assert (found["change"], found["failed"]) == (["a change"], ["new-deny > 5: it is 6"])
