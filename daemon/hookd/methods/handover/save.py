"""Save a window's handover for the next one: the state of the work and the next steps.

The window that continues the effort receives it, or the next window after this one; see
hooks.sessionStart. A later handover replaces an earlier one. Until the next window begins, or a log
entry is written, the effort is handing over, and its calls are not counted. With `restart` the
client is restarted at once, if `hookd run` started it.
"""

from typing import Any

from hookd.core.context_window.handover import MAX_FILES, parse_handover, restart_prompt
from hookd.core.model.effects.after_commit import AskRestart
from hookd.core.model.effects.efforts import SetMetadata
from hookd.core.model.effects.sessions import SaveHandover
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import RunOfSession, WindowsOfAgent
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`payload` is the handover; `sessionId` the row of the window, else it is the caller's own."""

    payload: dict[str, Any]
    session_id: RowId | None = None
    restart: bool = False


class Result(Wire):
    """The window that wrote it; `dropped` are required files beyond the eighth.

    `restarting`: a supervisor was asked to restart the client.
    """

    session_id: int
    effort_id: int | None
    dropped: list[str]
    replaced: bool
    restarting: bool = False


def where(params: Params, identity: Identity) -> Where:
    """Find the window that is named, else the caller's, else those of its effort."""
    own = identity.claude_session_id if params.session_id is None else None
    return Where(identity, own, session_id=params.session_id, cwd=identity.cwd)


def decide(params: Params, facts: Facts) -> Change:
    """Validate and save it. INVALID_HANDOVER names the field, NOT_FOUND: no window is known."""
    payload = parse_handover(params.payload)
    session = facts.session.id if facts.session else None
    if session is None and params.session_id is None:
        session = _here(facts)
    if session is None and params.session_id is not None:
        raise DomainError("NOT_FOUND", f"there is no session {params.session_id}")
    if session is None:
        raise DomainError("NOT_FOUND", "no session is open here that could leave a handover")
    files = list(dict.fromkeys(payload.required_files))
    kept = payload.model_copy(update={"required_files": files[:MAX_FILES]})
    effects: tuple[Effect, ...] = (SaveHandover(session, kept.model_dump_json(by_alias=True)),)
    effort = facts.effort
    if effort is not None and effort.active:
        effects += (SetMetadata(effort.id, {**effort.metadata, "dehydrating": True}),)
    run = facts.require(RunOfSession(session)) if params.restart and facts.identity.runs else None
    if run not in facts.identity.runs:
        run = None
    if run is not None:
        reason = "it has handed over to the next window"
        effects += (AskRestart(run, restart_prompt(effort), reason),)
    result = Result(
        session_id=session,
        effort_id=effort.id if effort else None,
        dropped=files[MAX_FILES:],
        replaced=bool(facts.session and facts.session.handover),
        restarting=run is not None,
    )
    return Change(result, effects)


def _here(facts: Facts) -> int | None:
    """Return the window of a caller outside any session: the last of its effort, or here."""
    project = facts.project.id if facts.project else None
    here = (
        facts.effort_windows or facts.require(WindowsOfAgent(project, facts.identity.agent)) or ()
    )
    return here[-1] if here else None


METHOD = ChangeMethod(
    "handover.save",
    Params,
    Result,
    where,
    decide,
    (
        Example(
            {
                "payload": {
                    "summary": "GET /orders takes page and size.",
                    "lastAction": "Wrote the test of the last page.",
                    "nextSteps": ["Document both parameters."],
                    "requiredFiles": ["docs/api.md"],
                }
            },
            says="NOT_FOUND",
        ),
    ),
)
