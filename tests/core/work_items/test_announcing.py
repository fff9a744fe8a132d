"""Mail of hookd about work items: one to each conversation that waits, and who writes it."""

from hookd.config.models import Settings
from hookd.core.model.effects.after_commit import AnnounceMail
from hookd.core.model.effects.mail import SendMail
from hookd.core.model.facts import Facts, Session
from hookd.core.model.identity import Identity
from hookd.core.model.work_requests import WorkListeners
from hookd.core.work_items.announcing import announced, mail_about
from hookd.core.work_items.model import Listener, WorkItem
from support.database_rows import NOW

LEAD, ADA = Listener("lead", "lead"), Listener("a", "ada")


def test_each_listener_gets_a_mail_of_hookd_and_mail_is_announced_once() -> None:
    *mails, last = announced("Done.", (LEAD, ADA), NOW, Settings(), author=4)
    assert [(one.sender_kind, one.recipient, one.conversations) for one in mails] == [
        ("hookd", "lead", ("lead",)),
        ("hookd", "ada", ("a",)),
    ]
    assert {one.sender_session_id for one in mails} == {4}, "forgetting the session deletes it"
    assert isinstance(last, AnnounceMail)
    assert announced("Done.", (), NOW, Settings()) == ()


def test_the_caller_gets_no_mail_about_what_it_does() -> None:
    item = WorkItem(3, "Parse", agent="ada")
    facts = Facts(session=Session(4, "a"), identity=Identity(), now=NOW, settings=Settings())
    facts = facts.with_facts({WorkListeners(3, "ada"): (LEAD, ADA)})
    mails = [one for one in mail_about(item, "Done.", facts) if isinstance(one, SendMail)]
    assert [one.recipient for one in mails] == ["lead"]
