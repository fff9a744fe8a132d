"""What the terminal does with handovers: the example of its help works, and errors teach."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.home import HOOKD, Window

WHOLE: dict[str, Any] = {
    "summary": "GET /orders takes page and size.",
    "lastAction": "Wrote the test of the last page.",
    "nextSteps": ["Document both.", "Ask for a review."],
    "requiredFiles": ["docs/api.md"],
}


def save(window: Window, text: str, *args: str, check: bool = True) -> Any:
    command = ("handover", "save", *args)
    env = {"CLAUDE_CODE_SESSION_ID": window.id}
    return window.home.hookd(*command, input=text, cwd=window.project, env=env, check=check)


def test_a_handover_is_kept_shown_and_listed(window: Window) -> None:
    window.says("SessionStart")
    ((number,),) = window.sessions("id")
    assert save(window, json.dumps(WHOLE), "--session", str(number)).stdout.startswith(
        f"Saved the handover of session {number}"
    )
    again = save(window, json.dumps(WHOLE | {"userHistory": ["Mind the old one."]}))
    assert again.stdout.endswith("instead of the one before.\n")
    here = window.home.hookd("handover", "show", cwd=window.project).stdout
    assert here == window.home.hookd("handover", "show", str(number)).stdout
    assert here.startswith(f"Handover of session {number}\n")
    assert "\nNext steps\n  Document both.\n  Ask for a review.\n" in here
    assert here.endswith("\nWhat the user asked for\n  Mind the old one.\n")
    below = Path(window.project, "src", "deep")
    below.mkdir(parents=True)
    one = json.loads(window.home.hookd("handover", "show", "--json", cwd=below).stdout)
    assert one["handover"]["summary"] == WHOLE["summary"]
    listed = json.loads(window.home.hookd("handover", "list", "--json").stdout)
    assert number in [row["sessionId"] for row in listed]
    assert "GET /orders takes page and size." in window.home.hookd("handover", "list").stdout


def test_a_handover_is_read_from_a_file(window: Window, tmp_path: Path) -> None:
    window.says("SessionStart")
    file = tmp_path / "handover.json"
    file.write_text(json.dumps(WHOLE), "utf-8")
    result = json.loads(save(window, "", str(file), "--json").stdout)
    assert (result["dropped"], result["replaced"]) == ([], False)


def test_files_beyond_the_eighth_are_named(window: Window) -> None:
    window.says("SessionStart")
    done = save(window, json.dumps(WHOLE | {"requiredFiles": [f"{n}.md" for n in range(10)]}))
    assert done.stderr == "hookd: more than eight files; left out: 8.md, 9.md\n"


def test_the_example_of_the_help_works_in_bash(window: Window) -> None:
    window.says("SessionStart")
    told = window.home.hookd("handover", "save", "--help").stdout
    (example,) = re.findall(r"(?ms)^hookd handover save <<'EOF'\n.*?^EOF\n", told)
    done = subprocess.run(
        ["bash", "-c", example.replace("hookd", str(HOOKD), 1)],
        env=window.home.env | {"CLAUDE_CODE_SESSION_ID": window.id},
        cwd=window.project,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Saved the handover")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The handover is empty: expected a JSON object."),
        ("{", "Invalid JSON: "),
        ("[]", "A handover is a JSON object."),
        ("{}", "The handover lacks summary, lastAction, nextSteps, requiredFiles."),
        (
            json.dumps(WHOLE | {"lastAction": " "}),
            "The daemon refuses this handover: lastAct",
        ),
        (
            json.dumps(WHOLE | {"nextSteps": []}),
            "The daemon refuses this handover: nextSteps",
        ),
        (json.dumps(WHOLE | {"more": 1}), "The daemon refuses this handover: more: "),
    ],
)
def test_what_is_no_handover_is_told(window: Window, text: str, sentence: str) -> None:
    window.says("SessionStart")
    done = save(window, text, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"hookd: {sentence}")
    daemons_own = "Invalid JSON" not in sentence
    assert ("hookd handover save --help" in done.stderr) == daemons_own


def test_a_file_that_cannot_be_read_is_told(window: Window, tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b'{"summary": "\xe9"}')
    for place, why in [("none", "cannot be read"), ("", "cannot be read"), ("latin", "not UTF-8")]:
        done = save(window, "", str(tmp_path / place), check=False)
        assert done.returncode == 1
        assert why in done.stderr


def test_a_handover_that_is_not_there_is_told(window: Window) -> None:
    for args, place in [((), "in this project"), (("999999",), "of session 999999")]:
        done = window.home.hookd("handover", "show", *args, cwd=window.project, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith(f"hookd: There is no handover {place}.\n")


def test_where_no_session_is_open_one_has_to_be_named(window: Window) -> None:
    command = ("handover", "save")
    done = window.home.hookd(*command, input=json.dumps(WHOLE), cwd=window.project, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("next: hookd session list, then --session ID\n")
