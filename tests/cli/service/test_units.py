"""A service file reads back as it was written, and identifies its author."""

import plistlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.lib.errors import Problem
from hookd.cli.service.units import PLACES, Job, Standing, body, plist, standing, unit
from support.service_managers import read_unit

VALUES = st.text().map(lambda text: "".join(filter(str.isprintable, text)))
JOBS = st.builds(
    lambda program, env: Job(f"/{program}", env),
    VALUES,
    st.dictionaries(st.sampled_from(["HOME", "PATH", *PLACES]), VALUES),
)


@given(JOBS)
def test_a_unit_reads_back_as_its_job(job: Job) -> None:
    command, env = read_unit(unit(job).decode())
    assert command == [job.program, "service", "run"]
    assert {name: env.get(name) for name in PLACES} == {
        name: job.environment.get(name) for name in PLACES
    }


@given(JOBS)
def test_a_property_list_reads_back_as_its_job(job: Job) -> None:
    value = plistlib.loads(plist("hookd", job))
    assert value["ProgramArguments"] == [job.program, "service", "run"]
    assert value["EnvironmentVariables"] == job.environment
    assert value["KeepAlive"] == {"SuccessfulExit": False}, "an end that is meant is kept"


@pytest.mark.parametrize("made", [unit, lambda job: plist("hookd", job)])
def test_a_file_says_whose_it_is(made) -> None:  # type: ignore[no-untyped-def]
    content = made(Job("/bin/hookd", {"HOME": "/home/ana"}))
    assert standing(None) is Standing.ABSENT
    assert standing(content) is Standing.OURS
    assert standing(content.replace(b"/home/ana", b"/home/bob")) is Standing.EDITED
    assert standing(content + b"\n") is Standing.EDITED
    assert standing(body(content)) is Standing.FOREIGN
    assert b"sha256" not in body(content)


def test_one_and_the_same_job_makes_one_and_the_same_file() -> None:
    env = {"PATH": "/bin", "HOME": "/home/ana"}
    assert unit(Job("/bin/hookd", env)) == unit(Job("/bin/hookd", dict(sorted(env.items()))))


@pytest.mark.parametrize("value", ["a\nb", "\x1b", "\udcff", "\x00", "a\u2028b"])
@pytest.mark.parametrize("made", [unit, lambda job: plist("hookd", job)])
def test_what_could_begin_a_line_of_its_own_is_refused(made, value: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(Problem, match="PATH has a character"):
        made(Job("/bin/hookd", {"PATH": value}))
    with pytest.raises(Problem, match=re.escape("The path of hookd")):
        made(Job(value, {}))
