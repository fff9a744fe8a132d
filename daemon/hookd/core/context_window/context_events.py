"""Context usage from events: the tokens in the window at a start, a model switch and a stop."""

from dataclasses import replace

from hookd.core.model.effects.sessions import SetContextUsage, SetModel
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Session
from hookd.events.context_usage import ESTIMATED_SOURCES, share
from hookd.events.model import ModelSwitch, SessionStart, Stop, SubagentStop


def session_started(
    event: SessionStart, before: Session | None, facts: Facts
) -> tuple[Facts, tuple[Effect, ...]]:
    """Return the facts of a new session with the usage in its event, and the effects.

    A continued conversation keeps its model if the event names none.
    """
    session = facts.session
    if session is None:
        return facts, ()
    same = before is not None and before.claude_session_id == event.session_id
    model = event.model or (before.model if before and same else None)
    known = replace(facts, session=replace(session, model=model))
    facts, effects = _with_usage(event.context_tokens, known)
    carried = () if event.model or model is None else (SetModel(session.id, model),)
    return facts, (*carried, *effects)


def before_switch(event: ModelSwitch, facts: Facts) -> tuple[Facts, tuple[Effect, ...]]:
    """Return the usage before a model switch; the window is still the old model's."""
    session = facts.session
    if session is None:
        return facts, ()
    model = session.model or event.from_model or None
    return _with_usage(event.context_tokens, replace(facts, session=replace(session, model=model)))


def after_switch(event: ModelSwitch, facts: Facts) -> tuple[Facts, tuple[Effect, ...]]:
    """Return the facts with the new model; the reported window size was the old model's."""
    session = facts.session
    if session is None or not event.to_model:
        return facts, ()
    new = replace(session, model=event.to_model)
    if event.to_model != (event.from_model or session.model):
        new = replace(new, window_tokens=None, context_source=None)
    facts, effects = _with_usage(event.context_tokens, replace(facts, session=new))
    return facts, (SetModel(session.id, event.to_model), *effects)


def usage_after_switch(event: ModelSwitch, facts: Facts) -> float | None:
    """Return the used share of the new model's window; None if unknown."""
    tokens = event.context_tokens
    if tokens is None or not event.to_model:
        return None
    return share(tokens, event.to_model, chosen=facts.settings.context.window)


def usage_at_stop(event: Stop | SubagentStop, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that stores the usage of a window whose size the client reports."""
    tokens, window, session = event.context_tokens, event.context_window, facts.session
    if session is None or tokens is None or not window:
        return ()
    if session.context_source not in ESTIMATED_SOURCES:
        return ()
    usage = share(tokens, session.model, told=window, chosen=facts.settings.context.window)
    return (SetContextUsage(session.id, usage, "event", window=window),)


def _with_usage(tokens: int | None, facts: Facts) -> tuple[Facts, tuple[Effect, ...]]:
    """Return the facts and effects with the usage, unless an exact one was reported."""
    session = facts.session
    if session is None or tokens is None or session.context_source not in ESTIMATED_SOURCES:
        return facts, ()
    chosen = facts.settings.context.window
    usage = share(tokens, session.model, told=session.window_tokens, chosen=chosen)
    known = replace(session, context_usage=usage, context_source="event")
    return replace(facts, session=known), (SetContextUsage(session.id, usage, "event"),)
