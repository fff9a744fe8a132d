"""An output that would fill the window is cut before the model reads it."""

from typing import Any

from hookd.config.models import ContextOptions, Settings
from hookd.core.model.facts import Facts, Session
from hookd.core.model.verdict import Opinion, merge
from hookd.events.model import PostToolUse
from hookd.policies.tool_output_truncator import Options, opine
from support.claude_code import render
from support.parametrize import parametrize_all

LINES = "".join(f"row {number} of the table\n" for number in range(20_000))


def said(
    response: Any, tool: str = "mcp__db__query", facts: Facts | None = None, **options: Any
) -> Opinion:
    event = PostToolUse(tool_name=tool, tool_input={}, tool_response=response)
    return opine(event, facts or Facts(), Options(**options)) or Opinion()


def output(response: Any, tool: str = "mcp__db__query", **more: Any) -> Any:
    return said(response, tool, **more).event_fields.get("tool_output")


def window(usage: float | None, **more: Any) -> Facts:
    return Facts(session=Session(1, "s", context_usage=usage, **more))


def test_a_long_output_of_an_mcp_tool_keeps_its_start_and_its_shape() -> None:
    blocks = [{"type": "text", "text": LINES}]
    for response in (LINES, blocks, {"content": blocks, "structuredContent": {"rows": 20_000}}):
        cut = output(response, limit=1_000)
        assert type(cut) is type(response)
        assert len(str(cut)) < 4_500
        assert "row 0 of the table" in str(cut)
        assert "[cut by hookd: " in str(cut)
    assert cut["structuredContent"] == {"rows": 20_000}


def test_the_limits_are_as_many_characters_as_their_tokens_have() -> None:
    assert len(output("x" * 300_000)) - len("\n[cut by hookd: 100,000 characters") < 200_100
    assert output("x" * 200_000) is None
    page = {"bytes": 1, "code": 200, "codeText": "OK", "durationMs": 1, "url": "https://a.example"}
    assert output({**page, "result": "x" * 39_000}, "WebFetch") is None
    cut = output({**page, "result": "x" * 50_000}, "WebFetch")
    assert {key: cut[key] for key in page} == page
    assert 39_000 < len(cut["result"]) < 40_100
    assert output("x" * 5_000, limit=1_000, limits={"mcp__db__*": 500})
    assert output("x" * 3_000, limit=1_000, limits={"other": 500}) is None
    assert output("x" * 5_000, limit=1_000, limits={"mcp__*": 90_000})


def test_an_output_takes_half_of_what_is_left_of_the_window_at_most() -> None:
    opinion = said("x" * 100_000, facts=window(0.9, window_tokens=200_000))
    assert len(opinion.event_fields["tool_output"]) < 40_100
    assert "10,000 are half of the window's rest" in opinion.context
    assert output("x" * 100_000, facts=window(0.5, window_tokens=200_000)) is None


@parametrize_all(
    ("facts", "cut"),
    [
        (Facts(), False),
        (window(None, window_tokens=200_000), False),
        (window(0.9), False),
        (window(0.9, model="claude-haiku-4-5"), True),
        (window(0.9, model="claude-opus-4-7"), False),
    ],
)
def test_what_is_left_counts_only_where_the_window_is_known(facts: Facts, cut: bool) -> None:
    assert bool(output("x" * 100_000, facts=facts)) == cut


def test_the_size_that_the_user_has_set_is_the_windows() -> None:
    settings = Settings(context=ContextOptions(window=100_000))
    facts = Facts(session=Session(1, "s", context_usage=0.9), settings=settings)
    assert len(output("x" * 100_000, facts=facts)) < 20_100


@parametrize_all("usage", [1.0, 1.3])
def test_where_nothing_of_the_window_is_left_the_note_alone_remains(usage: float) -> None:
    opinion = said("x" * 100_000, facts=window(usage, window_tokens=200_000))
    assert opinion.event_fields["tool_output"] == (
        "[cut by hookd: 100,000 characters of this output are left out]"
    )
    assert "the context window is full" in opinion.context
    assert output("x" * 900, facts=window(usage, window_tokens=200_000)) is None


@parametrize_all(
    "response",
    [{"isError": True, "content": LINES}, {"is_error": True, "content": LINES}, None, 7, [], {}],
)
def test_an_error_and_what_has_no_text_stay(response: Any) -> None:
    assert said(response, limit=1_000) == Opinion()


def test_a_built_in_tool_is_cut_only_where_it_is_named_and_keeps_its_shape() -> None:
    ran = {"stdout": LINES, "stderr": "short", "interrupted": False, "isImage": False}
    assert output(ran, "Bash", limit=1_000) is None
    cut = output(ran, "Bash", limit=1_000, tools=("Ba*",))
    assert {**cut, "stdout": LINES} == ran
    assert len(cut["stdout"]) < 4_200


def test_the_client_is_given_the_new_output() -> None:
    answer = render("PostToolUse", merge([said("x" * 300_000)], "PostToolUse"), 1)
    assert answer is not None
    specific = answer["hookSpecificOutput"]
    assert specific["updatedToolOutput"].startswith("xxx")
    assert specific["additionalContext"].startswith("[hookd:tool-output-truncator] The output of")
