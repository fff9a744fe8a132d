"""A decision asks for all that it lacks, and is told what is there, and that there is nothing."""

import pytest

from hookd.core.model.fact_requests import File, Names, TaskIn, Text, Unseen
from hookd.core.model.facts import Facts, Task

ONE, TWO, TASK = Text("/work/a", "/work"), Names("/work", "/work"), TaskIn("/work/demo")
FILE = File("/work/a", "a", "1-1-1")


def test_what_was_not_looked_up_is_asked_for() -> None:
    with pytest.raises(Unseen) as lack:
        Facts().see(ONE)
    assert lack.value.wants == (ONE,)


def test_all_that_is_missing_is_asked_for_at_once_and_only_that() -> None:
    with pytest.raises(Unseen) as lack:
        Facts().seeing({ONE: FILE}).look(TWO, ONE, TASK)
    assert lack.value.wants == (TWO, TASK)


def test_what_was_looked_up_is_there_and_so_is_that_there_is_nothing() -> None:
    facts = Facts().seeing({ONE: FILE}).seeing({TWO: None, TASK: Task(known=True)})
    assert facts.see(ONE) == FILE
    assert facts.see(TWO) is None
    assert facts.see(TASK) == Task(known=True)
    facts.look(ONE, TWO, TASK)


def test_another_bound_is_another_want() -> None:
    facts = Facts().seeing({ONE: FILE})
    for want in (Text("/work/a", "/"), Text("/work/a", "/work", most=9)):
        with pytest.raises(Unseen):
            facts.see(want)
    with pytest.raises(Unseen):
        facts.see(Text("/work/a", "/work", tail=True))


def test_facts_are_not_changed_by_looking() -> None:
    facts = Facts()
    facts.seeing({ONE: FILE})
    assert facts.seen == {}
