"""JUnit XML is well-formed, whatever the rules and the calls contain."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.guard.junit import document
from hookd.cli.guard.test import CheckedRules


@given(st.text(), st.text(), st.text())
def test_any_text_is_well_formed(name: str, call: str, sentence: str) -> None:
    row = {"rule": name, "line": None, "call": call, "expected": "denies", "said": "asks"}
    wrong = {"line": 1, "column": 1, "sentence": sentence}
    one = CheckedRules(name, (name,), (name,), ({**row, "passed": False},), (wrong,))
    (suite,) = ElementTree.fromstring(document([one]))
    assert [len(case) for case in suite] == [1, 1, 1]


def test_without_a_rule_there_is_no_suite() -> None:
    assert len(ElementTree.fromstring(document([]))) == 0
