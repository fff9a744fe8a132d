"""What becomes of a mail whose time is over."""

from dataclasses import replace

import pytest

from hookd.config.models import Settings
from hookd.core.mail.expiry import ended, sentence
from hookd.core.model.effects.mail import ExpireMail, SendMail, SettleMail
from hookd.core.model.facts import Facts
from hookd.core.model.mail import OverdueMail

MAIL = OverdueMail(5, "ann", "agent", "conv-ann", "ben", "waiting", 2, 1)


@pytest.mark.parametrize(
    ("mail", "kinds", "to"),
    [
        (MAIL, [ExpireMail, SendMail], ("conv-ann",)),
        (replace(MAIL, delivered=2), [SettleMail], None),
        (replace(MAIL, state="held", delivered=2), [ExpireMail, SendMail], ("conv-ann",)),
        (replace(MAIL, recipients=0, delivered=0), [ExpireMail, SendMail], ("conv-ann",)),
        (replace(MAIL, sender_kind="hookd"), [ExpireMail], None),
        (replace(MAIL, sender_conversation=None), [ExpireMail], None),
        (
            replace(MAIL, sender_kind="person", sender_conversation=None),
            [ExpireMail, SendMail],
            (),
        ),
    ],
)
def test_the_sender_of_undelivered_mail_reads_so(
    mail: OverdueMail, kinds: list[type], to: tuple[str, ...] | None
) -> None:
    effects = ended(mail, Facts().now, Settings())
    assert [type(one) for one in effects[:2]] == kinds
    told = [one for one in effects if isinstance(one, SendMail)]
    assert [one.conversations for one in told] == ([] if to is None else [to])


def test_the_sentence_says_how_far_it_came() -> None:
    assert sentence(MAIL) == "Mail 5 to ben has expired: 1 of 2 sessions have got it"
    assert sentence(replace(MAIL, delivered=0)).endswith("it was not delivered")
    assert sentence(replace(MAIL, state="held")).endswith("it was held, and no person decided")
