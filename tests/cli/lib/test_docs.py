"""Pages of the docs are named by the tag of the version that runs."""

from email.message import Message
from importlib import metadata

import pytest

from hookd import __version__
from hookd.cli.lib import docs


def about(monkeypatch: pytest.MonkeyPatch, *urls: str) -> None:
    message = Message()
    for url in urls:
        message["Project-URL"] = url
    monkeypatch.setattr(metadata, "metadata", lambda _: message)


def test_with_an_address_a_page_is_a_link_to_the_tag(monkeypatch: pytest.MonkeyPatch) -> None:
    about(monkeypatch, "Issues, https://x.example/i", "Source, https://x.example/ana/hookd/")
    tag = f"v{__version__}"
    assert docs.page("docs/a.md") == f"https://x.example/ana/hookd/blob/{tag}/docs/a.md"
    assert docs.place() == f"https://x.example/ana/hookd/tree/{tag}/docs"


def test_without_one_it_is_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    about(monkeypatch, "Issues, https://x.example/i")
    assert docs.page("docs/a.md") == "docs/a.md"
    assert docs.place() == f"docs/ at the tag v{__version__}"
