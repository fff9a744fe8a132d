"""Trigger schema: the `condition` and the `trigger` of a guard rule, by type."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator

from hookd.events.context_usage import LEVELS, Level

_OPS = ("gte", "gt", "lte", "lt", "eq")


class Part(BaseModel):
    """A part of a rule: an unknown key is an error."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        hide_input_in_errors=True,
        defer_build=True,  # most installs have no guard rule with a condition
    )


_Share = Annotated[float, Field(strict=True, ge=0, le=1)]
_SHARE = TypeAdapter[float](_Share)
_NUMBER = TypeAdapter[float](Annotated[float, Field(allow_inf_nan=False)])


def _level_or(number: TypeAdapter[float], value: Any) -> Any:
    # The errors of a union would name both types.
    if value in LEVELS:
        return value
    if isinstance(value, str):
        raise ValueError(f"give a number, or a level: {', '.join(LEVELS)}")
    return number.validate_python(value)


class Condition(Part):
    """A comparison of a session's number; `context_usage` is a share, 0.0 to 1.0, or a level."""

    field: Literal["heartbeat_counter", "context_usage", "tool_calls"]
    op: Literal["gte", "gt", "lte", "lt", "eq"]
    value: Annotated[float | Level, BeforeValidator(partial(_level_or, _NUMBER))]

    @model_validator(mode="after")
    def _of_the_window(self) -> "Condition":
        if isinstance(self.value, str) and self.field != "context_usage":
            raise ValueError(f"{self.value} is a level of context_usage; {self.field} is a number")
        return self


Share = Annotated[_Share | Level, BeforeValidator(partial(_level_or, _SHARE))]
Count = Annotated[int, Field(strict=True, ge=0)]


class Limits(Part):
    """Comparisons with a number or a level; all must be met."""

    @model_validator(mode="after")
    def _compares(self) -> "Limits":
        if not self.limits:
            raise ValueError(f"give at least one of {', '.join(_OPS)}")
        return self

    @property
    def limits(self) -> dict[str, float | Level]:
        """The comparisons that must all be met, by name."""
        return {op: value for op in _OPS if (value := getattr(self, op)) is not None}


class Shares(Limits):
    """Limits of a share: 0.9 is 90 %; the policy `overflow` sets the shares of the levels."""

    gte: Share | None = None
    gt: Share | None = None
    lte: Share | None = None
    lt: Share | None = None
    eq: Share | None = None


class Counts(Limits):
    """Limits of a count."""

    gte: Count | None = None
    gt: Count | None = None
    lte: Count | None = None
    lt: Count | None = None
    eq: Count | None = None


class _Named(Part):
    eq: str | None = Field(None, min_length=1)
    matches: str | None = Field(None, min_length=1)

    @property
    def globs(self) -> tuple[str, ...]:
        """The globs that must all match."""
        return tuple(glob for glob in (self.eq, self.matches) if glob is not None)


class PhaseNamed(_Named):
    """The title of a phase."""

    @model_validator(mode="after")
    def _names(self) -> "PhaseNamed":
        if not self.globs:
            raise ValueError("give eq or matches")
        return self


class LifecycleNamed(_Named):
    """The state of the effort, or that none is active."""

    no_active_session: Literal[True] | None = Field(None, alias="noActiveSession")

    @model_validator(mode="after")
    def _names(self) -> "LifecycleNamed":
        if not (self.globs or self.no_active_session):
            raise ValueError("give noActiveSession, eq or matches")
        return self


class Found(Part):
    """A list that is not empty."""

    field: Literal[
        "pendingPreloads",
        "pendingInjections",
        "discoveredDirectives",
        "loadedFiles",
        "preloadedFiles",
    ]
    non_empty: Literal[True] = Field(alias="nonEmpty")


class ContextThreshold(Part):
    """The used share of the context window."""

    type: Literal["contextThreshold"]
    condition: Shares


class ToolCount(Part):
    """The number of calls: in the session, or since the last log entry."""

    type: Literal["toolCount", "perTranscriptToolCount"]
    condition: Counts


class Lifecycle(Part):
    """The effort is loading, dehydrating, active or finished, or there is none."""

    type: Literal["lifecycle"]
    condition: LifecycleNamed


class PhaseIs(Part):
    """The effort's phase."""

    type: Literal["phase"]
    condition: PhaseNamed


class Discovery(Part):
    """Texts or files are queued for the session, or were found in it."""

    type: Literal["discovery"]
    condition: Found


class Matching(Part):
    """The short form: a glob, as it is, for the phase's title or the effort's lifecycle."""

    type: Literal["phase", "lifecycle"]
    matches: str


class _Typed(Part):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    type: Literal[
        "contextThreshold",
        "lifecycle",
        "phase",
        "toolCount",
        "perTranscriptToolCount",
        "discovery",
    ]


_RICH: Mapping[str, type[Part]] = {
    "contextThreshold": ContextThreshold,
    "lifecycle": Lifecycle,
    "phase": PhaseIs,
    "toolCount": ToolCount,
    "perTranscriptToolCount": ToolCount,
    "discovery": Discovery,
}


def _of_its_type(value: Any) -> Any:
    # The errors of a union would name every type.
    if isinstance(value, Part):
        return value
    kind = _Typed.model_validate(value).type
    short = kind in ("phase", "lifecycle") and "condition" not in value
    return (Matching if short else _RICH[kind]).model_validate(value)


Trigger = Annotated[
    ContextThreshold | Lifecycle | PhaseIs | ToolCount | Discovery | Matching,
    BeforeValidator(_of_its_type),
]
