"""When a sender reads the call that wakes a recipient, and what the call says."""

from dataclasses import replace

import pytest

from hookd.config.models import MailOptions, Settings
from hookd.core.mail.addresses import Address
from hookd.core.mail.client_messages import WakeCall, recipient, wake_calls
from hookd.core.mail.senders import Sender
from hookd.core.model.effects.mail import SendMail
from hookd.core.model.facts import Facts, Session
from hookd.core.model.mail import OpenAgent
from hookd.core.model.mail_requests import OpenAgents


def window(number: int, name: str | None) -> OpenAgent:
    return OpenAgent(
        number, f"conv-{number}", name, "claude-code", "/work", "/work", None,
        status="idle", version="2.1.224", inbox=f"/run/{number}.sock",
    )  # fmt: skip


ANN, BEN, CID = window(1, "ann"), window(2, "ben"), window(3, None)
SENDER = Sender("agent", "ann", Session(1, "conv-1", owner="ann"))
MAIL = SendMail("ann", "agent", "agent", "ben", "Done.", ("conv-2",))
KEYS = Settings(mail=MailOptions(tmux_keys=True))


def calls(
    *to: OpenAgent,
    mail: SendMail = MAIL,
    sender: Sender = SENDER,
    own: OpenAgent = ANN,
    settings: Settings | None = None,
) -> tuple[WakeCall, ...]:
    facts = Facts(settings=settings or Settings(), resolved={OpenAgents(): (own, *to)})
    return wake_calls(12, mail, Address("agent", "ben", to), sender, facts)


def test_the_call_has_the_socket_and_a_line_without_a_word_of_the_mail() -> None:
    found = [(one.agent, one.to, one.message) for one in calls(BEN, replace(CID, waiting=2))]
    assert found == [
        ("ben", "uds:/run/2.sock", "hookd: 1 message waiting (mail 12)"),
        ("session 3", "uds:/run/3.sock", "hookd: 3 messages waiting (mail 12)"),
    ]


@pytest.mark.parametrize(
    "to",
    [
        replace(BEN, status="working"),
        replace(BEN, status="attention"),
        replace(BEN, inbox=None),
        replace(BEN, version="2.1.223"),
        replace(BEN, version=None),
        replace(BEN, client="codex"),
        replace(BEN, waker_seen="2026-01-31T07:51:00.000Z"),
    ],
)
def test_a_recipient_that_works_has_no_messages_or_is_woken_by_hookd_gets_none(
    to: OpenAgent,
) -> None:
    assert calls(to) == ()


@pytest.mark.parametrize("seen", [None, "", "2026-01-30T08:00:00.000Z"])
def test_a_recipient_whose_waker_has_ended_has_a_call(seen: str | None) -> None:
    assert len(calls(replace(BEN, waker_seen=seen))) == 1


@pytest.mark.parametrize("own", [replace(ANN, inbox=None), replace(ANN, version="2.1.138")])
def test_a_sender_whose_client_has_no_messages_reads_no_call(own: OpenAgent) -> None:
    assert calls(BEN, own=own) == ()


def test_a_person_a_script_and_an_agent_without_a_session_read_no_call() -> None:
    for sender in (Sender("person", "person"), Sender("script", "script"), Sender("agent", "x")):
        assert calls(BEN, sender=sender) == ()


def test_mail_that_wakes_nobody_or_is_held_has_no_call() -> None:
    assert calls(BEN, mail=replace(MAIL, priority="low")) == ()
    assert calls(BEN, mail=replace(MAIL, held="much")) == ()


def test_keys_in_tmux_wake_where_the_setting_is_on() -> None:
    there = replace(BEN, in_tmux=True)
    assert len(calls(there)) == 1
    assert calls(there, settings=KEYS) == ()
    assert len(calls(BEN, settings=KEYS)) == 1


def test_a_mail_to_many_has_eight_calls_at_most() -> None:
    assert len(calls(*(window(number, None) for number in range(2, 30)))) == 8


@pytest.mark.parametrize(
    ("to", "name"),
    [
        ("uds:/run/2.sock", "ben"),
        ("/run/3.sock", "session 3"),
        ("uds:/run/9.sock", "uds:/run/9.sock"),
        ("ben", "ben"),
        ("", ""),
    ],
)
def test_a_message_to_a_socket_is_one_to_its_agent(to: str, name: str) -> None:
    assert recipient(to, (BEN, CID, replace(ANN, inbox=None))) == name
