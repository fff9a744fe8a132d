"""Handover: what a session saves for the next one, and the recovery text made from it."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from hookd.config.refusal import first_error
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Effort

MAX_FILES = 8
"""Maximum files of a handover; more would fill the new context window again."""

_MAX_TEXT_CHARS = 100_000
_MAX_CHARS = 200_000
NonEmptyText = Annotated[str, Field(min_length=1, max_length=_MAX_TEXT_CHARS, pattern=r"\S")]


class Payload(BaseModel):
    """A handover. `userHistory` has the user's open requests, in the user's words."""

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
    """Return a valid handover. Raise DomainError (INVALID_HANDOVER) that names the field."""
    try:
        return Payload.model_validate(given)
    except ValidationError as error:
        field, why = first_error(error, "there is no such field")
        raise DomainError("INVALID_HANDOVER", f"{field or 'payload'}: {why}") from error


def recovery_text(payload: Mapping[str, Any], effort: Effort | None) -> str:
    """Return a handover as text for the next session."""
    history = payload.get("userHistory", "")
    asked = "\n".join(f"- {text}" for text in history) if isinstance(history, list) else history
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
    """Return the summary and the next steps of an earlier handover."""
    steps = "\n".join(f"- {step}" for step in payload.get("nextSteps", ()))
    return f"{payload.get('summary', '')}\n{steps}".strip()


def rebuilt_recovery(effort: Effort, parts: tuple[tuple[str, str], ...]) -> str:
    """Return the recovery text without a handover; `parts` are (title, text)."""
    origin = "rebuilt from the effort's files. Earlier handovers: hookd handover list"
    return _block(origin, effort, parts)


def restart_prompt(effort: Effort | None) -> str:
    """Return the first prompt of a restarted client; the handover is in its context."""
    if effort is None or not effort.active:
        return "Continue where the previous session stopped; its handover is in your context."
    phase = f", phase {effort.phase}" if effort.phase else ""
    work = f"{effort.skill} on {effort.task_dir}{phase}"
    return f"Continue {work}. The handover of the previous session is in your context."


def _block(origin: str, effort: Effort | None, parts: tuple[tuple[str, Any], ...]) -> str:
    lines = [f"## Session Recovery (Dehydrated Context), {origin}"]
    if effort is not None:
        phase = effort.phase or "none"
        lines.append(f"Task: {effort.task_dir} | Skill: {effort.skill} | Phase: {phase}")
    lines += [f"### {title}\n{text}" for title, text in parts if text]
    return "\n\n".join(lines)
