"""The full-screen board: panes, keys and drawing. Pure modules decide what it shows.

Changes are collected and drawn at most every 50 ms, and only the lines that differ.
"""

import asyncio
import signal
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.worker import Worker

from hookd import __version__
from hookd.cli.board import approval_lines, chrome, dialogs, layout, theme, views
from hookd.cli.board.acts import Acts
from hookd.cli.board.filter import EXAMPLE, Filter, FilterError, parse
from hookd.cli.board.help import lines as help_lines
from hookd.cli.board.pane import Pane
from hookd.cli.board.sources import Detail, Details, Feed
from hookd.cli.board.state import BoardState, Row
from hookd.cli.board.text import Item

_FRAME_S = 0.05
_TICK_S = 1.0
_MESSAGE_S = 6.0
_SETTLE_S = 0.12
"""Seconds that the cursor rests on a row before its details are read."""

_HASTE_S = 0.6
"""Seconds for which a request cannot be answered after it came under the cursor."""

_TITLES = {
    "fleet": "sessions",
    "stream": "events",
    "detail": "details",
    "approvals": "permission requests",
}
PANES = tuple(_TITLES)

Work = Callable[[], Coroutine[Any, Any, None]]
"""What runs in the background of the board."""

_KEYS = (
    ("q,ctrl+c,ctrl+q", "quit"),
    ("tab", "pane(1)"),
    ("shift+tab", "pane(-1)"),
    ("1", "go('fleet')"),
    ("2", "go('stream')"),
    ("3", "go('detail')"),
    ("v,4", "go('approvals')"),
    ("down,j", "move('rows', 1)"),
    ("up,k", "move('rows', -1)"),
    ("pagedown,ctrl+d,space", "move('pages', 1)"),
    ("pageup,ctrl+u", "move('pages', -1)"),
    ("home,g", "move('end', 0)"),
    ("end,G", "move('end', 1)"),
    ("enter", "open"),
    ("escape", "leave"),
    ("w", "why"),
    ("t", "told"),
    ("z", "quiet"),
    ("s", "stopped"),
    ("f", "filter"),
    ("slash", "search"),
    ("n", "next(1)"),
    ("N", "next(-1)"),
    ("a", "allow"),
    ("p", "pause"),
    ("o", "folder"),
    ("y", "answer('allow')"),
    ("d", "answer('dialog')"),
    ("question_mark,h", "help"),
)
"""Keys and their actions; `help.py` describes them."""

Subject = tuple[str, str]
"""What the detail pane shows: session, told, event or approval, and its key."""


