"""Model of one agent: it answers a client's requests by its script, and notes each mail frame."""

import html
import re
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from clients.mock import Api, Mock
from clients.models.turn import Turn
from together.record import Arrival, now

FRAME = re.compile(
    r"\[hookd:mail\] Message (\d+) from agent \S+ \([^\n]*\n"
    r"> (\S+)[^\n]*\n(?:>[^\n]*\n)*END \w+"
)
"""A frame: the mail's number, and the token that its text begins with."""
PROGRESS = '{"unproductive_state_confidence": 0, "unproductive_state_analysis": "progress"}'
"""Answer to Gemini's question whether the model repeats itself; any other takes it as a title."""
Script = Generator[Turn, str, None]


@dataclass
class Model(Mock):
    """A model whose turns a generator yields; it gets the text of the last request for each."""

    agent: str = ""
    script_of: Callable[[], Script] | None = None
    arrivals: list[Arrival] = field(default_factory=list)
    pace_s: float = 0.3
    answered: int = 0
    context: str = ""
    _running: Script | None = None
    _counts: Counter[tuple[int, str]] = field(default_factory=Counter)
    _last: tuple[int, int, Turn] | None = None
    _never: Event = field(default_factory=Event)

    def answer(self, api: Api, body: dict[str, Any]) -> Turn:
        """Note what has arrived, and return the next turn; a repeated request gets the same."""
        if self._kind(api, body) != "main":
            return Turn((PROGRESS,))
        text = html.unescape(api.text(body))  # Gemini and Qwen escape what hooks add
        with self._lock:
            mark = (len(text), hash(text))
            if self._last and self._last[:2] == mark:
                return self._last[2]
            self._note(text)
            self.context = text
            turn = self._turn(text)
            self._last = (*mark, turn)
            self.answered += 1
        self._never.wait(self.pace_s)  # a model thinks
        return turn

    def _turn(self, text: str) -> Turn:
        if self._running is None:
            assert self.script_of
            self._running = self.script_of()
            return next(self._running)
        return self._running.send(text)

    def _note(self, text: str) -> None:
        """Note each frame by which the context has grown since the request before."""
        found = [(int(number), token) for number, token in FRAME.findall(text)]
        counts = Counter(found)
        seen: Counter[tuple[int, str]] = Counter()
        for key in found:
            seen[key] += 1
            if seen[key] > self._counts[key]:
                self.arrivals.append(Arrival(self.agent, *key, now()))
        self._counts = counts
