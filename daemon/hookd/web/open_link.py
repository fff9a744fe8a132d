"""Hand a link to the browser through a private file: an argument list is visible to all users."""

import secrets
import webbrowser
from html import escape
from pathlib import Path
from threading import Thread

from hookd.system import private_dirs

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<title>hookd</title><meta http-equiv="refresh" content="0;url={link}"></head>
<body><p><a href="{link}">Open hookd</a></p></body></html>
"""


class LinkFile:
    """A file, 0600 in a folder 0700, that leads a browser to a link."""

    def __init__(self, folder: Path, link: str) -> None:
        private_dirs.make(folder)
        for left in folder.glob("open-*.html"):  # of a server that was killed
            left.unlink(missing_ok=True)
        self.path = folder / f"open-{secrets.token_hex(8)}.html"
        self.path.touch(mode=0o600, exist_ok=False)
        self.path.write_text(_PAGE.format(link=escape(link)), "utf-8")

    def open(self) -> None:
        """Open it in the user's browser, which may run until it is closed."""
        Thread(target=webbrowser.open, args=(self.path.as_uri(),), daemon=True).start()

    def remove(self) -> None:
        """Remove the file, if it is still there."""
        self.path.unlink(missing_ok=True)