class Board(App[None]):
    """The board of one daemon; `feed` connects it, `details` reads the database."""

    CSS = theme.CSS + dialogs.CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(keys, action, show=False, priority=False) for keys, action in _KEYS
    ]

    def __init__(
        self, feed: Feed, details: Details, *, home: str = "", plain: bool = False
    ) -> None:
        super().__init__(ansi_color=True if plain else None)
        self.look = theme.PLAIN if plain else theme.COLOURED
        self.state = BoardState()
        self.feed = feed
        self.acts = Acts(self)
        self._details, self._home, self._plain = details, home, plain
        self._used, self._used_before = "fleet", "fleet"
        self._search = ""
        self._message, self._passing = "", False
        self._subject: Subject | None = None
        self._behind: list[Subject] = []
        self._detail: Detail | None = None
        self._detail_version = -1
        self._chosen_at = 0.0
        self._drawn_at = 0.0
        self._laid_out: dict[str, layout.Place] = {}
        self._delays: dict[str, Timer] = {}
        self.settle_s, self.haste_s = _SETTLE_S, _HASTE_S
        self._panes = {
            name: Pane(name, self.look, follows=name == "stream")
            for name in ("top", *PANES, "foot")
        }

    def compose(self) -> ComposeResult:
        """Return all panes; `_lay_out` says which are visible, and where."""
        yield from self._panes.values()

    def on_mount(self) -> None:
        """Begin to follow the daemon."""
        self.screen.set_class(self._plain, "plain")
        for name in ("top", "foot"):
            self._panes[name].can_focus = False
        self._panes["fleet"].focus()
        self.set_interval(_TICK_S, self._tick)
        self._begin(partial(self.feed.run, self.state, self.changed), "default")
        with suppress(NotImplementedError, RuntimeError, ValueError):  # no main thread: a test
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit)
        self.draw()

    def on_resize(self) -> None:
        """Place the panes for the new size."""
        self.draw()

    async def on_event(self, event: events.Event) -> None:
        """End a passing message before the key that follows it takes effect."""
        if isinstance(event, events.Key) and not event.is_forwarded and self._passing:
            self.say("")
        await super().on_event(event)

    def changed(self) -> None:
        """Draw soon: at once after a quiet moment, else with what else changes until then."""
        if "frame" not in self._delays:
            wait = self._drawn_at + _FRAME_S - time.monotonic()
            self._after("frame", max(wait, 0.001), self.draw)

    def say(self, message: str, *, passing: bool = False) -> None:
        """Show a message in the last line for some seconds; a passing one until the next key."""
        self._message, self._passing = message, passing
        self._after("message", _MESSAGE_S, lambda: self.say(""))
        self.draw()

    def draw(self) -> None:
        """Bring every visible pane up to date, unless the board ends: then no screen is left."""
        if not self.is_running:
            return
        self._drawn_at = time.monotonic()
        self._stop("frame")
        warnings = chrome.alerts(self.feed, __version__)
        self._lay_out(len(warnings[: chrome.MAX_ALERTS]))
        width = self.size.width
        lines = [
            chrome.top(self.state, self.feed, width),
            *chrome.alert_lines(warnings, width),
        ]
        self._panes["top"].show([Item(None, line) for line in lines], _as_is)
        for name in PANES:
            if name in self._laid_out:
                self._panes[name].show(*self._view(name))
        waiting = len(self.state.pending)
        foot = chrome.foot(
            self._used, self._message, self.state.filter.text, width, approvals=waiting
        )
        self._panes["foot"].show([Item(None, foot)], _as_is)

    def _view(self, name: str) -> views.View:
        pane, focus, now = self._panes[name], self._used == name, self.feed.now()
        place = self._laid_out[name]
        size = (place.width, place.height)
        if name == "fleet":
            return views.fleet(self.state, now, size, self._home, focus=focus)
        if name == "stream":
            return views.stream(self.state, size[0], focus=focus, follows=pane.view.at_tail)
        if name == "approvals":
            return views.approvals(self.state, now, size[0], focus=focus)
        return views.detail(self._detail, size[0], focus=focus)

    def _lay_out(self, alerts: int) -> None:
        """Place the panes, if anything that their places depend on has changed."""
        lines = len(self.state.fleet())
        wanted = layout.Wanted(self._used, alerts, len(self.state.pending), lines)
        found = layout.places(*self.size, wanted)
        if found == self._laid_out:
            return
        self._laid_out = found
        for name, pane in self._panes.items():
            pane.display = name in found
            if place := found.get(name):
                pane.styles.offset = (place.x, place.y)
                pane.styles.width, pane.styles.height = place.width, place.height

    def _tick(self) -> None:
        """Draw the ages, and read the details of a session that has changed."""
        self.draw()
        if self._subject and self._subject[0] in ("session", "told"):
            row = self._row(self._subject[1]) or {}
            newest = self.state.news.get(row.get("sessionId", 0), {}).get("id", 0)
            if newest != self._detail_version:
                self._detail_version = newest
                self._read(self._subject)

    def selected(self) -> str | None:
        """Return the key of the selected row of the pane in use."""
        return self._panes[self._used].view.key

    # The selection, and its details

    def on_pane_moved(self, message: Pane.Moved) -> None:
        """Show the details of the row under the cursor, once it rests there."""
        if message.pane.id == "approvals":
            self._chosen_at = time.monotonic()
        if message.pane.id == self._used:
            self._after("settle", self.settle_s, self._follow)

    def on_pane_opened(self, message: Pane.Opened) -> None:
        """Open the row that was clicked twice."""
        message.stop()
        self._follow()
        self.action_open()

    def on_descendant_focus(self) -> None:
        """Follow the focus, which a click moves too."""
        if not self.is_running:  # a message of a screen that has been closed
            return
        name = self.focused.id if self.focused else None
        if name in PANES and name != self._used:
            self._used_before, self._used = self._used, name
            self.draw()
            if name != "detail":
                self._after("settle", self.settle_s, self._follow)

    def _follow(self) -> None:
        """Show the details of what is selected in the pane in use."""
        self._stop("settle")
        subjects = {"fleet": "session", "stream": "event", "approvals": "approval"}
        item = self._panes[self._used].item()
        if self._used in subjects and item is not None and item.key is not None:
            self._behind.clear()
            self._look_at((subjects[self._used], item.key))

    def _look_at(self, subject: Subject) -> None:
        if subject == self._subject:
            return
        self._subject = subject
        self._panes["detail"].view.top = 0
        kind, key = subject
        if kind == "approval":
            request = self.state.pending.get(int(key))
            if request is not None:
                title = f"request {key}"
                self._detail = Detail(
                    title, "", lambda width: approval_lines.detail(request, width)
                )
            self.draw()
            return
        self._read(subject)

    def _read(self, subject: Subject) -> None:
        self._begin(partial(self._fetch, subject), "details", exclusive=True)

    async def _fetch(self, subject: Subject) -> None:
        kind, key = subject
        if kind == "event":
            found = await asyncio.to_thread(self._details.event, int(key))
        else:
            row = self._row(key)
            if row is None:
                return
            found = await asyncio.to_thread(self._details.session, row, told=kind == "told")
        if subject == self._subject:
            self._detail = found
            self.draw()

    def _row(self, agent: str) -> Row | None:
        return self.state.agents.get(agent)

    def _agent(self) -> Row | None:
        """Return the session that is selected, or that of the selected event or request."""
        if self._subject is None:
            return None
        kind, key = self._subject
        if kind in ("session", "told"):
            return self._row(key)
        rows = (
            self.state.pending.get(int(key)) if kind == "approval" else self.state.event(int(key))
        )
        number = (rows or {}).get("sessionId")
        return next((row for row in self.state.agents.values() if row["sessionId"] == number), None)

    def _event(self) -> int | None:
        """Return the number of the selected event."""
        item = self._panes[self._used].item()
        if self._used in ("stream", "detail") and item is not None and item.key is not None:
            return int(item.key)
        return int(self._subject[1]) if self._subject and self._subject[0] == "event" else None

    # Keys

    def action_pane(self, step: int) -> None:
        """Use the next pane; in a small terminal, panes that are hidden come up."""
        names = [name for name in PANES if name != "approvals" or self.state.pending]
        place = names.index(self._used) + step if self._used in names else 0
        self.action_go(names[place % len(names)])

    def action_go(self, name: str) -> None:
        """Use a pane."""
        if self._used == name:
            return
        self._message = ""
        self._used_before, self._used = self._used, name
        self.draw()
        self._panes[name].focus()
        if name == "detail" and self._subject is None:
            self._used = self._used_before
            self._follow()
            self._used = name
        if name != "detail":
            self._follow()

    def action_move(self, how: str, steps: int) -> None:
        """Move the cursor."""
        self._panes[self._used].move(how, steps)

    def action_open(self) -> None:
        """Show the details of the selected row, and use that pane."""
        if self._used == "detail":
            self.action_why()
            return
        self._follow()
        self.action_go("detail")

    def action_leave(self) -> None:
        """Go one step back: from an explanation, from the details, from a filter."""
        if self._used == "detail" and self._behind:
            self._look_at(self._behind.pop())
        elif self._used in ("detail", "approvals"):
            back = self._used_before if self._used_before not in ("detail", self._used) else "fleet"
            self.action_go(back)
        elif self.state.filter or self.state.only_stopped:
            self.state.choose(filter_=Filter(), only_stopped=False)
            self.say("The filter is cleared.", passing=True)

    def action_why(self) -> None:
        """Explain the decision on the selected event."""
        number = self._event()
        if number is None and (row := self._agent()) is not None:
            number = self.state.news.get(row["sessionId"], {}).get("id")
        if number is None:
            self.say("Select an event: its decision is explained here.")
            return
        if self._used == "detail" and self._subject and self._subject != ("event", str(number)):
            self._behind.append(self._subject)
        self._look_at(("event", str(number)))
        self.action_go("detail")

    def action_told(self) -> None:
        """Show only the texts that the model of the selected session received, or all."""
        row = self._agent()
        if row is None:
            self.say("Select a session first.")
            return
        told = self._subject is not None and self._subject[0] == "told"
        self._look_at(("session" if told else "told", str(row["agent"])))
        self.action_go("detail")

    def action_quiet(self) -> None:
        """Show idle sessions, or hide them."""
        self.state.choose(with_quiet=not self.state.with_quiet)
        shown = "shown" if self.state.with_quiet else "hidden"
        self.say(f"Idle sessions are {shown}.", passing=True)

    def action_stopped(self) -> None:
        """Show only events that were denied or asked about, or all."""
        self.state.choose(only_stopped=not self.state.only_stopped)
        self.say("")

    def action_filter(self) -> None:
        """Ask for a filter."""
        self._later(self._filter)

    def action_search(self) -> None:
        """Ask for a text to search for in the pane in use."""
        self._later(self._find)

    def action_next(self, step: int) -> None:
        """Go to the next match; in the list of requests, deny the selected one."""
        if self._used == "approvals" and step > 0:
            self.action_answer("deny")
        elif not self._search:
            self.say("Search for a text first: /")
        elif not self._panes[self._used].search(self._search, step):
            self.say(f"{self._search} is not found here.")

    def action_allow(self) -> None:
        """Allow the call of the selected event."""
        number = self._event()
        if number is None:
            self.say("Select an event that was denied or asked about.")
            return
        self._later(partial(self.acts.allow, number))

    def action_pause(self) -> None:
        """Pause all guards, or end a pause."""
        self._later(self.acts.pause)

    def action_folder(self) -> None:
        """Go to the session's tmux pane, or open its folder."""
        row = self._agent()
        if row is None:
            self.say("Select a session first.")
            return
        self._later(partial(self.acts.open_folder, row))

    def action_answer(self, answer: str) -> None:
        """Answer the selected permission request, which the detail pane shows."""
        item = self._panes["approvals"].item() if self._used == "approvals" else None
        if item is None or item.key is None:
            self.say("No permission request is selected: v goes to them.")
        elif self._subject != ("approval", item.key) or (
            time.monotonic() < self._chosen_at + self.haste_s
        ):
            self.say("Another request has just come under the cursor: read it, then answer.")
        else:
            self._later(partial(self.acts.answer, item.value, answer))

    def action_help(self) -> None:
        """Show the keys."""
        self.push_screen(dialogs.Page("keys", help_lines(), self.look))

    async def _filter(self) -> None:
        wording = dialogs.Wording(self.state.filter.text, EXAMPLE)
        said = await self.push_screen_wait(dialogs.Entry("filter", self.look, wording, _wrong))
        if said is not None:
            self.state.choose(filter_=parse(said))
            self.say("")

    async def _find(self) -> None:
        wording = dialogs.Wording(self._search)
        entry = dialogs.Entry(f"search in {_TITLES[self._used]}", self.look, wording)
        if said := await self.push_screen_wait(entry):
            self._search = said
            self.action_next(1 if self._used != "stream" else -1)

    def _later(self, work: Work) -> None:
        """Run an act that waits for a dialog or the daemon, unless another one still does."""
        if any(worker.group == "act" and not worker.is_finished for worker in self.workers):
            self.say("The last act has not ended yet.")
        else:
            self._begin(work, "act")

    def _begin(self, work: Work, group: str, *, exclusive: bool = False) -> Worker[None]:
        """Run work in the background; with `exclusive`, cancel earlier work of its group.

        The worker makes the coroutine: cancelled before its first step, it leaves none behind.
        """
        return self.run_worker(work, group=group, exclusive=exclusive)

    def _after(self, name: str, seconds: float, act: Any) -> None:
        """Do something later, and no earlier wish of that name."""
        self._stop(name)
        if seconds > 0:
            self._delays[name] = self.set_timer(seconds, act)
        else:
            act()

    def _stop(self, name: str) -> None:
        if (timer := self._delays.pop(name, None)) is not None:
            timer.stop()


def _as_is(item: Item, _width: int) -> Any:
    return item.value


def _wrong(text: str) -> str:
    """Return what is wrong with a filter, "" if it can be used."""
    try:
        parse(text)
    except FilterError as error:
        return str(error)
    return ""
