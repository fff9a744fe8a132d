"""Values that a shell completes: plain ones only, since a shell runs what it inserts."""

from hookd.cli.lib import completions
from hookd.policies import POLICIES
from support.parametrize import parametrize_all

NOTHING = (None, None)


def test_the_policies_are_those_that_there_are() -> None:
    found = completions.policies(*NOTHING, "")  # type: ignore[arg-type]
    assert {one.value for one in found} == {policy.name for policy in POLICIES}


def test_only_what_begins_with_the_typed_text_is_offered() -> None:
    found = completions.event_names(*NOTHING, "Pre")  # type: ignore[arg-type]
    assert "PreToolUse" in [one.value for one in found]
    assert all(one.value.startswith("Pre") for one in found)


@parametrize_all("value", ["$(touch x)", "`x`", "a b", "*", "a;b", "x\n", "\x1b[31m", "'", ""])
def test_a_value_that_a_shell_would_change_is_not_offered(value: str) -> None:
    assert completions.items([(value, "")], "") == []


def test_the_text_about_a_value_is_one_short_line_without_escapes() -> None:
    (one,) = completions.items([("7", "\x1b[31mred\n" + "x" * 500)], "")
    assert (one.value, one.help) == ("7", ("\\x1b[31mred\\n" + "x" * 500)[:60])
