"""Delivery of mail beside that of injections: to the next window, and to whom joins a task."""

from hookd.core.model.effects.mail import MoveMail, QueueTaskMail
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Session


def mail_of_task(facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that queues mail to the task of a window, if there may be any."""
    session, effort = facts.session, facts.effort
    if not facts.any_task_mail or session is None or session.agent_id:
        return ()
    if effort is None or not effort.active or (facts.by_project and session.effort_id != effort.id):
        return ()
    return (QueueTaskMail(session.id, effort.task_dir, facts.settings.mail.across_projects),)


def move_mail(before: Session | None, session: Session | None) -> tuple[Effect, ...]:
    """Return the effect that moves mail to the window that continues a conversation.

    A new conversation of the same agent does not get it.
    """
    if before is None or session is None or session.agent_id or before.id == session.id:
        return ()
    if before.agent_id or before.claude_session_id != session.claude_session_id:
        return ()
    return (MoveMail(before.id, session.id),)
