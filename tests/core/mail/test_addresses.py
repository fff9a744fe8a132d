"""Addresses of mail: what each means for a sender, and what an error says."""

from dataclasses import replace

import pytest

from hookd.config.models import MailOptions, Settings
from hookd.core.mail.addresses import answer_to, resolve
from hookd.core.mail.senders import Sender
from hookd.core.model.claim import FilePlace
from hookd.core.model.claim_requests import PlaceOfFile
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import TaskByDir
from hookd.core.model.facts import Facts, Project, Session, Task
from hookd.core.model.identity import Identity
from hookd.core.model.mail import Mail, OpenAgent
from hookd.core.model.mail_requests import OpenAgents

AGENTS = (
    OpenAgent(1, "conv-ann", "ann", "claude-code", "/work", "/work", "/work/t"),
    OpenAgent(2, "conv-ben", "Ben", "codex", "/work", "/work", "/work/t"),
    OpenAgent(3, "conv-plain", None, "gemini", "/work", "/work", None),
    OpenAgent(4, "conv-far", "far", None, "/far", "/far", "/work/t"),
)
ANN = Sender("agent", "ann", Session(1, "conv-ann", owner="ann", project_id=1))
PERSON = Sender("person", "person")
SCRIPT = Sender("script", "script")


def facts(*, across: bool = False) -> Facts:
    return Facts(
        identity=Identity(cwd="/work"),
        project=Project(1, "/work"),
        settings=Settings(mail=MailOptions(across_projects=across)),
        resolved={
            OpenAgents(): AGENTS,
            PlaceOfFile("/work"): None,
            TaskByDir("/work/t"): Task(known=True),
            TaskByDir("/no"): Task(),
        },
    )


@pytest.mark.parametrize(
    ("to", "sender", "kind", "shown", "conversations"),
    [
        ("Ben", ANN, "agent", "Ben", ("conv-ben",)),
        ("ben", ANN, "agent", "Ben", ("conv-ben",)),
        ("3", ANN, "session", "session 3", ("conv-plain",)),
        ("session 3", ANN, "session", "session 3", ("conv-plain",)),
        ("#2", ANN, "agent", "Ben", ("conv-ben",)),
        ("conv-plain", ANN, "session", "session 3", ("conv-plain",)),
        ("conv-pla", ANN, "session", "session 3", ("conv-plain",)),
        ("far", PERSON, "agent", "far", ("conv-far",)),
        ("@all", ANN, "all", "@all", ("conv-ben", "conv-plain")),
        ("@all", SCRIPT, "all", "@all", ("conv-ann", "conv-ben", "conv-plain")),
        ("@task", ANN, "task", "@task /work/t", ("conv-ben",)),
        (
            "@task:/work/x/../t",
            PERSON,
            "task",
            "@task /work/t",
            ("conv-ann", "conv-ben", "conv-far"),
        ),
        ("@task:t", PERSON, "task", "@task /work/t", ("conv-ann", "conv-ben", "conv-far")),
        ("@person", ANN, "person", "@person", ()),
    ],
)
def test_an_address_means(
    to: str, sender: Sender, kind: str, shown: str, conversations: tuple[str, ...]
) -> None:
    address = resolve(to, sender, facts())
    assert (address.kind, address.shown, address.conversations) == (kind, shown, conversations)


def test_other_projects_are_reached_where_the_setting_says_so() -> None:
    assert resolve("far", ANN, facts(across=True)).conversations == ("conv-far",)
    assert "conv-far" not in resolve("@all", ANN, facts(across=True)).conversations


@pytest.mark.parametrize("sender", [ANN, SCRIPT], ids=["an agent", "a script in a worktree"])
def test_the_worktrees_of_a_repository_are_one_project(sender: Sender) -> None:
    tree = OpenAgent(5, "conv-tree", "eve", "claude-code", "/work", "/work-tree", None)
    known = facts()
    place = FilePlace("/work-tree", "/work", "", "folder")
    known = replace(
        known,
        project=Project(7, "/work-tree", "/work-tree"),
        resolved={
            **known.resolved,
            OpenAgents(): (*AGENTS, tree),
            PlaceOfFile("/work-tree"): place,
        },
    )
    assert resolve("eve", sender, known).conversations == ("conv-tree",)
    assert resolve("@all", sender, known).conversations[-3:] == (
        "conv-ben",
        "conv-plain",
        "conv-tree",
    )
    with pytest.raises(DomainError):
        resolve("far", sender, known)


@pytest.mark.parametrize(
    ("to", "sender", "code", "says"),
    [
        (
            "cid",
            ANN,
            "NO_RECIPIENT",
            "no open session is cid; there is Ben (codex, session 2), gemini",
        ),
        ("conv-", ANN, "NO_RECIPIENT", "no open session is conv-"),
        ("ann", ANN, "NO_RECIPIENT", "you are ann yourself"),
        ("1", ANN, "NO_RECIPIENT", "you are 1 yourself"),
        ("99", ANN, "NO_RECIPIENT", "no open session is 99"),
        ("@one", ANN, "NO_RECIPIENT", "there is no address @one"),
        ("far", ANN, "MAIL_REFUSED", "the agent far works in /far"),
        ("far", SCRIPT, "MAIL_REFUSED", "the agent far works in /far"),
        ("@task:/no", ANN, "NOT_FOUND", "there is no task /no"),
        ("@task", PERSON, "NO_ACTIVE_EFFORT", "@task is no task"),
    ],
)
def test_what_is_no_address_is_named_with_who_is_there(
    to: str, sender: Sender, code: str, says: str
) -> None:
    with pytest.raises(DomainError) as raised:
        resolve(to, sender, facts())
    assert raised.value.code == code
    assert says in str(raised.value)


def test_all_of_an_empty_project_is_an_error() -> None:
    alone = Facts(project=Project(1, "/work"), resolved={OpenAgents(): AGENTS[:1]})
    with pytest.raises(DomainError) as raised:
        resolve("@all", ANN, alone)
    assert (
        str(raised.value) == "no other session is open in this project; there is no other session"
    )


def mail(kind: str, conversation: str | None, sender: str = "x") -> Mail:
    return Mail(5, 5, sender, kind, conversation, "agent", "y", ("conv-ann",), "waiting")


def test_an_answer_goes_to_the_window_that_its_sender_has_now() -> None:
    known = facts()
    assert answer_to(mail("agent", "conv-ben"), ANN, known).conversations == ("conv-ben",)
    assert answer_to(mail("agent", "conv-far"), ANN, known).conversations == ("conv-far",)
    assert answer_to(mail("person", None), ANN, known).kind == "person"
    assert answer_to(mail("script", None), ANN, known).kind == "person"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (mail("hookd", None), "MAIL_REFUSED"),
        (mail("agent", "conv-ann"), "MAIL_REFUSED"),
        (mail("agent", "conv-gone"), "NO_RECIPIENT"),
        (mail("agent", None), "NO_RECIPIENT"),
    ],
)
def test_some_mail_has_no_answer(given: Mail, code: str) -> None:
    with pytest.raises(DomainError) as raised:
        answer_to(given, ANN, facts())
    assert raised.value.code == code
