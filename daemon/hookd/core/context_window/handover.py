"""What a window leaves for the next one, and how the next one reads it."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from hookd.config.refusal import first_error
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Effort

MAX_FILES = 8
"""Files that a handover may ask for; more would fill the window that is to be relieved."""

_MAX_TEXT_CHARS = 100_000
_MAX_CHARS = 200_000
NonEmptyText = Annotated[str, Field(min_length=1, max_length=_MAX_TEXT_CHARS, pattern=r"\S")]


class Payload(BaseModel):
    """A handover. `userHistory` is what the user asked for and has not got, in the user's words."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", hide_input_in_errors=True
    )

    summary: NonEmptyText
    last_action: NonEmptyText
    next_steps: list[NonEmptyText] = Field(min_length=1, max_length=100)
    required_files: list[NonEmptyText] = Field(max_length=100)
    handover_instructions: str = Field("", max_length=_MAX_TEXT_CHARS)
    user_history: str | list[str] = Field("", max_length=_MAX_TEXT_CHARS)

    @model_validator(mode="after")
    def _short(self) -> "Payload":
        if len(self.model_dump_json()) > _MAX_CHARS:
            raise ValueError(f"a handover has at most {_MAX_CHARS} characters")
        return self


def parse_handover(given: Mapping[str, Any]) -> Payload:
    """Return a handover as it may be kept. INVALID_HANDOVER names the field that is wrong."""
    try:
        return Payload.model_validate(given)
    except ValidationError as error:
        field, said = first_error(error, "there is no such field")
        raise DomainError("INVALID_HANDOVER", f"{field or 'payload'}: {said}") from error


def recovery_text(payload: Mapping[str, Any], effort: Effort | None) -> str:
    """Return a handover as the next window reads it."""
    history = payload.get("userHistory", "")
    asked = "\n".join(f"- {one}" for one in history) if isinstance(history, list) else history
    steps = "\n".join(f"{at}. {step}" for at, step in enumerate(payload.get("nextSteps", ()), 1))
    parts = (
        ("Summary", payload.get("summary")),
        ("Last action", payload.get("lastAction")),
        ("Next steps", steps),
        ("Handover instructions", payload.get("handoverInstructions")),
        ("What the user asked for", asked),
    )
    return _block("handover of the previous session", effort, parts)


def outline(payload: Mapping[str, Any]) -> str:
    """Return what of an earlier handover still tells: its summary, and the steps it named."""
    steps = "\n".join(f"- {step}" for step in payload.get("nextSteps", ()))
    return f"{payload.get('summary', '')}\n{steps}".strip()


def rebuilt_recovery(effort: Effort, parts: tuple[tuple[str, str], ...]) -> str:
    """Return what is known of the work where nobody left a handover; `parts` are (title, text)."""
    origin = "rebuilt from the effort's files; hookd handover list has what was left before"
    return _block(origin, effort, parts)


def restart_prompt(effort: Effort | None) -> str:
    """Return what a client that is started anew is told first; the rest is in its context."""
    if effort is None or not effort.active:
        return "Go on where the window before stopped; what it left stands in your context."
    phase = f", phase {effort.phase}" if effort.phase else ""
    work = f"{effort.skill} on {effort.task_dir}{phase}"
    return f"Go on with {work}. What the window before left stands in your context."


def _block(origin: str, effort: Effort | None, parts: tuple[tuple[str, Any], ...]) -> str:
    lines = [f"## Session Recovery (Dehydrated Context), {origin}"]
    if effort is not None:
        phase = effort.phase or "none"
        lines.append(f"Task: {effort.task_dir} | Skill: {effort.skill} | Phase: {phase}")
    lines += [f"### {title}\n{text}" for title, text in parts if text]
    return "\n\n".join(lines)
