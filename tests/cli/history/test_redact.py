"""`hookd redact test`: the text without its secrets, and where each secret was."""

import json
from pathlib import Path

import pytest

from support.home import Home

KEY = "sk-ant-" + "api03-" + "Q7w" * 12
TEXT = f"key = {KEY}\n\tcurl -u me:hunter2horse https://x\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Home:
    path = tmp_path_factory.mktemp("home")
    return Home(path, {"PATH": "/usr/bin:/bin", "HOME": str(path), "HOOKD_HOME": str(path)})


def test_a_text_is_shown_as_it_is_kept_and_each_find_with_its_place(place: Home) -> None:
    done = place.hookd("redact", "test", input=TEXT)
    assert done.stdout == (
        "key = [redacted:anthropic-key]\n"
        "\tcurl -u me:[redacted:flag] https://x\n"
        "\n"
        "kind           line  column\n"
        "anthropic-key     1       7\n"
        "flag              2      13\n"
    )


def test_a_file_is_read_and_its_name_tells_what_it_is(place: Home) -> None:
    file = place.path / ".env"
    file.write_text("HOST=internal-host-77\n")
    done = place.hookd("redact", "test", str(file))
    assert done.stdout == "HOST=[redacted:env]\n\nkind  line  column\nenv      1       6\n"
    plain = place.path / "notes.txt"
    plain.write_text("HOST=internal-host-77\n")
    done = place.hookd("redact", "test", str(plain))
    assert done.stdout == "HOST=internal-host-77\n\nNo secrets found.\n"


def test_programs_get_one_object(place: Home) -> None:
    done = place.hookd("redact", "test", "--json", input=f'{{"a": ["{KEY}"]}}')
    assert json.loads(done.stdout) == {
        "findings": [{"kind": "anthropic-key", "line": 1, "column": 9}],
        "text": '{"a":["[redacted:anthropic-key]"]}',
    }


def test_what_is_read_cannot_rewrite_the_terminal(place: Home) -> None:
    done = place.hookd("redact", "test", input="a\x1b[2Jb\r\x07\n")
    assert done.stdout == "a\\x1b[2Jb\\r\\x07\n\nNo secrets found.\n"


@pytest.mark.parametrize(
    ("name", "why"), [("missing", "No such file or directory"), ("", "Is a directory")]
)
def test_what_cannot_be_read_is_said_in_a_sentence(place: Home, name: str, why: str) -> None:
    path = Path(place.path, name)
    done = place.hookd("redact", "test", str(path), check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"hookd: {path} cannot be read: {why}.\n  next: ")


def test_what_is_too_long_is_refused(place: Home) -> None:
    file = place.path / "long"
    with file.open("wb") as out:
        out.truncate(16_000_001)
    done = place.hookd("redact", "test", str(file), check=False)
    assert (done.returncode, "longer than 16 MB" in done.stderr) == (1, True)
