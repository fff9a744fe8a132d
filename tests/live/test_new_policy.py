"""Live: a new policy is a file and its entry in the table; a broken one harms no other.

Both are shown with a copy of the package, and the second with a daemon that is started from it.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import hookd
from support.home import Home, serving, window_in
from support.payloads import context, verdict

pytestmark = pytest.mark.gate

TESTS = Path(__file__).parent.parent
PACKAGE = Path(hookd.__file__).parent

SOUND = '''"""No calls on a Friday evening."""

from datetime import UTC, datetime

from pydantic import Field

from hookd.events.model import PreToolUse
from hookd.core.model.facts import Facts
from hookd.config.models import PolicyOptions
from hookd.core.model.verdict import Opinion
from hookd.core.model.policy import Policy, PolicyExample


class Options(PolicyOptions):
    """From when on."""

    hour: int = Field(17, ge=0, le=23, description="Hour, UTC, from which on it holds.")


def opine(_event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Ask from that hour on."""
    if facts.now.weekday() != 4 or facts.now.hour < options.hour:
        return None
    return Opinion("ask", "It is Friday evening.")


_EVENT = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})

POLICY = Policy(
    name="friday-evening",
    priority=90,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    opine=opine,
    examples=(
        PolicyExample(_EVENT, Facts(now=datetime(2026, 1, 30, 18, tzinfo=UTC)), says="ask"),
        PolicyExample(_EVENT, Facts(now=datetime(2026, 1, 31, 18, tzinfo=UTC)), says=""),
    ),
)
'''

ODD = '''"""A rule for a test."""

import time

from hookd.config.models import PolicyOptions
from hookd.core.model.verdict import Opinion
from hookd.core.model.policy import Policy


def opine(event, facts, options):
    command = event.tool_input.get("command")
    {body}


POLICY = Policy("{name}", {place}, frozenset({{"PreToolUse"}}), PolicyOptions, "{fault}", opine, ())
'''


@dataclass
class Workshop:
    """A copy of the package, into which policies are put."""

    folder: Path

    @property
    def env(self) -> dict[str, str]:
        return {"PYTHONPATH": str(self.folder)}

    @property
    def table(self) -> Path:
        return self.folder / "hookd" / "policies" / "__init__.py"

    def adds(self, name: str, text: str, after: str) -> None:
        """Put a policy into its file, and its entry into the table, after another's."""
        self.table.with_name(f"{name}.py").write_text(text)
        lines = self.table.read_text().splitlines(keepends=True)
        imports = lines.index("from hookd.policies import (\n")
        later = (at for at, line in enumerate(lines) if at > imports and line > f"    {name},\n")
        lines.insert(next(later), f"    {name},\n")
        lines.insert(lines.index(f"    {after}.POLICY,\n") + 1, f"    {name}.POLICY,\n")
        self.table.write_text("".join(lines))

    def differs(self) -> tuple[set[str], list[str]]:
        """Return which files are new or changed, and the lines that the changed ones had added."""
        new, added = set(), []
        for path in self.folder.rglob("*.*"):
            old = PACKAGE.parent / path.relative_to(self.folder)
            if path.suffix == ".pyc" or (old.exists() and old.read_bytes() == path.read_bytes()):
                continue
            new.add(path.name)
            if old.exists():
                before = old.read_text().splitlines()
                after = path.read_text().splitlines()
                assert [line for line in after if line in before] == before
                added += [line.strip() for line in after if line not in before]
        return new, added


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "hookd", ignore=leave)
    yield Workshop(tmp_path)


def laws(workshop: Workshop) -> list[str]:
    """Hold the copy to what is said of every policy; return what has passed."""
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-p", "no:xdist"]
    files = ("laws/test_law_policies.py", "policies/test_policies_examples.py")
    done = subprocess.run(
        [*command, *files, "-k", "friday or table or example or without_settings"],
        cwd=TESTS,
        env=os.environ | workshop.env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return [line for line in done.stdout.splitlines() if " PASSED" in line]


@pytest.mark.slow
def test_a_policy_is_one_new_file_and_its_entry_in_the_table(workshop: Workshop) -> None:
    workshop.adds("friday_evening", SOUND, after="guard_rules")
    assert workshop.differs() == (
        {"friday_evening.py", "__init__.py"},
        ["friday_evening,", "friday_evening.POLICY,"],
    )
    passed = laws(workshop)
    assert sum("[friday-evening" in line for line in passed) >= 6, passed
    assert any("test_an_example_of_a_policy_is_what_it_says PASSED" in line for line in passed)
    assert any("no_file_is_forgotten" in line for line in passed)


BROKEN = {
    "breaks": (41, "silence", 'raise RuntimeError("a fault of the rule")'),
    "garbles": (42, "silence", 'return {"verdict": "deny"}'),
    "lingers": (43, "silence", "LINGERS"),
    "gives_up": (44, "ask", 'assert command != "echo judge me"'),
    "is_sound": (
        45,
        "ask",
        'return Opinion("deny", "Not here.") if command == "echo no" else None',
    ),
}
LINGERS = """end = time.perf_counter() + 0.06
    while time.perf_counter() < end:
        pass
    return Opinion(context="[hookd:lingers] It took a while.")"""


@pytest.fixture
def odd(home: Home, workshop: Workshop) -> Iterator[Home]:
    """A daemon with policies that fail, talk garbage or take long, among all the others."""
    after = "heartbeat"
    for name, (place, fault, body) in BROKEN.items():
        text = ODD.format(
            name=name.replace("_", "-"),
            place=place,
            fault=fault,
            body=LINGERS if body == "LINGERS" else body,
        )
        workshop.adds(name, text, after)
        after = name
    home.env |= workshop.env
    with serving(home):
        yield home


def test_policies_that_fail_talk_garbage_or_take_long_harm_nobody(odd: Home) -> None:
    window = window_in(odd)
    answer = window.bash("echo hello")
    assert verdict(answer) == ("", "")
    assert context(answer) == "[hookd:lingers] It took a while."
    assert verdict(window.bash("echo no"))[0] == "deny"
    decision, reason = verdict(window.bash("echo judge me"))
    assert decision == "ask"
    assert "gives-up failed and could not evaluate this call." in reason
    assert verdict(window.bash("rm -rf /"))[0] == "deny"
    assert window.says("PostToolUse.Edit") is None
    failed = {line["policy"] for line in odd.logged("policy failed")}
    assert failed == {"breaks", "garbles", "gives-up"}
    assert "lingers" in {line["policy"] for line in odd.logged("slow policy")}
    assert len(odd.rows("SELECT id FROM events")) == 5
