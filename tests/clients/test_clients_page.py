"""The page of tested clients: two parts, each written by a complete run of its clients."""

from pathlib import Path

from clients.clients_page import PAGE, Cell, page, table
from clients.drivers.table import DRIVERS
from clients.install import Programs
from clients.jobs import Job
from clients.run_clients import VERSIONS, claude_jobs, other_jobs

OK = frozenset({"SessionStart", "PreToolUse"})
CLAUDE = [Cell("deny", "2.1.330", "passed", "", 3, OK)]
OTHERS = [
    Cell("deny", "codex 0.169.0", "passed", "", 2, OK),
    Cell("deny", "opencode 1.18.33", "missing", "It has none.", 0, frozenset()),
]


def test_a_run_writes_its_part_and_keeps_the_other() -> None:
    both = page("", CLAUDE, OTHERS)
    assert page(both, CLAUDE, []) == page(both, [], OTHERS) == page(both, [], []) == both
    failed = [Cell("deny", "2.1.331", "failed", "It ran.", 3, OK)]
    renewed = page(both, failed, [])
    assert "| deny | FAILED |" in renewed
    assert "2.1.330" not in renewed
    assert "| deny | ok | - (1) |" in renewed
    assert "(1) It has none." in renewed


def test_the_page_tells_which_events_were_fired() -> None:
    text = page("", CLAUDE, OTHERS)
    assert "| PreToolUse | yes |" in text
    (row,) = (line for line in text.splitlines() if line.startswith("| codex 0.169.0 |"))
    fired, _, unseen = row.removeprefix("| codex 0.169.0 | ").partition(" | ")
    assert fired == "SessionStart, PreToolUse"
    assert unseen.startswith("UserPromptSubmit, PermissionRequest")


def fired_on_the_page(text: str) -> dict[str, set[str]]:
    """Return the events that the published page has as fired, by version and by client."""
    table = text.partition("events fired in these scenarios")[2].partition("\n\nNot provoked")[0]
    (_, *versions), _, *events = (row.strip("| ").split(" | ") for row in table.split("\n")[2:])
    marks = {name: dict(zip(versions, marks, strict=True)) for name, *marks in events}
    fired = {one: {name for name in marks if marks[name][one] == "yes"} for one in versions}
    table = text.partition("| client | events fired |")[2]
    rows = (row.strip("| ").split(" | ") for row in table.splitlines()[2:])
    return fired | {client: set(names.split(", ")) for client, names, _ in rows}


def all_passed(job: Job, fired: dict[str, set[str]]) -> Cell:
    state = "missing" if job.missing else "passed"
    events = frozenset() if job.missing else frozenset(fired[job.version])
    return Cell(job.scenario, job.version, state, job.missing, 1, events)


def test_the_published_page_is_that_of_a_complete_run_in_which_all_passed() -> None:
    """All but the events that were fired is known without a run."""
    text = PAGE.read_text("utf-8")
    fired = fired_on_the_page(text)
    nowhere = Path("/nowhere")
    versions = [Programs(version, nowhere, nowhere) for version in VERSIONS]
    drivers = [driver() for driver in DRIVERS.values()]
    claude = [all_passed(job, fired) for job in claude_jobs(versions)]
    others = [all_passed(job, fired) for job in other_jobs(drivers, nowhere)]
    assert page("", claude, others).splitlines() == text.splitlines()


def test_the_terminal_gets_a_table() -> None:
    assert [line.split() for line in table(OTHERS).splitlines()] == [
        ["scenario", "codex", "0.169.0", "opencode", "1.18.33", "s"],
        ["deny", "ok", "-", "2"],
    ]
