"""Explain why an edit failed, and how to make it succeed.

It recognizes current and older error messages of Edit, MultiEdit, NotebookEdit, Write and Codex's
patches: text that is missing or ambiguous, a file that was not read or has changed since, missing
fields of a call. Further errors and hints can be configured. For one file, a hint is given once per
window, and again after `repeat_after` minutes. Unknown errors and interrupts are ignored.
"""

from hashlib import sha256
from typing import Any

from pydantic import Field, field_validator

from hookd.config.models import PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.call_parts import APPLY_PATCH, patched_names
from hookd.events.model import HookInput, PostToolUseFailure
from hookd.events.tool_results import Failure, failures, reported_state, unreported
from hookd.policy_support.rate_limit import recent


class Options(PolicyOptions):
    """Further hints, and the interval of repetition."""

    hints: dict[str, str] = Field(
        default_factory=dict,
        description="Hints by words of an error message, in any case. They precede the built-in"
        " ones.",
    )
    repeat_after: int = Field(
        10,
        ge=0,
        description="Minutes before the same hint is repeated for a file. 0: each time.",
    )

    @field_validator("hints")
    @classmethod
    def _worded(cls, hints: dict[str, str]) -> dict[str, str]:
        for words, hint in hints.items():
            if len(words.strip()) < _MIN_WORDS_CHARS or len(hint) > _MAX_HINT_CHARS:
                raise ValueError(
                    f"use at least {_MIN_WORDS_CHARS} characters of an error, and at most"
                    f" {_MAX_HINT_CHARS} for a hint"
                )
        return hints


_NAME = "edit-error-recovery"
_TOOLS = frozenset({APPLY_PATCH, "Edit", "MultiEdit", "NotebookEdit", "Write"})
_MIN_WORDS_CHARS, _MAX_HINT_CHARS, _MAX_HINTS = 3, 1_000, 5
_MAX_MARKS = 100
"""Last given hints that a window remembers."""

_FIELDS = {
    APPLY_PATCH: "command with the patch",
    "Edit": "file_path, old_string and new_string",
    "MultiEdit": "file_path and edits",
    "NotebookEdit": "notebook_path and new_source",
    "Write": "file_path and content",
}

_HINTS = (
    (
        (
            "string to replace not found",
            "string not found in file",
            "oldstring not found",
            "old_string not found",
        ),
        "The text to replace is not in the file. Read the file and copy the text exactly, with"
        " spaces and line breaks.",
    ),
    (
        ("failed to find expected lines", "failed to find context"),
        "The lines of the patch are not in the file. Read the file and copy its lines exactly, with"
        " enough lines around the change.",
    ),
    (
        ("invalid patch", "invalid hunk"),
        "The patch is not valid. Begin it with *** Begin Patch, end it with *** End Patch, name"
        " each file by a line such as *** Update File: PATH, and begin each line of text with +, -"
        " or a blank.",
    ),
    (
        ("matches of the string to replace", "found multiple times", "not unique"),
        "The text to replace occurs several times. Add surrounding lines to old_string to select"
        " one occurrence, or set replace_all.",
    ),
    (
        ("no changes to make", "exactly the same", "must be different"),
        "The old and the new text are identical. Read the file: it may have the new text already.",
    ),
    (
        ("modified since read", "unexpectedly modified"),
        "The file has changed since it was read. Read it again, then repeat the edit.",
    ),
    (
        ("has not been read", "did not read", "must read the file"),
        "The file was not read in this window. Read it, check the edit, then repeat it.",
    ),
    (
        ("file already exists",),
        "The file exists and is not empty. Read it, then edit with text from it as old_string.",
    ),
    (
        ("does not exist", "file not found", "no such file", "enoent"),
        "The file does not exist. Find it with Glob, or create it with Write.",
    ),
    (
        ("jupyter notebook", "cell with id", "cell id", "cell index"),
        "Edit notebook cells with NotebookEdit. Read shows their ids.",
    ),
    (
        ("permission denied", "eacces", "eperm", "read-only file system"),
        "There is no permission to write the file. Ask the user.",
    ),
    (("is a directory", "eisdir"), "The path is a folder. Find its files with Glob."),
)
"""Words that identify an error, in lower case, and the hint for it."""

