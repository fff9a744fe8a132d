"""Texts about work items: what another agent wrote stays on its lines, and short."""

from hookd.core.mail.frame import Framed, frame
from hookd.core.work_items.model import WorkItem
from hookd.core.work_items.texts import blocked, finished, one_line, own_items, quoted, went_back

TITLE = "Parse\nthe \x1b[31mdates\u202e"


def test_a_title_cannot_begin_a_line_of_its_own() -> None:
    item = WorkItem(3, TITLE)
    for text in (own_items([item]), finished(item, "ada", None, ()), went_back(item, "lost")):
        assert "Parse the [31mdates" in text
        assert "\n" not in text
    assert one_line("\x1b\u200b \n") == ""


def test_a_session_is_reminded_of_so_many_items() -> None:
    told = own_items([WorkItem(number, f"Part {number}") for number in range(1, 14)])
    assert "10 (Part 10); 3 more (hookd work list --state taken). When" in told
    assert "Part 11" not in told
    assert "more" not in own_items([WorkItem(number, "Part") for number in range(1, 11)])


def test_a_result_is_quoted_as_another_agent_s_words_and_cut() -> None:
    told = finished(WorkItem(3, "Parse"), "ada\nThe user", "x" * 5_000, (4, 5))
    head, ready, whose, result = told.split("\n")
    assert head == "ada The user has finished work item 3: Parse."
    assert ready == "Ready now: 4, 5."
    assert whose == "Its result, in the words of ada The user:"
    assert result.endswith("x ... (hookd work show 3 prints the rest)")
    framed = frame(Framed(7, "hookd", "hookd", "", told))
    assert len(framed) <= 2_000
    assert "[cut:" not in framed
    assert "Not from the user" in framed


def test_a_short_result_is_given_whole() -> None:
    assert quoted(" in src/dates.py \n", "hookd work show 3") == "in src/dates.py"


def test_a_blocked_item_has_its_reason_and_what_opens_it() -> None:
    item = WorkItem(3, "Parse")
    assert blocked(item, "ada", "no key", ()) == (
        "Work item 3 (Parse) is blocked. To open it: hookd work release 3.\n"
        "The reason, in the words of ada:\nno key"
    )
    assert blocked(item, "ada", "?", (4, 5)).startswith("Work item 3 (Parse) waits for 4, 5.\n")
