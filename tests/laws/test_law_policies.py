"""Laws of policies: file, order, options and examples."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from hookd import policies
from hookd.config.models import PolicyOptions
from hookd.core.model.policy import Policy
from hookd.events.protocol import EVENTS
from hookd.policies import POLICIES

FOLDER = Path(policies.__file__).parent
FILES = sorted(path for path in FOLDER.glob("*.py") if path.name != "__init__.py")

POLICY = pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)


def module(policy: Policy) -> Any:
    return sys.modules[policy.opine.__module__]


def test_the_table_holds_every_file_and_no_file_is_forgotten() -> None:
    assert sorted(Path(module(policy).__file__) for policy in POLICIES) == FILES


def test_the_order_of_the_table_is_that_of_the_priorities_and_no_two_are_alike() -> None:
    priorities = [policy.priority for policy in POLICIES]
    assert priorities == sorted(set(priorities))


@POLICY
def test_a_policy_is_called_by_its_file(policy: Policy) -> None:
    assert policy.name == Path(module(policy).__file__).stem.replace("_", "-")
    assert module(policy).POLICY is policy


@POLICY
def test_the_file_says_what_the_rule_is(policy: Policy) -> None:
    first = (module(policy).__doc__ or "").strip().partition("\n\n")[0]
    assert first.endswith(".")


@POLICY
def test_its_options_are_its_own_and_say_what_they_are(policy: Policy) -> None:
    options = policy.options
    assert issubclass(options, PolicyOptions)
    assert options.__module__ == module(policy).__name__
    assert "__doc__" in vars(options)
    for name, field in options.model_fields.items():
        own = name not in PolicyOptions.model_fields
        assert not own or (field.description or "").endswith("."), name
        assert not field.is_required(), name


@POLICY
def test_it_has_examples_that_fire_and_examples_that_do_not(policy: Policy) -> None:
    said = {example.says for example in policy.examples()}
    assert "" in said
    assert said - {""}


@POLICY
def test_it_has_an_example_of_every_verdict_that_it_gives(policy: Policy) -> None:
    text = Path(module(policy).__file__).read_text("utf-8")
    given = set(re.findall(r'Opinion\(\s*"(\w+)"', text))
    assert given <= {example.says for example in policy.examples()}


@POLICY
def test_it_is_asked_about_events_that_there_are(policy: Policy) -> None:
    assert policy.events
    assert policy.events <= EVENTS.keys()