_WRONG_CALL = ("inputvalidationerror", "required parameter", "unexpected parameter")


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Give a hint for each error that has none yet."""
    state = facts.policy_state.get(_NAME)
    found = unreported(failures(event, _TOOLS), state)
    hinted = [(one, hint) for one in found if (hint := _hint(one, options))]
    if not hinted:
        return None
    known = recent(state, facts, options.repeat_after)
    lines = dict.fromkeys(f"{_call(one)} failed. {hint}" for one, hint in hinted)
    fresh = [line for line in lines if _mark(line) not in known][:_MAX_HINTS]
    marks = known | {_mark(line): facts.at for line in fresh}
    kept: dict[str, Any] = reported_state(tuple(one for one, _ in hinted), state)
    kept["marks"] = dict([*marks.items()][-_MAX_MARKS:])
    return Opinion(
        context="\n".join(f"[hookd:{_NAME}] {line}" for line in fresh),
        effects=(Remember(facts.session.id, _NAME, kept),) if facts.session else (),
    )


def _mark(line: str) -> str:
    # A file name may be a secret: a hash is stored.
    return sha256(line.encode("utf-8", "replace")).hexdigest()[:16]


def _hint(failure: Failure, options: Options) -> str:
    """Return the hint for an error; of several matches, the earliest in the text.

    The rest of the error quotes the call, which may contain anything.
    """
    said = failure.text.casefold()
    own = (hint for words, hint in options.hints.items() if words.strip().casefold() in said)
    places = [
        (place, hint)
        for texts, hint in (*_HINTS, (_WRONG_CALL, _fields(failure.tool)))
        for text in texts
        if (place := said.find(text)) >= 0
    ]
    return next(own, "") or min(places, default=(0, ""))[1]


def _fields(tool: str) -> str:
    return f"The call is invalid: {tool} needs {_FIELDS[tool]}."


def _call(failure: Failure) -> str:
    named = failure.input.get("file_path") or failure.input.get("notebook_path")
    if failure.tool == APPLY_PATCH:
        named = ", ".join(patched_names(failure.input)) or None
    return f"{failure.tool} of {named[:300]}" if isinstance(named, str) else failure.tool


def _failed(error: str, tool: str = "Edit", **more: object) -> PostToolUseFailure:
    event = {"hook_event_name": "PostToolUseFailure", "tool_name": tool, "tool_use_id": "toolu_1"}
    given = {"tool_input": {"file_path": "/work/a.py"}, "error": error}
    return PostToolUseFailure.model_validate({**event, **given, **more})


def _batch(result: str, tool: str = "Edit") -> HookInput:
    call = {"tool_name": tool, "tool_use_id": "toolu_1", "tool_response": result}
    calls = [{**call, "tool_input": {"file_path": "/work/a.py"}}]
    return HookInput.model_validate({"hook_event_name": "PostToolBatch", "tool_calls": calls})


_REFUSED = "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>"
_NOT_FOUND = "String to replace not found in file."


def _examples() -> tuple[PolicyExample, ...]:
    known = Facts(session=Session(1, "s"))
    hinted = Facts(
        session=Session(1, "s"),
        policy_state={
            _NAME: {"marks": {_mark(f"Edit of /work/a.py failed. {_HINTS[0][1]}"): known.at}}
        },
    )
    return (
        PolicyExample(_failed(_NOT_FOUND), known, says="context"),
        PolicyExample(_failed("EACCES: permission denied", "Write"), Facts(), says="context"),
        PolicyExample(_failed("invalid patch: no end", "ApplyPatch"), known, says="context"),
        PolicyExample(_batch(_REFUSED), known, says="context"),
        PolicyExample(
            _batch(_REFUSED),
            Facts(session=Session(1, "s"), policy_state={_NAME: {"told": ["toolu_1"]}}),
            says="",
        ),
        PolicyExample(_failed(_NOT_FOUND, tool_use_id="toolu_2"), hinted, says="effects"),
        PolicyExample(_batch("The file /work/a.py has been updated."), known, says=""),
        PolicyExample(_failed("String to replace not found", "Bash"), known, says=""),
        PolicyExample(_failed("not unique", is_interrupt=True), known, says=""),
        PolicyExample(_failed("something new"), known, says=""),
    )


POLICY = Policy(
    name=_NAME,
    priority=130,
    events=frozenset({"PostToolUseFailure", "PostToolBatch"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
