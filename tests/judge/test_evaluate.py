"""Without the daemon an event is judged by the guards, the settings and the user's rules alone."""

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from hookd.events.delivery_identity import call_key
from hookd.events.model import PreToolUse
from hookd.judge.evaluate import Event, Machine, NoVerdictError, Verdict, judge
from hookd.paths import under
from hookd.store.database import open_database
from hookd.user_hooks.project_settings import Pages
from support.patches import add, delete, in_heredoc, in_tool, patch, update
from support.paths import TESTS
from support.payloads import payload, verdict

BASELINE = TESTS / "store" / "baseline_v1.sql"
NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
RULE = {"ruleId": "no-deploy", "urgency": "block", "payload": {"text": "Not today."}}
DEPLOY = RULE | {"toolFilter": {"include": ["Bash(make deploy *)"]}}


@dataclass
class Place:
    """A home with a database, a project, and the machine that both are on."""

    home: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def project(self) -> Path:
        return self.home / "project"

    @property
    def machine(self) -> Machine:
        return Machine(under(self.home / "hookd"), self.home / ".claude", str(self.home))

    def keeps(self, statement: str, *values: object) -> None:
        """Change the database as a daemon would that has ended."""
        with closing(open_database(self.machine.places.database)) as db:
            db.execute(statement, values)

    def guarded(self, rule: Mapping[str, object] = DEPLOY) -> None:
        row = ("no-deploy", json.dumps(rule))
        self.keeps(
            "INSERT INTO guards (name, scope, rule_json, created_at) VALUES (?, 'user', ?, '')",
            *row,
        )

    def settings(self, value: object, file: str = "hookd/settings.json") -> None:
        path = self.home / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value))

    def judges(self, command: str = "ls", *, closed: bool = False, **more: Any) -> Verdict:
        event = payload("PreToolUse.Bash", cwd=str(self.project), session_id="s", **more)
        event["tool_input"] = {"command": command}
        return self.reads(json.dumps(event).encode(), closed=closed)

    def reads(self, body: bytes, name: str = "PreToolUse", *, closed: bool = False) -> Verdict:
        env = {"HOME": str(self.home), "CLAUDE_PROJECT_DIR": str(self.project)}
        return judge(self.machine, Event(name, env | self.env, body, closed), NOW)

    def says(self, command: str, **more: Any) -> str:
        return verdict(json.loads(self.judges(command, **more).answer))[0]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "project").mkdir()
    return Place(tmp_path)


@pytest.mark.parametrize(
    ("command", "decision", "recorded"),
    [
        ("rm -rf ~", "deny", "denied by destructive-guard"),
        ("cat ~/.ssh/id_ed25519", "deny", "denied by secrets-guard"),
        ("hookd policy disable destructive-guard", "ask", "asked about by self-guard"),
        ("make deploy all", "deny", "denied by no-deploy"),
        ("if (", "ask", "asked about by destructive-guard, no-deploy"),
        ("git status", "", "passed"),
    ],
)
def test_a_call_is_judged_by_all_guards_and_own_rules(
    place: Place, command: str, decision: str, recorded: str
) -> None:
    place.guarded()
    said = place.judges(command)
    assert verdict(json.loads(said.answer))[0] == decision
    assert said.reason.startswith(f"judged without the daemon: {recorded}")


def test_a_patch_is_judged_file_by_file(place: Place) -> None:
    rule = {"toolFilter": {"include": ["Edit(/gen/**)"]}}
    place.guarded(RULE | rule)
    for section, decision in (
        (update("gen/a"), "deny"),
        (delete("gen/a"), "deny"),
        (add(".claude/settings.json"), "ask"),
        (add("src/a"), ""),
        ("*** Oops", "ask"),
    ):
        for tool, given in (in_tool(patch(section)), in_heredoc(patch(section))):
            event = payload("PreToolUse.Bash", cwd=str(place.project), session_id="s")
            event |= {"tool_name": tool, "tool_input": given}
            said = place.reads(json.dumps(event).encode())
            assert verdict(json.loads(said.answer))[0] == decision, (tool, section)


def test_nothing_is_written_and_no_file_is_left_beside_the_database(place: Place) -> None:
    place.guarded()
    folder = place.machine.places.state
    before = {path: path.read_bytes() for path in folder.iterdir()}
    place.judges("make deploy all")
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_what_a_daemon_has_not_yet_moved_into_the_file_is_read(place: Place) -> None:
    with closing(open_database(place.machine.places.database)) as db:
        row = (json.dumps(DEPLOY),)
        columns = "name, scope, rule_json, created_at"
        db.execute(f"INSERT INTO guards ({columns}) VALUES ('r', 'user', ?, '')", row)
        assert place.says("make deploy all") == "deny"


def test_rules_in_a_database_of_an_older_version_apply_and_it_stays_as_it_is(place: Place) -> None:
    database = place.machine.places.database
    database.parent.mkdir(parents=True)
    with closing(connect(database)) as db:
        db.executescript(BASELINE.read_text("utf-8"))
        row = ("no-deploy", json.dumps(DEPLOY))
        db.execute("INSERT INTO guards VALUES (NULL, ?, 'user', NULL, NULL, ?, '')", row)
        db.commit()
    before = database.read_bytes()
    assert [place.says("make deploy all"), place.says("ls")] == ["deny", ""]
    assert database.read_bytes() == before


