"""`hookd replay` at the command line: sources, changes, errors, and a new user's first day."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hookd.cli.history.replay import replay
from support.transcripts import transcript_file

RULE = {"id": "no-push", "urgency": "block", "toolFilter": {"include": ["Bash(git push *)"]}}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without hookd's database, with one transcript."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HOOKD_HOME", str(tmp_path / "hookd"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    folder = tmp_path / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    lines = [call(number, command) for number, command in enumerate(("ls", "git push a"), 1)]
    (folder / "abc.jsonl").write_text("".join(lines))
    return tmp_path


def call(number: int, command: str) -> str:
    block = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": command}}
    entry = {
        "type": "assistant",
        "sessionId": "abc",
        "cwd": "/work",
        "timestamp": f"2999-01-31T08:00:0{number}.000Z",
        "message": {"content": [block]},
    }
    return json.dumps(entry) + "\n"


def run(*words: str, code: int = 0) -> Result:
    done = CliRunner().invoke(replay, list(words))
    assert done.exit_code == code, (done.output, done.exception)
    return done


def report(*words: str) -> Any:
    return json.loads(run(*words, "--json").stdout)


def test_a_new_user_has_history_on_the_first_day(place: Path) -> None:
    done = run("--rule", "Bash(git push *)", "--deny")
    assert "transcripts are used" in done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "2 events of 1 session, 2999-01-31 to 2999-01-31."
    assert "  newly denied              1   1 call in 1 session" in lines
    assert "     abc:2; by tried-rule" in lines
    assert max(map(len, lines)) <= 80
    assert not (place / "hookd").exists()


@pytest.mark.parametrize("named", ["folder", "file", "default"])
def test_transcripts_are_named_or_found(place: Path, named: str) -> None:
    folder = place / ".claude" / "projects" / "-work"
    words = {
        "folder": ("--transcripts", str(folder)),
        "file": (str(folder / "abc.jsonl"),),
        "default": ("--transcripts",),
    }
    assert report(*words[named], "--rule", "Bash", "--ask", "Sure?")["newAsk"]["count"] == 2


def test_rules_of_a_file_are_tried(place: Path) -> None:
    (place / "rules.json").write_text(json.dumps([{"rule": RULE, "scope": "user"}]))
    found = report("--with", str(place / "rules.json"))
    assert found["change"] == ["rule no-push denies Bash(git push *)"]
    assert [one["event"] for one in found["newDeny"]["events"]] == ["abc:2"]


@pytest.mark.parametrize(("folder", "place_said"), [("work/.hookd", True), ("elsewhere", False)])
def test_a_rules_file_is_tried(place: Path, folder: str, place_said: bool) -> None:
    file = place / folder / "rules.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("rules:\n- id: no-push\n  match: Bash(git push *)\n  deny: No.\n")
    found = report("--with", str(file))
    where = f" in {place / 'work'}" if place_said else ""
    assert found["change"] == [f"rule no-push denies Bash(git push *){where}"]
    assert found["newDeny"]["count"] == (0 if place_said else 1)


def test_each_mistake_of_a_rules_file_has_its_place(place: Path) -> None:
    file = place / "rules.yaml"
    file.write_text("rules:\n- id: a\n  match: Bash(a; b)\n  deny: x\n- id: b\n  odd: 1\n")
    said = run("--with", str(file), code=1).stderr
    assert f"{file}:3:" in said
    assert f"{file}:6:" in said


def test_settings_and_policies_are_tried(place: Path) -> None:
    found = report("--policy", "destructive-guard=off", "--set", "context.budget=2000")
    assert found["change"] == ["policy destructive-guard: off", "context.budget = 2000"]


def test_a_condition_sets_the_exit_code(place: Path) -> None:
    done = run("--rule", "Bash", "--deny", "--fail-on", "new-deny > 1", code=1)
    assert done.stderr.endswith("hookd: failed: new-deny > 1: it is 2\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fail-on", "x"), "is no condition"),
        (("--rule", "Bash"), "Give --rule with one of --deny and --ask."),
        (("--deny",), "Give --rule with one of --deny and --ask."),
        (("--rule", "Bash", "--deny", "--ask"), "Give --rule with one of --deny and --ask."),
        (("--policy", "x=off"), "There is no policy 'x'"),
        (("--set", "x"), "is no setting"),
        (("--transcripts", "/", "file"), "Give files or --transcripts, not both."),
    ],
)
def test_wrong_words_are_refused(place: Path, words: tuple[str, ...], said: str) -> None:
    assert said in run(*words, code=2).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rule", "Bash(a; b)", "--deny"), "The rule is invalid: "),
        (("--set", "context.budget=1"), "The change is invalid: context.budget: "),
        (("--set", "heartbeat.nothing=1"), "The change is invalid: "),
        (("--since", "x"), "'x' is neither an age nor a time."),
        (("--transcripts", "/nowhere"), "There is no folder /nowhere."),
        (("/nowhere.json",), "/nowhere.json cannot be read"),
        (("--with", "/nowhere.json"), "/nowhere.json cannot be read"),
    ],
)
def test_what_is_wrong_is_named(place: Path, words: tuple[str, ...], said: str) -> None:
    assert said in run(*words, code=1).stderr


@pytest.mark.parametrize(("text", "said"), [("{", "is not JSON"), ("7", "it has no list of rules")])
def test_a_file_of_rules_that_is_none_is_refused(place: Path, text: str, said: str) -> None:
    (place / "rules.json").write_text(text)
    assert said in run("--with", str(place / "rules.json"), code=1).stderr


@pytest.mark.parametrize(
    ("client", "product"),
    [
        ("codex", "Codex"),
        ("gemini", "Gemini CLI"),
        ("qwen", "Qwen Code"),
        ("copilot", "Copilot CLI"),
    ],
)
def test_a_transcript_of_another_client_is_refused(place: Path, client: str, product: str) -> None:
    file = place / "other" / "s.jsonl"
    file.parent.mkdir()
    file.write_bytes(transcript_file(client).read_bytes())
    for words in ((str(file),), ("--transcripts", str(file.parent))):
        said = run(*words, code=1).stderr
        assert f"{file} is a transcript of {product}; replay reads those of Claude Code." in said
        assert "hookd replay --since 7d" in said


def test_transcripts_and_exported_events_are_not_mixed(place: Path) -> None:
    (place / "events.json").write_text('[{"id": 1, "payload": {}}]')
    transcript = place / ".claude" / "projects" / "-work" / "abc.jsonl"
    done = run(str(transcript), str(place / "events.json"), code=2)
    assert "Give transcripts or exported events, not both." in done.stderr
