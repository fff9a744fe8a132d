"""Every mutant of `make mutants` still fits the code: its line occurs once, its tests exist."""

from mutants.lines import MUTANTS, ROOT


def test_every_mutant_changes_one_place_and_names_tests_that_exist() -> None:
    wrong = [
        one.promise
        for one in MUTANTS
        if (ROOT / one.file).read_text("utf-8").count(one.line) != 1
        or not all((ROOT / test).exists() for test in one.tests)
    ]
    assert wrong == []
