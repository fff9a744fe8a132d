"""An edit that has failed is answered by what its error means."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hookd.config.models import Policies, Section
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput, PostToolUseFailure
from hookd.policies.edit_error_recovery import POLICY, Options, opine
from hookd.policy_support.layering import choose
from support.parametrize import parametrize_all
from support.policy_session import Talk

FACTS = Facts(session=Session(1, "s"))


def failed(error: str, tool: str = "Edit", **tool_input: Any) -> PostToolUseFailure:
    given = {"tool_name": tool, "tool_input": tool_input, "tool_use_id": "t1", "error": error}
    return PostToolUseFailure.model_validate({"hook_event_name": "PostToolUseFailure", **given})


def batch(*results: Any, tool: str = "Edit") -> HookInput:
    calls = [
        {"tool_name": tool, "tool_input": {}, "tool_use_id": f"t{at}", "tool_response": result}
        for at, result in enumerate(results)
    ]
    return HookInput.model_validate({"hook_event_name": "PostToolBatch", "tool_calls": calls})


def said(event: HookInput, facts: Facts = FACTS, **options: Any) -> Opinion:
    return opine(event, facts, Options(**options)) or Opinion()


KNOWN = [
    ("String to replace not found in file.\nString: x", "is not in the file"),
    ("String not found in file. Failed to apply edit.", "is not in the file"),
    ("oldString not found in content", "is not in the file"),
    ("Error: old_string not found", "is not in the file"),
    ("Found 3 matches of the string to replace, but replace_all is false.", "several times"),
    ("oldString found multiple times", "several times"),
    ("old_string is not unique in the file", "several times"),
    ("No changes to make: old_string and new_string are exactly the same.", "identical"),
    ("oldString and newString must be different", "identical"),
    ("File has been modified since read, either by the user or by a linter.", "has changed"),
    ("File has been unexpectedly modified. Read it again", "has changed"),
    ("File has not been read yet. Read it first before writing to it.", "was not read"),
    ("You did not read this file", "was not read"),
    ("Cannot create new file - file already exists.", "exists and is not empty"),
    ("File does not exist.", "does not exist"),
    ("ENOENT: no such file or directory, open '/x'", "does not exist"),
    ("file not found", "does not exist"),
    ("File is a Jupyter Notebook. Use the NotebookEdit to edit this file.", "NotebookEdit"),
    ('Cell with ID "a" not found in notebook.', "NotebookEdit"),
    ("EACCES: permission denied, open '/x'", "no permission"),
    ("Permission denied", "no permission"),
    ("EISDIR: illegal operation on a directory", "is a folder"),
]


@parametrize_all(("error", "hint"), KNOWN)
def test_each_known_error_has_a_hint_of_its_own(error: str, hint: str) -> None:
    context = said(failed(error, file_path="/w/a.py")).context
    assert context.startswith("[hookd:edit-error-recovery] Edit of /w/a.py failed. ")
    assert hint in context


def test_the_text_that_an_error_quotes_is_not_taken_for_the_error() -> None:
    error = "String to replace not found in file.\nString: raise OSError('permission denied')"
    assert "is not in the file" in said(failed(error)).context


@parametrize_all(
    ("tool", "needs"),
    [
        ("Edit", "file_path, old_string and new_string"),
        ("Write", "file_path and content"),
        ("MultiEdit", "file_path and edits"),
        ("NotebookEdit", "notebook_path and new_source"),
    ],
)
def test_a_call_that_does_not_hold_is_told_what_it_needs(tool: str, needs: str) -> None:
    refused = "<tool_use_error>InputValidationError: a parameter is missing</tool_use_error>"
    assert f"{tool} needs {needs}." in said(batch(refused, tool=tool)).context


def test_an_edit_that_was_refused_is_only_seen_in_its_batch_and_told_there() -> None:
    refused = "<tool_use_error>File has not been read yet.</tool_use_error>"
    opinion = said(batch("The file has been updated: not unique", refused, refused))
    assert opinion.context.count("was not read") == 1
    (kept,) = opinion.effects
    assert isinstance(kept, Remember)
    assert kept.value["told"] == ["t1", "t2"]


def test_what_was_told_at_the_failure_is_not_told_again_at_the_batch() -> None:
    error = "<tool_use_error>File does not exist.</tool_use_error>"
    (kept,) = said(failed("File does not exist.")).effects
    assert isinstance(kept, Remember)
    told = Facts(session=FACTS.session, policy_state={kept.policy: kept.value})
    assert said(batch("done", error)).context
    assert said(batch("done", error), told) == Opinion()


def test_the_same_hint_for_a_file_is_given_once_until_some_minutes_have_passed() -> None:
    talk = Talk(POLICY, FACTS)
    first = failed("File does not exist.", file_path="/w/a.py")
    assert talk.reads(first)

    def again(number: int, error: str = "File does not exist.", path: str = "/w/a.py") -> str:
        event = failed(error, file_path=path).model_copy(update={"tool_use_id": f"n{number}"})
        return talk.reads(event)

    assert again(1) == ""
    assert again(2, path="/w/b.py")
    assert again(3, error="File has not been read yet.")
    talk.facts = replace(talk.facts, now=talk.facts.now + timedelta(minutes=9))
    assert again(4) == ""
    talk.facts = replace(talk.facts, now=talk.facts.now + timedelta(minutes=2))
    assert again(5)
    assert "/w/a.py" not in str(talk.facts.policy_state)


def test_a_hint_can_be_wanted_each_time() -> None:
    talk = Talk(POLICY, replace(FACTS, options={POLICY.name: Options(repeat_after=0)}))
    for number in range(3):
        event = failed("File does not exist.").model_copy(update={"tool_use_id": f"n{number}"})
        assert talk.reads(event)


def test_a_batch_full_of_errors_is_told_in_a_few_lines() -> None:
    refused = "<tool_use_error>File does not exist.</tool_use_error>"
    event = batch(*[refused] * 40)
    for at, call in enumerate(getattr(event, "tool_calls")):  # noqa: B009 - an extra field
        call["tool_input"] = {"file_path": f"/w/{at}" + "x" * 10_000}
    context = said(event).context
    assert context.count("\n") == 4
    assert len(context) < 4_000


def test_without_a_session_it_still_tells_and_keeps_nothing() -> None:
    opinion = said(failed("File does not exist."), Facts())
    assert opinion.context
    assert opinion.effects == ()


def test_a_hint_of_the_users_comes_before_the_known_ones_and_is_no_pattern() -> None:
    hints = {"Locked.by (team": "Ask the owner."}
    assert (
        "Ask the owner." in said(failed("file not found, LOCKED.BY (TEAM x"), hints=hints).context
    )
    assert said(failed("locked by team"), hints=hints) == Opinion()


@parametrize_all("hints", [{"": "x"}, {"  a ": "x"}, {"abc": "x" * 1_001}, {"abc": 7}])
def test_a_hint_that_would_always_fit_or_is_too_long_is_refused(hints: Any) -> None:
    given = Policies(options={"edit-error-recovery": {"hints": hints}})
    with pytest.raises(ValueError, match=r"policies\.options\.edit-error-recovery\.hints"):
        choose([POLICY], [Section(given)])


def test_words_behind_the_beginning_of_an_error_are_not_searched() -> None:
    assert said(failed("x" * 4_000 + "file not found")) == Opinion()


def test_an_error_of_another_tool_or_an_unknown_one_is_left_alone() -> None:
    assert said(failed("file not found", "Read")) == Opinion()
    assert said(failed("something new")) == Opinion()
    assert said(batch({"odd": 1}, None, 7)) == Opinion()
