"""What users copy from examples/ is what hookd reads."""

from pathlib import Path

import pytest

from hookd.core.efforts.skill import parse_skill
from support.paths import ROOT

EXAMPLES = ROOT / "examples"
SKILLS = sorted(EXAMPLES.glob("skills/*/SKILL.md"))


@pytest.mark.parametrize("path", SKILLS, ids=lambda path: path.parent.name)
def test_a_skill_is_read_and_the_files_that_it_names_are_there(path: Path) -> None:
    skill = parse_skill(path.read_text("utf-8"), path.parent.name)
    assert skill.description
    for template in skill.templates.values():
        assert (path.parent / template).is_file(), template


def test_the_example_of_phases_has_phases_with_proofs() -> None:
    text = (EXAMPLES / "skills" / "implement" / "SKILL.md").read_text("utf-8")
    skill = parse_skill(text, "implement")
    assert [phase.title for phase in skill.phases] == [
        "0: Setup",
        "1: Plan",
        "2: Build",
        "3: Close",
    ]
    assert skill.phases[2].proof == ("tests_pass",)
    assert skill.next_skills == ("review",)
