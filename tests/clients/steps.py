"""Steps that the scenarios of all clients share."""

import os
import shlex
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from clients.models.turn import Turn
from clients.place import Place, until


def keep(scene: Place) -> Path:
    """Make a file outside of the project that a guard has to protect."""
    folder = scene.home / "keep"
    folder.mkdir()
    (folder / "photo").write_text("irreplaceable")
    return folder


def script(scene: Place, name: str, text: str) -> str:
    """Write an executable script into the home; return it quoted for a shell."""
    path = scene.home / name
    path.write_text(text)
    path.chmod(0o755)
    return shlex.quote(str(path))


@contextmanager
def gone(scene: Place) -> Iterator[None]:
    """Kill the daemon, and remove the program that starts another one."""
    files = list((scene.home / ".local/share/hookd").rglob("config"))
    texts = {file: file.read_text() for file in files}
    assert any("\nhookd /" in text for text in texts.values()), texts
    for file, text in texts.items():
        file.write_text(text.replace("\nhookd /", "\nhookd /gone/"))
    os.kill(scene.daemon, signal.SIGKILL)
    try:
        yield
    finally:
        for file, text in texts.items():
            file.write_text(text)


def transcript_read(
    scene: Place, asks: Callable[..., object], call: Turn, window: int | None, *, held: bool
) -> None:
    """Assert that hookd stores what only the client's own record has: a text, the tokens.

    `asks` runs the client with turns of the model, `window` is the size that the client reports.
    With `held` the usage of the open window comes from the transcript, so the turn is held.
    """
    tokens = 10_000
    share = window and tokens / window
    first = Turn(("First I look.", *call.content), tokens=tokens)
    last = Turn(("The work is done.",), tokens=tokens, held=held)

    def stored() -> tuple[list[str], float | None]:
        """Return the texts of the model, and the share of the window that is in use."""
        texts = "SELECT content FROM messages WHERE role = 'assistant' AND tool_name IS NULL"
        (session,) = scene.rows("SELECT context_usage FROM sessions") or [{}]
        used = session.get("context_usage")
        return [row["content"] for row in scene.rows(texts)], used and round(used, 3)

    def reads(text: str) -> None:
        expected = share and round(share, 3)
        until(
            lambda: text in "".join(stored()[0]) and stored()[1] == expected,
            f"{text!r}, {expected}",
            state=lambda: str(stored()),
        )

    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(asks, "work", first, last)
        try:
            if held:
                until(lambda: len(scene.mock.sent()) == 2, "the second request")
                reads("First I look.")
        finally:
            scene.mock.release()
        run.result()
    reads("First I look.")
    reads("The work is done.")
