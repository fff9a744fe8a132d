"""Releases of a changelog, their entries, and what is new between two versions."""

import pytest

from hookd.display.changelog import is_version, newer, order, releases

TEXT = """# Changelog

## 0.10.0 (not released)

### Groups

- A [link](guides/x.md) with `code`,
  on two lines.

| a | table |

- Another.

## 0.9.0 (2026-12-01)

- Older.

## 0.1.0 (2026-11-01)

Prose only.
"""


def test_sections_are_releases_and_items_are_their_entries() -> None:
    found = releases(TEXT)
    assert [(one.version, one.date, one.title) for one in found] == [
        ("0.10.0", "", "0.10.0 (not released)"),
        ("0.9.0", "2026-12-01", "0.9.0 (2026-12-01)"),
        ("0.1.0", "2026-11-01", "0.1.0 (2026-11-01)"),
    ]
    assert found[0].entries == ("A link with `code`, on two lines.", "Another.")
    assert [one.entries for one in found[1:]] == [("Older.",), ()]


@pytest.mark.parametrize("heading", ["## 0.2.0 (soon)", "## 0.2.0 2026-12-01", "## Two words"])
def test_a_heading_of_another_form_is_named(heading: str) -> None:
    with pytest.raises(ValueError, match="is none of a release: ## "):
        releases(f"# Changelog\n\n{heading}\n")


@pytest.mark.parametrize(
    ("before", "until", "found"),
    [
        ("0.9.0", "0.10.0", ["0.10.0"]),
        ("0.0.9", "0.10.0", ["0.10.0", "0.9.0", "0.1.0"]),
        ("0.1.0", "0.9.0", ["0.9.0"]),
        ("v0.1.0", "0.9.0", ["0.9.0"]),
        ("0.10.0", "0.10.0", []),
        ("0.10.0", "0.9.0", []),
        ("0.10.0rc1", "0.10.0", ["0.10.0"]),
        (None, "0.9.0", ["0.9.0"]),
        (None, "7", []),
    ],
)
def test_what_is_new_is_after_one_version_up_to_another(
    before: str | None, until: str, found: list[str]
) -> None:
    assert [one.version for one in newer(releases(TEXT), before, until)] == found


def test_versions_are_sorted_by_their_numbers() -> None:
    versions = ["Unreleased", "0.9.0", "0.10.0rc1", "0.10.0", "1.0"]
    assert sorted(versions, key=order) == versions


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("0.2.0", True),
        ("v1", True),
        ("0.2.0rc1", True),
        ("new", False),
        ("1 2", False),
        ("", False),
    ],
)
def test_a_version_begins_with_a_number(text: str, is_one: bool) -> None:
    assert is_version(text) is is_one
