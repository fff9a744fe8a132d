"""Texts of one answer: signed with the event's number, and cut to what the client takes."""

from dataclasses import field
from typing import Literal

from hookd.core.evaluation.texts import with_event_id
from hookd.core.model.verdict import Outcome
from hookd.events.protocol import CUT, MAX_TEXT_UNITS, utf16_length
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True)
class AnswerTexts:
    """The texts of the answer to an event.

    `number` is the event's, by which a person can look up the decision; 0: it is not stored.
    `spill` is the file that will contain texts that are cut, "" if there is none. `most` is how
    many UTF-16 units the client takes per text, or bytes of UTF-8 if it counts these.
    """

    number: int
    spill: str = ""
    most: int = MAX_TEXT_UNITS
    counted: Literal["utf-16-le", "utf-8"] = "utf-16-le"
    _cut: dict[str, None] = field(default_factory=dict)

    @property
    def overflow(self) -> str | None:
        """The whole of the texts that were cut, None if all fit."""
        return "\n\n".join(self._cut) or None

    def cut(self, text: str, room: int | None = None) -> str:
        """Return a text in at most `room` units, never cut inside a character.

        The mark at the cut names the file of the whole text.
        """
        room = self.most if room is None else room
        if self._length(text) <= room:
            return text
        self._cut[text] = None
        mark = f"\n[cut by hookd: the whole text is in {self.spill}]"
        if not self.spill or self._length(mark) > room // 2:
            mark = CUT
        width = 1 if self.counted == "utf-8" else 2
        head = text.encode(self.counted, "replace")[: (room - self._length(mark)) * width]
        return head.decode(self.counted, "ignore") + mark

    def reason(self, outcome: Outcome) -> str:
        """Return the reason of a verdict, signed; if the call is allowable, with the command."""
        return self._signed(outcome.reason, allowable=outcome.allowable)

    def stop_reason(self, outcome: Outcome) -> str:
        """Return the reason for the end of a turn, signed."""
        return self._signed(outcome.stop_reason, allowable=False)

    def _signed(self, text: str, *, allowable: bool) -> str:
        sign = with_event_id("", self.number, allowable=allowable)
        fitting = self.cut(text, self.most - len(sign))
        return with_event_id(fitting, self.number, allowable=allowable).lstrip()

    def _length(self, text: str) -> int:
        if self.counted == "utf-16-le" or text.isascii():
            return utf16_length(text)
        return len(text.encode(self.counted, "replace"))
