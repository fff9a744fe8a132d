"""Acts of a person on the board: allow a call, pause the guards, answer a request, open a folder.

The daemon checks who asks. Its refusals are shown in its words.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from hookd import paths
from hookd.cli.board import tmux_window
from hookd.cli.board.dialogs import Choice, Chosen, Entry, Question, Wording
from hookd.cli.board.sources import CallError
from hookd.cli.board.state import ASKED, DENIED, Row
from hookd.cli.board.text import Line, Span, clock, safe, wrapped
from hookd.display.amounts import local_time

if TYPE_CHECKING:
    from hookd.cli.board.app import Board

_SPANS = {
    "10 minutes": timedelta(minutes=10),
    "30 minutes": timedelta(minutes=30),
    "1 hour": timedelta(hours=1),
    "2 hours": timedelta(hours=2),
    "8 hours": timedelta(hours=8),
    "1 day": timedelta(days=1),
    "7 days": timedelta(days=7),
}
_PAUSES = ("10 minutes", "30 minutes", "1 hour", "2 hours", "8 hours")
_ALLOWS = ("10 minutes", "1 hour", "1 day", "7 days")
_ALWAYS = "until removed"
_HERE, _PROJECT = "this folder", "all of its project"


class Acts:
    """The acts; each asks for a confirmation that shows its scope, and reports its result."""

    def __init__(self, board: "Board") -> None:
        self._board = board

    async def allow(self, number: int) -> None:
        """Let the call of a denied event pass from now on, after a confirmation."""
        previews: dict[str, Any] = {}
        try:
            previews[_HERE] = await self._preview(number, "call")
        except CallError as error:
            self._board.say(f"Not allowed: {error}")
            return
        with suppress(CallError):  # its project is not recorded: only the folder can be chosen
            previews[_PROJECT] = await self._preview(number, "project")
        choices = (
            Choice("d", "how long", (*_ALLOWS, _ALWAYS)),
            Choice("s", "where", tuple(previews)),
        )

        def lines(chosen: Chosen, width: int) -> Sequence[Line]:
            return _allowed(number, previews[chosen["where"]], width)

        chosen = await self._ask("Allow this call", lines, "allows it", choices)
        if chosen is None:
            self._board.say("Nothing was allowed.")
            return
        params: dict[str, Any] = {"eventId": number}
        params["scope"] = "project" if chosen["where"] == _PROJECT else "call"
        if chosen["how long"] != _ALWAYS:
            params["until"] = self._until(chosen["how long"])
        if await self._call("allowances.add", params) is not None:
            self._board.say(f"Allowed. To undo it: hookd allow remove {number}")

    async def pause(self) -> None:
        """Turn all guards off for a limited time, or end such a pause, after a confirmation."""
        daemon = self._board.feed.daemon or {}
        if until := daemon.get("pausedUntil"):
            await self._resume(str(until))
            return
        said = "No guard, policy or user hook applies in any session until the pause ends."
        choices = (Choice("d", "how long", _PAUSES),)
        chosen = await self._ask("Pause all guards", _says(said), "pauses", choices)
        if chosen is None:
            return
        done = await self._call("daemon.pause", {"until": self._until(chosen["how long"])})
        if done is not None:
            self._board.say(f"Paused until {local_time(done['pausedUntil'])}. p ends it.")

    async def _resume(self, until: str) -> None:
        said = f"hookd is paused until {clock(until)}. Guards apply again at once."
        if await self._ask("Resume", _says(said), "resumes") is None:
            return
        if await self._call("daemon.resume", {}) is not None:
            self._board.say("Guards apply again.")

    async def answer(self, request: Row, answer: str) -> None:
        """Answer a held permission request; a denial asks for a message to the model."""
        message = None
        if answer == "deny":
            call = f"{safe(request.get('tool'))}: {safe(request.get('text'))}"
            lines = [(Span(part),) for part in wrapped(call, 90)[:6]]
            message = await self._board.push_screen_wait(
                Entry("Deny", self._board.look, Wording(example="why, for the model", lines=lines))
            )
            if message is None:
                return
        params = {"id": request["id"], "answer": answer, "via": "board"}
        if message and message.strip():
            params["message"] = message.strip()
        if await self._call("approvals.answer", params) is not None:
            words = {"allow": "Allowed.", "deny": "Denied.", "dialog": "Left to the dialog."}
            self._board.say(words[answer])

    async def open_folder(self, row: Row) -> None:
        """Go to the session's tmux pane, or open a window in its project's folder."""
        spot = tmux_window.Spot(
            row.get("tmuxSocket"), row.get("tmuxPane"), row.get("tmuxServer"), row.get("project")
        )
        own = (paths.variable("TMUX") or "").split(",")[0] or None
        self._board.say(await asyncio.to_thread(tmux_window.go, spot, own))

    def allowable(self, event: Row | None) -> bool:
        """Return whether an event was denied or asked about."""
        return event is not None and event.get("decision") in (*DENIED, *ASKED)

    async def _preview(self, number: int, scope: str) -> Any:
        params = {"eventId": number, "scope": scope, "preview": True}
        return await self._board.feed.call("allowances.add", params)

    async def _ask(
        self,
        title: str,
        lines: Callable[[Chosen, int], Sequence[Line]],
        act: str,
        choices: Sequence[Choice] = (),
    ) -> Chosen | None:
        question = Question(title, lines, act, self._board.look, choices)
        return await self._board.push_screen_wait(question)

    async def _call(self, method: str, params: Mapping[str, Any]) -> Any:
        """Return a method's result, None if it was refused: the reason is shown."""
        try:
            return await self._board.feed.call(method, params)
        except CallError as error:
            self._board.say(f"{error} {error.step and f'Next: {error.step}'}".strip())
            return None

    def _until(self, span: str) -> str:
        now = self._board.feed.now()
        if now is None:  # no daemon has answered yet, so none will take this
            return ""
        return (now + _SPANS[span]).isoformat()


def _allowed(number: int, preview: Mapping[str, Any], width: int) -> list[Line]:
    """Return the lines of a confirmation: the calls, their guards, and what still blocks them."""
    found: list[Line] = [(Span(f"The call of event {number} may then pass:"),), ()]
    for call in preview["calls"]:
        text = f"{safe(call['tool'])}: {safe(call['text'])}"
        found += [(Span(f"  {part}", "title"),) for part in wrapped(text, width - 4)]
        where = f"in {safe(call['folder'])}" if call["folder"] else "anywhere"
        found += _text(f"  past {safe(call['guard'])}, {where}, in all your sessions", width)
    for other in preview["others"]:
        found += _text(f"{safe(other)} blocks it as well, and still will.", width, "warn")
    return found


def _says(text: str) -> Callable[[Chosen, int], Sequence[Line]]:
    return lambda _chosen, width: _text(text, width)


def _text(text: str, width: int, style: str = "") -> list[Line]:
    return [(Span(part, style),) for part in wrapped(text, width)]
