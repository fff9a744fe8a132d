"""JUnit XML of the results of `hookd guard test`: a suite per source, a case per example."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hookd.cli.guard.test import CheckedRules

_INVALID = re.compile("[^ -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow in an attribute, or would change there."""


def document(found: "Sequence[CheckedRules]") -> str:
    """Return the document. A rule without examples is a skipped case, a mistake an error."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"]
    for one in found:
        lines += _suite(one)
    return "\n".join((*lines, "</testsuites>", ""))


def _suite(one: "CheckedRules") -> Iterator[str]:
    failed = sum(not row["passed"] for row in one.results)
    cases = len(one.results) + len(one.without) + len(one.mistakes)
    yield _opening(
        "  <testsuite",
        name=one.name,
        tests=cases,
        failures=failed,
        errors=len(one.mistakes),
        skipped=len(one.without),
    )
    for wrong in one.mistakes:
        name = f"line {wrong['line']}, column {wrong['column']}"
        yield _case(one, name, line=wrong["line"], rule="rules file")
        yield f"      <error message={_quoted(wrong['sentence'])}/>"
        yield "    </testcase>"
    for row in one.results:
        yield from _result(one, row)
    for rule in one.without:
        yield _case(one, "has no examples", rule=rule)
        yield '      <skipped message="the rule has no examples"/>'
        yield "    </testcase>"
    yield "  </testsuite>"


def _result(one: "CheckedRules", row: Mapping[str, Any]) -> Iterator[str]:
    name = f"{row['expected']} {row['call']}"
    yield _case(one, name, rule=row["rule"], line=row["line"])
    if not row["passed"]:
        said = f"expected: {row['expected']}; said: {row['said']}"
        yield f"      <failure message={_quoted(said)}/>"
    yield "    </testcase>"


def _case(one: "CheckedRules", name: str, *, rule: str, line: int | None = None) -> str:
    place = {} if line is None else {"file": one.name, "line": line}
    return _opening("    <testcase", classname=rule, name=name, **place)


def _opening(tag: str, **attributes: object) -> str:
    given = (f"{name}={_quoted(str(value))}" for name, value in attributes.items())
    return f"{tag} {' '.join(given)}>"


def _quoted(text: str) -> str:
    return f'"{escape(_INVALID.sub(" ", text))}"'