@pytest.mark.parametrize(
    ("settings", "decision"),
    [
        ({"policies": {"disabled": ["destructive-guard"]}}, ""),
        ({"policies": {"options": {"destructive-guard": {"allow": ["Bash(rm -rf src)"]}}}}, ""),
        ({"policies": {"options": {"destructive-guard": {"one_strike": True}}}}, "ask"),
        ("{", "ask"),
        ({}, "ask"),
    ],
)
def test_the_users_settings_apply_and_broken_ones_are_the_defaults(
    place: Place, settings: object, decision: str
) -> None:
    place.settings(settings)
    assert place.says("rm -rf src") == decision


@pytest.mark.parametrize("trusted", [True, False])
def test_a_projects_own_settings_apply_where_they_are_trusted(
    place: Place, *, trusted: bool
) -> None:
    place.settings({"policies": {"enabled": ["session-gate"]}}, "project/.hookd/settings.json")
    root = str(place.project)
    page, _ = Pages(str(place.home), str(place.machine.places.config)).read(root, {})
    if trusted:
        place.keeps("INSERT INTO trusts VALUES (?, ?, '')", root, page.digest)
    assert place.says("make test") == ("deny" if trusted else "")


def test_while_hookd_is_paused_everything_passes_and_nothing_is_recorded(place: Place) -> None:
    place.guarded()
    place.keeps("INSERT INTO meta VALUES ('paused_until', '2026-01-31T09:00:00.000Z')")
    said = place.judges("rm -rf ~")
    assert (said.answer, said.reason) == (b"null", "")
    assert place.reads(b"no JSON").answer == b"null"


def test_a_call_that_was_answered_before_gets_its_answer_again(place: Place) -> None:
    body = json.dumps(payload("PreToolUse.Bash", cwd=str(place.project), session_id="s")).encode()
    answer = '{"hookSpecificOutput":{"permissionDecision":"deny"}}'
    place.keeps(
        "INSERT INTO events (at, event, payload, answer, result, delivery_key)"
        " VALUES ('', 'PreToolUse', '{}', ?, '{}', ?)",
        answer,
        call_key(PreToolUse.model_validate_json(body)),
    )
    said = place.reads(body)
    assert (said.answer.decode(), "denied by its first answer" in said.reason) == (answer, True)


BROKEN = {
    "no database": lambda path: None,
    "a folder in its place": lambda path: (path / "x").mkdir(parents=True),
    "garbage": lambda path: path.write_bytes(b"\xaa" * 10_000),
    "another program's": lambda path: open_database(path).execute("DROP TABLE guards"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("gate", ["off", "enforce"])
def test_where_the_database_cannot_be_read_the_built_in_guards_judge(
    place: Place, name: str, gate: str
) -> None:
    place.settings({"policies": {"options": {"session-gate": {"mode": gate}}}})
    BROKEN[name](place.machine.places.database)
    assert place.says("rm -rf ~") == "deny"
    if name != "no database":
        assert place.says("make test") == ""
        assert place.says("git status", closed=True) == "ask", "own rules may be about it"


MALFORMED = [b"rm -rf ~", b"[]", b'{"tool_name": "Bash", "tool_input": "rm"}', b"{}"]


@pytest.mark.parametrize("body", MALFORMED)
def test_a_payload_that_cannot_be_read_is_asked_about_where_rules_are_set(
    place: Place, body: bytes
) -> None:
    with pytest.raises(NoVerdictError):
        place.reads(body)
    place.guarded()
    decision, reason = verdict(json.loads(place.reads(body).answer))
    assert (decision, reason.startswith("hookd could not judge")) == ("ask", True)
    with pytest.raises(NoVerdictError):
        place.reads(body, closed=True)


@pytest.mark.parametrize(
    ("hook", "closed", "decision", "recorded"),
    [
        ({}, False, "", "passed, 1 hook not run"),
        ({"on_error": "ask"}, False, "ask", "asked about by own, 1 hook not run"),
        ({"on_error": "block"}, False, "deny", "denied by own, 1 hook not run"),
        ({"on_error": "block"}, True, "deny", "denied by own, 1 hook not run"),
        ({"async": True}, False, "", "passed"),
    ],
)
def test_a_users_hook_is_not_run_and_counts_as_one_that_gave_no_answer(
    place: Place, hook: dict[str, object], closed: bool, decision: str, recorded: str
) -> None:
    made = {"type": "command", "command": "touch ran", "id": "own"} | hook
    place.settings({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [made]}]}})
    said = place.judges("make test", closed=closed)
    assert verdict(json.loads(said.answer))[0] == decision
    assert said.reason == f"judged without the daemon: {recorded}"
    assert not (place.project / "ran").exists()


def test_where_hooks_could_not_be_run_an_event_that_fails_closed_has_no_verdict(
    place: Place,
) -> None:
    made = {"type": "command", "command": "true"}
    place.settings({"hooks": {"PreToolUse": [{"hooks": [made]}]}})
    with pytest.raises(NoVerdictError, match="1 hook of yours"):
        place.judges("make test", closed=True)
    assert place.says("rm -rf ~", closed=True) == "deny", "a guard's denial needs no hook"


def test_links_are_followed(place: Place) -> None:
    (place.home / ".ssh").mkdir()
    (place.home / ".ssh" / "id_ed25519").write_text("key")
    (place.project / "notes").symlink_to("../.ssh/id_ed25519")
    assert place.says("cat notes") == "deny"


@pytest.mark.parametrize("event", ["PermissionRequest", "UserPromptSubmit", "SessionStart"])
def test_events_on_which_no_guard_acts_pass(place: Place, event: str) -> None:
    body = json.dumps(payload(event, cwd=str(place.project), session_id="s")).encode()
    said = place.reads(body, event)
    assert (said.answer, said.event) == (b"null", event)
