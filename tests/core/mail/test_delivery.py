"""Mail goes to the next window of a conversation, and to whom joins a task; to no one else."""

from dataclasses import replace

import pytest

from hookd.config.models import MailOptions, Settings
from hookd.core.mail.delivery import mail_of_task, move_mail
from hookd.core.model.effects.mail import MoveMail, QueueTaskMail
from hookd.core.model.facts import Effort, Facts, Session

ONE, NEXT = Session(1, "a"), Session(2, "a")
EFFORT = Effort(3, "/w/t", "build")


@pytest.mark.parametrize(
    ("before", "session", "moves"),
    [
        (ONE, NEXT, True),
        (ONE, replace(NEXT, claude_session_id="b"), False),
        (None, NEXT, False),
        (ONE, None, False),
        (ONE, ONE, False),
        (ONE, replace(NEXT, agent_id="sub"), False),
        (replace(ONE, agent_id="sub"), NEXT, False),
    ],
)
def test_mail_moves_within_a_conversation(
    before: Session | None, session: Session | None, moves: bool
) -> None:
    assert move_mail(before, session) == ((MoveMail(1, 2),) if moves else ())


JOINED = Facts(any_task_mail=True, session=replace(ONE, effort_id=3), effort=EFFORT)


@pytest.mark.parametrize(
    ("facts", "queued"),
    [
        (JOINED, True),
        (replace(JOINED, any_task_mail=False), False),
        (replace(JOINED, session=None), False),
        (replace(JOINED, session=replace(ONE, agent_id="sub")), False),
        (replace(JOINED, effort=None), False),
        (replace(JOINED, effort=replace(EFFORT, lifecycle="finished")), False),
        (replace(JOINED, by_project=True), True),
        (replace(JOINED, by_project=True, session=ONE), False),
    ],
)
def test_a_window_gets_the_mail_of_its_task(facts: Facts, queued: bool) -> None:
    assert mail_of_task(facts) == ((QueueTaskMail(1, "/w/t"),) if queued else ())


def test_the_setting_lets_mail_of_other_projects_in() -> None:
    far = replace(JOINED, settings=Settings(mail=MailOptions(across_projects=True)))
    assert mail_of_task(far) == (QueueTaskMail(1, "/w/t", across_projects=True),)
