"""pydantic searches for no plugins where hookd must start fast, and works if it has changed."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.gate

SKIPPED = "from hookd.pydantic_plugins import skip_plugins; skip_plugins(); "
USED = "import hookd.judge.evaluate, sys; "


def printed(code: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return ran.stdout.strip()


@pytest.mark.parametrize(("before", "searches"), [(SKIPPED, "False"), ("", "True")])
def test_the_search_and_what_it_imports_are_skipped(before: str, searches: str) -> None:
    assert printed(f"{before}{USED}print('importlib.metadata' in sys.modules)") == searches


def test_other_code_gets_the_real_metadata() -> None:
    code = f"{SKIPPED}{USED}from importlib.metadata import entry_points, version;"
    assert printed(f"{code}print(version('hookd') != '', len(entry_points()) > 0)") == "True True"


@pytest.mark.parametrize(
    "changed",
    [
        "import sys; sys.modules['pydantic.plugin._loader'] = None; ",
        "import importlib.metadata; ",
    ],
)
def test_it_may_come_late_or_find_another_pydantic(changed: str) -> None:
    restored = "import sys; sys.modules.pop('pydantic.plugin._loader', None); "
    assert printed(f"{changed}{SKIPPED}{restored}{USED}print('works')") == "works"
