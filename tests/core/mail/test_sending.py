"""Sending a mail: limits of text, time and traffic."""

from dataclasses import replace
from datetime import timedelta

import pytest

from hookd.config.models import ContextOptions, MailOptions, Settings
from hookd.core.mail.senders import Sender
from hookd.core.mail.sending import (
    MAX_HELD,
    Draft,
    checked_text,
    expiry,
    frame_bytes,
    from_hookd,
    send,
)
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts, Session, iso
from hookd.core.model.mail import MAX_TEXT_BYTES, Mail, OpenAgent
from hookd.core.model.mail_requests import MailById, MailTraffic, OpenAgents

ANN = Sender("agent", "ann", Session(1, "conv-ann", owner="ann", project_id=1), "session 1")
BEN = OpenAgent(2, "conv-ben", "ben", "codex", "/work", "/work", "/work/t")
CID = OpenAgent(3, "conv-cid", "cid", "codex", "/work", "/work", None)
OWN = OpenAgent(1, "conv-ann", "ann", "codex", "/work", "/work", None)
NOW = Facts().now


def facts(**counts: int) -> Facts:
    since = iso(NOW - timedelta(hours=1))
    known = Facts(settings=Settings(mail=MailOptions(per_hour_and_pair=3)))
    traffic = tuple((f"conv-{name}", count) for name, count in counts.items())
    return replace(
        known,
        resolved={
            OpenAgents(): (OWN, BEN, CID),
            MailTraffic("conv-ann", "ann", since): traffic,
            MailTraffic(None, "script", since): traffic,
        },
    )


def test_a_mail_has_all_that_its_recipient_and_a_person_need() -> None:
    address, mail = send(Draft(" x\n", "ben", priority="high", expires_s=60), ANN, facts())
    assert address.windows == (BEN,)
    assert (mail.sender, mail.sender_kind, mail.origin) == ("ann", "agent", "session 1")
    assert (mail.sender_session_id, mail.sender_conversation) == (1, "conv-ann")
    assert (mail.recipient, mail.conversations, mail.project_id) == ("ben", ("conv-ben",), 1)
    assert (mail.text, mail.priority, mail.held) == (" x", "high", "")
    assert mail.expires_at == iso(NOW + timedelta(minutes=1))


@pytest.mark.parametrize(
    ("to", "counts", "held"),
    [
        ("ben", {"ben": 2}, ""),
        ("ben", {"cid": 9}, ""),
        ("ben", {"ben": 3}, "ann and ben have exchanged 3 mails in an hour"),
        ("@all", {"ben": 1, "cid": 4}, "ann and cid have exchanged 4 mails in an hour"),
    ],
)
def test_agents_that_exchange_much_mail_wait_for_a_person(
    to: str, counts: dict[str, int], held: str
) -> None:
    assert send(Draft("x", to), ANN, facts(**counts))[1].held == held


def test_a_loop_of_agents_holds_so_many_mails_and_refuses_the_rest() -> None:
    assert send(Draft("x", "ben"), ANN, facts(ben=3 + MAX_HELD - 1))[1].held
    with pytest.raises(DomainError) as raised:
        send(Draft("x", "ben"), ANN, facts(ben=3 + MAX_HELD))
    assert raised.value.code == "MAIL_REFUSED"
    assert "ann and ben have exchanged 23 mails in an hour" in str(raised.value)


def test_an_agent_without_a_session_answers_no_mail() -> None:
    known = facts()
    nobody = Sender("agent", "an agent without a session")
    person = replace(mail("conv-ben"), sender_kind="person", sender_conversation=None)
    for one in (mail("conv-cid"), person, mail(task="/work/t")):
        with pytest.raises(DomainError) as raised:
            stored = {**known.resolved, MailById(5): one}
            send(Draft("x", reply_to=5), nobody, replace(known, resolved=stored))
        assert str(raised.value) == "mail 5 is not addressed to you"


def test_a_person_and_a_script_are_not_held() -> None:
    for sender in (Sender("person", "person"), Sender("script", "script")):
        known = replace(facts(ben=99), project=None, settings=Settings(
            mail=MailOptions(across_projects=True, per_hour_and_pair=1)
        ))  # fmt: skip
        assert send(Draft("x", "ben"), sender, known)[1].held == ""


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b", "é" * 8_193])
def test_a_text_that_is_empty_or_too_long_is_refused(text: str) -> None:
    with pytest.raises(DomainError) as raised:
        checked_text(text)
    assert raised.value.code == "MAIL_REFUSED"


def test_a_text_of_the_greatest_length_is_sent() -> None:
    assert checked_text("é" * 8_192) == "é" * 8_192
    assert len("é".encode()) * 8_192 == MAX_TEXT_BYTES


@pytest.mark.parametrize(
    ("seconds", "fine"), [(59, False), (60, True), (30 * 86_400, True), (30 * 86_400 + 1, False)]
)
def test_mail_expires_in_time(seconds: int, fine: bool) -> None:
    if fine:
        assert expiry(seconds, Facts()) == iso(NOW + timedelta(seconds=seconds))
        return
    with pytest.raises(DomainError):
        expiry(seconds, Facts())


def mail(*conversations: str, task: str | None = None) -> Mail:
    return Mail(5, 4, "ben", "agent", "conv-ben", "agent", "x", conversations, "waiting", 1, task)


def test_only_who_got_a_mail_answers_it() -> None:
    known = facts()
    mine = replace(known, resolved={**known.resolved, MailById(5): mail("conv-ann")})
    assert send(Draft("x", reply_to=5), ANN, mine)[1].reply_to == 5
    other = replace(known, resolved={**known.resolved, MailById(5): mail("conv-cid")})
    with pytest.raises(DomainError) as raised:
        send(Draft("x", reply_to=5), ANN, other)
    assert str(raised.value) == "mail 5 is not addressed to you"
    none = replace(known, resolved={**known.resolved, MailById(5): None})
    with pytest.raises(DomainError) as raised:
        send(Draft("x", reply_to=5), ANN, none)
    assert raised.value.code == "NOT_FOUND"


def test_a_small_budget_leaves_less_for_a_frame() -> None:
    assert frame_bytes(Settings()) == 2_000
    assert frame_bytes(Settings(context=ContextOptions(budget=1_000))) == 900


def test_hookd_writes_to_a_conversation_or_to_the_person() -> None:
    told = from_hookd("Done.", "conv-ben", "ben", NOW, Settings())
    assert (told.sender, told.conversations, told.to_kind) == ("hookd", ("conv-ben",), "agent")
    person = from_hookd("Done.", None, "ben", NOW, Settings())
    assert (person.conversations, person.to_kind, person.recipient) == ((), "person", "@person")
