"""Laws of the docs: they name every setting, method and event, and their links are valid."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel

import hookd
from hookd.cli import COMMANDS
from hookd.config.models import Settings
from hookd.core.model.errors import CODES
from hookd.display.changelog import UNRELEASED, order, releases
from hookd.events.protocol import EVENTS
from hookd.methods import METHODS
from hookd.policies import POLICIES
from support.parametrize import parametrize_all

DOCS = Path(hookd.__file__).parent.parent.parent / "docs"


def keys(model: type[BaseModel], above: str = "") -> Iterator[str]:
    """Yield every key of the settings that holds a value, with the keys above it."""
    for name, field in model.model_fields.items():
        key = above + (field.alias or name)
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from keys(inner, f"{key}.")
        else:
            yield key


KEYS = list(keys(Settings))
OPTIONS = [
    pytest.param(policy.name, name, id=f"{policy.name}.{name}")
    for policy in POLICIES
    for name in policy.options.model_fields
]


def page(name: str) -> str:
    return (DOCS / "reference" / name).read_text("utf-8")


def section(text: str, title: str) -> str:
    """Return what stands under one heading, up to the next of its kind."""
    mark = f"\n### {title}\n"
    assert mark in text, f"there is no heading {title!r}"
    return text.partition(mark)[2].partition("\n### ")[0]


PAGES = page("rpc.md") + page("events.md")


@parametrize_all("key", KEYS)
def test_every_key_of_the_settings_is_documented(key: str) -> None:
    assert f"| `{key}` |" in page("settings.md")


@parametrize_all(("policy", "option"), OPTIONS)
def test_every_option_of_a_policy_is_documented_with_it(policy: str, option: str) -> None:
    assert f"| `{option}` |" in section(page("policies.md"), policy)


@parametrize_all("name", METHODS)
def test_every_method_is_documented(name: str) -> None:
    assert re.search(rf"(?m)^##+ .*\b{re.escape(name)}\b|`{re.escape(name)}`", PAGES), name


@parametrize_all("name", EVENTS)
def test_every_event_is_documented(name: str) -> None:
    assert f"| {name} |" in page("events.md")


@parametrize_all("word", CODES)
def test_every_error_of_the_domain_is_documented(word: str) -> None:
    assert f"`{word}`" in page("rpc.md")


@parametrize_all("name", [name for name in COMMANDS if name != "serve"])
def test_every_command_is_documented(name: str) -> None:
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    texts = [readme, *(path.read_text("utf-8") for path in sorted(DOCS.rglob("*.md")))]
    assert any(f"hookd {name}" in text for text in texts)


def test_what_is_made_from_the_code_is_current() -> None:
    done = subprocess.run(
        [sys.executable, DOCS / "generate.py", "--check"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_the_changelog_begins_with_this_version() -> None:
    """Its first section is of the version in the code, or of what comes after it."""
    known = releases((DOCS / "changelog.md").read_text("utf-8"))
    assert known[0].version in (hookd.__version__, UNRELEASED)
    assert all(one.date for one in known[1:])
    ordered = [order(one.version) for one in known if one.version != UNRELEASED]
    assert ordered == sorted(set(ordered), reverse=True)


def anchors(path: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"(?m)^#+ (.+)$", path.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def name_of(path: Path) -> str:
    """Return the name of a test case."""
    return str(path.relative_to(DOCS.parent))


@parametrize_all("path", [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))], ids=name_of)
def test_every_link_leads_to_a_page_and_a_heading(path: Path) -> None:
    text = re.sub(r"(?s)```.*?```|`[^`\n]*`", "", path.read_text("utf-8"))
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text):
        if "://" in target:
            continue
        page = (path.parent / target).resolve() if target else path
        assert page.exists(), target
        assert not anchor or anchor in anchors(page), f"{target}#{anchor}"
