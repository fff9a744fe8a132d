"""`hookd doctor` names the hookd that runs it, and the container that it is in."""

from pathlib import Path

import pytest

from hookd.cli.doctor.checks.machine import check_machine


@pytest.mark.parametrize(
    ("file", "text", "kind"),
    [
        (".dockerenv", "", "Docker"),
        ("run/.containerenv", "", "Podman"),
        ("proc/1/cgroup", "0::/kubepods/besteffort/pod1\n", "kubepods"),
        ("proc/1/cgroup", "0::/init.scope\n", ""),
        ("etc/hosts", "", ""),
    ],
)
def test_a_container_is_named(tmp_path: Path, file: str, text: str, kind: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(text)
    first, *rest = check_machine(tmp_path)
    assert first.what.startswith("This is hookd ")
    assert [f"({kind})" in one.what for one in rest] == ([True] if kind else [])
