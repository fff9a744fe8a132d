"""A decision requests all missing facts, and gets them, or that there are none."""

import pytest

from hookd.core.model.fact_requests import DirListing, File, FileText, MissingFacts, TaskByDir
from hookd.core.model.facts import Facts, Task

ONE, TWO, TASK = FileText("/work/a", "/work"), DirListing("/work", "/work"), TaskByDir("/work/demo")
FILE = File("/work/a", "a", "1-1-1")


def test_what_was_not_looked_up_is_asked_for() -> None:
    with pytest.raises(MissingFacts) as lack:
        Facts().require(ONE)
    assert lack.value.requests == (ONE,)


def test_all_that_is_missing_is_asked_for_at_once_and_only_that() -> None:
    with pytest.raises(MissingFacts) as lack:
        Facts().with_facts({ONE: FILE}).require_all(TWO, ONE, TASK)
    assert lack.value.requests == (TWO, TASK)


def test_what_was_looked_up_is_there_and_so_is_that_there_is_nothing() -> None:
    facts = Facts().with_facts({ONE: FILE}).with_facts({TWO: None, TASK: Task(known=True)})
    assert facts.require(ONE) == FILE
    assert facts.require(TWO) is None
    assert facts.require(TASK) == Task(known=True)
    facts.require_all(ONE, TWO, TASK)


def test_another_bound_is_another_want() -> None:
    facts = Facts().with_facts({ONE: FILE})
    for want in (FileText("/work/a", "/"), FileText("/work/a", "/work", max_chars=9)):
        with pytest.raises(MissingFacts):
            facts.require(want)
    with pytest.raises(MissingFacts):
        facts.require(FileText("/work/a", "/work", tail=True))


def test_facts_are_not_changed_by_looking() -> None:
    facts = Facts()
    facts.with_facts({ONE: FILE})
    assert facts.resolved == {}
