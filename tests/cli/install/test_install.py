"""`hookd install` and `hookd uninstall` on real files in a home of their own."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from hookd import paths
from hookd.cli.doctor.checks import own_programs
from hookd.cli.install import install, settings_file, settings_record
from hookd.cli.install import shims as installed_shims
from hookd.cli.lib import transport
from hookd.cli.lib.errors import Problem
from hookd.clients.claude_code.registration import register
from hookd.clients.hook_groups import Shim
from hookd.core.model.shim_config import EventRule
from support.installation import (
    EVERY,
    FOREIGN,
    NC,
    config,
    done,
    furnish,
    hookd,
    mode,
    program,
    record,
    refused,
    shims,
)
from support.scripted_daemon import Peer

_NO_SOURCE = "the package has no native/hookd-hook.c"
PYTHON = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
SOCAT = NC.format(python=sys.executable).replace(
    'assert sys.argv[1:4] == ["-U", "-w", sys.argv[3]]',
    'assert sys.argv[3] == "STDIO"; sys.argv[4] = sys.argv[4].removeprefix("UNIX-CONNECT:")',
)


PERL = shutil.which("perl") or ""
PYTHONS = tuple(f"python3:{place}" for place in transport.interpreters())


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with hookd's program, its packaged shims, and an `nc` that knows Unix sockets."""
    return furnish(tmp_path, monkeypatch)


@pytest.fixture
def file(home: Path) -> Path:
    (home / ".claude").mkdir()
    return home / ".claude" / "settings.json"


# install


def test_install_registers_every_event_in_a_new_private_file(home: Path) -> None:
    facts = done("install")
    file = home / ".claude" / "settings.json"
    shim = Shim(str(shims(home) / "user"))
    assert json.loads(file.read_text()) == register({}, shim, EVERY)
    assert mode(file) == 0o600
    assert file.read_text().startswith('{\n  "hooks": {\n    "SessionStart"')
    assert file.read_text().endswith("}\n")
    assert facts == {
        "client": "claude-code",
        "changed": True,
        "settings": str(file),
        "scope": "user",
        "events": EVERY,
        "backup": None,
        "shims": shim.folder,
        "transport": f"nc:{home}/bin/nc",
        "transport_ms": facts["transport_ms"],
        "hookd": str(home / "bin/hookd"),
        "client_version": "2.1.329",
        "fail_closed": [],
        "no_verdict": "judge",
        "shim": {"wanted": "auto", "used": "bash", "built": "", "why": _NO_SOURCE},
        "permissions": {
            "allowed": [],
            "put_in": [],
            "taken_out": [],
            "command": "hookd install --permissions",
        },
        "profile": "guards",
        "notes": [],
    }


def test_the_links_of_a_scope_and_what_the_shim_needs_are_in_a_private_folder(home: Path) -> None:
    done("install", "--events", "PreToolUse,Stop", "--fail-closed")
    folder = shims(home) / "user"
    assert (mode(folder), mode(folder / "config")) == (0o700, 0o600)
    assert sorted(path.name for path in folder.iterdir()) == ["PreToolUse", "Stop", "config"]
    assert {str((folder / name).readlink()) for name in ("PreToolUse", "Stop")} == {"../hookd-hook"}
    known = config(home)
    assert known.socket == str(paths.paths().socket)
    assert known.hookd == str(home / "bin/hookd")
    assert known.python == sys.executable
    assert known.settings == str(home / ".claude" / "settings.json")
    assert known.transports[0] == f"nc:{home}/bin/nc"
    assert all(one.startswith("python3:/") for one in known.transports[1:])
    assert known.events == {"PreToolUse": EventRule(13, True), "Stop": EventRule(28, False)}


def test_other_events_than_before_have_other_links(home: Path) -> None:
    done("install", "--events", "PreToolUse,Stop")
    done("install", "--events", "SessionEnd")
    assert sorted(path.name for path in (shims(home) / "user").iterdir()) == [
        "SessionEnd",
        "config",
    ]


def test_what_is_in_the_place_of_a_link_or_the_configuration_is_replaced(home: Path) -> None:
    done("install", "--events", "Stop")
    folder = shims(home) / "user"
    (folder / "Stop").unlink()
    (folder / "Stop").write_text("#!/bin/sh\n")
    (folder / "config").unlink()
    (folder / "config").symlink_to(home / "elsewhere")
    assert done("install")["changed"] is True
    assert str((folder / "Stop").readlink()) == "../hookd-hook"
    assert config(home).events.keys() == {"Stop"}
    assert not (home / "elsewhere").exists()


def test_each_settings_file_has_a_folder_of_its_own(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = home / "other"
    done("install", "--events", "Stop", "--fail-open")
    done("install", "--settings", str(other / "settings.json"), "--fail-closed")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(other / "claude"))
    done("install")
    scopes = {path.name for path in shims(home).iterdir() if path.is_dir()}
    assert {re.sub("[0-9a-f]{8}$", "HASH", name) for name in scopes} == {
        "user",
        "file-HASH",
        "user-HASH",
    }
    closed = {name: config(home, name).closed for name in scopes}
    assert sorted(map(len, closed.values())) == [0, 0, 2]
    assert (closed["user"], config(home).events.keys()) == ((), {"Stop"})


def test_entries_of_the_older_form_are_renewed_where_they_are(home: Path, file: Path) -> None:
    args = ["--event", "PreToolUse", "--socket", "/s", "--transport", "nc:/n", "--fail-closed"]
    older = {"type": "command", "command": "/old/hookd-hook", "args": args, "statusMessage": "…"}
    group = {"matcher": "Bash", "hooks": [FOREIGN, older | {"onFailure": "block"}]}
    file.write_text(json.dumps({"hooks": {"PreToolUse": [group]}}))
    assert done("install", "--fail-open")["events"] == ["PreToolUse"]
    ((_, new),) = (one["hooks"] for one in json.loads(file.read_text())["hooks"]["PreToolUse"])
    link = str(shims(home) / "user" / "PreToolUse")
    made = {"type": "command", "command": link, "args": [], "timeout": 15}
    assert new == made | {"statusMessage": "…"}
    done("uninstall")
    assert json.loads(file.read_text()) == {
        "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [FOREIGN]}]}
    }


def test_what_failed_closed_in_the_older_form_still_does(home: Path, file: Path) -> None:
    older = {"type": "command", "command": "/old/hookd-hook", "args": ["--fail-closed"]}
    file.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [older]}]}}))
    assert done("install")["fail_closed"] == ["PreToolUse"]
    assert config(home).closed == ("PreToolUse",)


def test_a_configuration_that_is_lost_does_not_open_what_failed_closed(home: Path) -> None:
    done("install", "--fail-closed", "PreToolUse")
    (shims(home) / "user" / "config").unlink()
    assert done("install")["fail_closed"] == ["PreToolUse"]


ODD = [
    "a b",
    "it's",
    'q"q',
    "$HOME",
    "a&b",
    "a;b",
    "(x)",
    "a*b",
    "~a",
    "tab\tx",
    "back\\slash",
    "🐢",
]


@pytest.mark.parametrize("name", ODD)
def test_a_path_that_a_shell_would_change_is_quoted_and_passed_to_one(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOOKD_HOME", str(home / name))
    done("install", "--events", "Stop")
    file = home / ".claude" / "settings.json"
    ((entry,),) = (one["hooks"] for one in json.loads(file.read_text())["hooks"]["Stop"])
    link = str(home / name / "shims" / "user" / "Stop")
    assert (entry["command"], "args" in entry) == (shlex.quote(link), False)
    assert done("install")["changed"] is False
    assert done("uninstall")["shims"] == "removed"
    assert not file.exists()


@pytest.mark.parametrize("name", ["żółw", "a.b_c-d@e+f,g:h=i%j"])
def test_a_path_that_a_shell_takes_as_it_is_needs_none(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOOKD_HOME", str(home / name))
    done("install", "--events", "Stop")
    text = (home / ".claude" / "settings.json").read_text()
    ((entry,),) = (one["hooks"] for one in json.loads(text)["hooks"]["Stop"])
    assert (entry["command"], entry["args"]) == (f"{home}/{name}/shims/user/Stop", [])


def test_an_odd_name_of_a_plain_folder_is_not_registered(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "plain").mkdir()
    (home / "od d").symlink_to(home / "plain")
    monkeypatch.setenv("HOOKD_HOME", str(home / "od d"))
    done("install", "--events", "Stop")
    text = (home / ".claude" / "settings.json").read_text()
    assert f'"{home}/plain/shims/user/Stop"' in text


@pytest.mark.parametrize("name", ["line\nbreak", os.fsdecode(b"caf\xe9")])
def test_a_path_that_cannot_be_registered_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("HOOKD_HOME", str(home / name))
    refused("install")
    assert not (home / ".claude").exists()


@pytest.mark.gate
def test_the_transport_is_told_with_its_milliseconds_and_a_slow_one_is_noted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    facts = done("install")
    assert facts["transport_ms"] > 0
    assert re.search(r"  transport  nc:\S+, [0-9.]+ ms for a round trip\n", hookd("install").stdout)
    monkeypatch.setattr(transport, "SLOW_MS", 0.0)
    (note,) = done("install")["notes"]
    assert note.endswith("install nc (netcat-openbsd) or socat, then hookd install")


def test_install_says_what_it_did_and_what_to_do_next(file: Path) -> None:
    file.write_text("{}")
    out = hookd("install").stdout
    assert out.startswith("hookd is registered with Claude Code.\n")
    assert "  events     30, the default\n" in out
    assert "  client     2.1.329\n" in out
    for text in (str(file), "shims/user", "nc:", ".hookd-backup", "hookd start"):
        assert text in out


def test_a_daemon_that_runs_is_not_to_be_started(home: Path) -> None:
    place = paths.paths().socket
    place.parent.mkdir(parents=True)
    with ExitStack() as stack:
        peer = Peer(place)
        stack.enter_context(peer.listener)
        stack.callback(peer.listener.shutdown, socket.SHUT_RDWR)
        out = hookd("install", "--client", "claude-code,codex").stdout
    assert "hookd start" not in out
    assert "  next       start Claude Code; running sessions reload" in out
    assert "  next       open Codex once" in out
    assert "  next       hookd start, then start Claude Code" in hookd("install").stdout


def test_a_second_install_changes_nothing_and_says_so(file: Path) -> None:
    hookd("install")
    before = {path: path.read_bytes() for path in file.parent.parent.rglob("*") if path.is_file()}
    result = hookd("install")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        0,
        "Nothing changed: hookd is registered with Claude Code already.",
    )
    after = {path: path.read_bytes() for path in file.parent.parent.rglob("*") if path.is_file()}
    assert before == after


def test_the_shims_are_executable_stand_in_a_private_folder_and_are_renewed(home: Path) -> None:
    done("install")
    folder = shims(home)
    assert (mode(folder), mode(folder / "hookd-hook")) == (0o700, 0o755)
    (home / "packaged" / "hookd-hook").write_text("#!/bin/bash -p\n# newer\n")
    (home / "packaged" / "hookd-statusline").write_text("#!/bin/bash -p\n")
    assert "shims or configuration were updated" in hookd("install").stdout
    names = [
        "hookd-alone",
        "hookd-cold",
        "hookd-hook",
        "hookd-hook.native.json",
        "hookd-statusline",
        "user",
    ]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert (folder / "hookd-hook").read_text().endswith("# newer\n")


def test_what_the_hook_s_shim_reads_comes_before_it(home: Path) -> None:
    (home / "packaged" / "hookd-statusline").write_text("#!/bin/bash -p\n")
    names = [file.name for file in installed_shims.shipped()]
    assert names == ["hookd-alone", "hookd-cold", "hookd-statusline", "hookd-hook"]


@pytest.mark.parametrize("shim", ["hookd-hook", "hookd-cold"])
def test_a_package_without_a_shim_is_a_problem_and_nothing_is_written(
    home: Path, shim: str
) -> None:
    (home / "packaged" / shim).unlink()
    assert f"has no {shim}" in refused("install")
    assert not (home / ".claude").exists()
    assert not (home / "hookd-home").exists()


def test_options_reach_the_configuration(home: Path) -> None:
    done(
        "install",
        "--fail-closed",
        "--forward-env",
        "CI",
        "--forward-env",
        "TICKET",
        "--forward-env",
        "CI",
    )
    assert config(home).variables == ("CI", "TICKET")
    assert config(home).closed == ("PreToolUse", "PermissionRequest")


def test_variables_are_kept_until_others_or_none_are_named(home: Path, file: Path) -> None:
    done("install", "--forward-env", "CI", "--forward-env", "TICKET")
    done("install")
    assert config(home).variables == ("CI", "TICKET")
    done("install", "--forward-env", "BUILD")
    assert config(home).variables == ("BUILD",)
    assert "exclude each other" in refused("install", "--forward-env", "CI", "--no-forward-env")
    done("install", "--no-forward-env")
    assert config(home).variables == ()
    done("uninstall")
    args = ["--event", "Stop", "--socket", "/s", "--send", "CI", "--transport", "nc:/n"]
    entry = {"type": "command", "command": f"{shims(home)}/hookd-hook", "args": args}
    file.write_text(json.dumps({"hooks": {"Stop": [{"matcher": "*", "hooks": [entry]}]}}))
    done("install")
    assert config(home).variables == ("CI",)


def test_a_variable_is_sent_by_its_name_alone(file: Path) -> None:
    assert '"CI=1"' in refused("install", "--forward-env", "CI=1")
    assert not file.exists()


def test_the_folder_of_the_settings_comes_from_claude_code_s_own_variable(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "other"))
    assert done("install")["settings"] == str(home / "other" / "settings.json")
    assert done("install", "--settings", "~/mine.json")["settings"] == str(home / "mine.json")


# what carries the bytes, and the program


def test_an_nc_that_knows_no_unix_sockets_is_passed_over(home: Path) -> None:
    program(home, "nc", "#!/bin/sh\nexit 1\n")
    socat = program(home, "socat", SOCAT)
    assert done("install")["transport"] == f"socat:{socat}"
    assert [one.partition(":")[0] for one in config(home).transports[:2]] == ["socat", "python3"]


@pytest.mark.skipif(not PERL, reason="perl is not installed here")
def test_perl_carries_the_bytes_where_there_is_no_nc(home: Path) -> None:
    (home / "bin" / "nc").unlink()
    (home / "bin" / "perl").symlink_to(PERL)
    facts = done("install")
    assert (facts["transport"], facts["notes"]) == (f"perl:{home}/bin/perl", [])
    assert config(home).transports == (f"perl:{home}/bin/perl", *PYTHONS)


@pytest.mark.parametrize("text", ['#!/bin/sh\nexec {perl} "$@"\n', "\x7fELF"])
def test_a_perl_that_is_a_script_or_does_not_work_is_passed_over(home: Path, text: str) -> None:
    (home / "bin" / "nc").unlink()
    program(home, "perl", text.format(perl=PERL))
    done("install")
    assert config(home).transports == PYTHONS


@pytest.mark.parametrize("nc", ["exec /bin/sleep 60", "echo PING", "exec /nowhere/program"])
def test_an_nc_that_never_connects_is_passed_over(
    home: Path, monkeypatch: pytest.MonkeyPatch, nc: str
) -> None:
    monkeypatch.setattr(transport, "_STEP_TIMEOUT_S", 0.05)
    program(home, "nc", f"#!/bin/sh\n{nc}\n")
    assert done("install")["transport"] == f"python3:{PYTHON}"


def test_without_any_of_them_the_interpreter_that_runs_hookd_carries_the_bytes(home: Path) -> None:
    """A `python3` of the PATH may be a script that looks for one."""
    (home / "bin" / "nc").unlink()
    program(home, "python3", "#!/bin/sh\nexit 1\n")
    facts = done("install")
    assert facts["transport"] == f"python3:{PYTHON}"
    assert not Path(PYTHON).read_bytes().startswith(b"#!")
    (note,) = facts["notes"]
    assert note.startswith("without nc, socat and perl every hook starts Python: ")


def test_without_a_program_to_start_the_daemon_nothing_is_registered(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/__main__.py"])
    monkeypatch.setattr(sys, "executable", str(home / "bin" / "python"))
    assert done("install")["hookd"] == str(home / "bin" / "hookd")
    (home / "bin" / "hookd").unlink()
    assert "hookd was not found" in refused("install", "--settings", str(home / "new.json"))
    assert not (home / "new.json").exists()


# the file's own form


@pytest.mark.parametrize(
    "text",
    [
        '{\n    "model": "opus",\n    "permissions": {\n        "allow": []\n    }\n}\n',
        '{\n\t"größe": "日本 – 😀"\n}',
        '{\r\n  "a": {},\r\n  "b": [\r\n    1\r\n  ]\r\n}\r\n',
        '{\n  "n": [\n    1.0,\n    1e3,\n    -0,\n    0.10,\n    12345678901234567890123\n  ]\n}',
        '{\n  "half": "\\ud83d",\n  "yes": true,\n  "no": null\n}\n',
    ],
)
def test_everything_that_is_not_ours_stays_as_a_person_wrote_it(file: Path, text: str) -> None:
    file.write_bytes(text.encode())
    done("install")
    body, newline = text.rstrip()[:-1].rstrip(), "\r\n" if "\r" in text else "\n"
    installed = file.read_bytes().decode()
    indent = text[1 : text.index('"')]
    assert installed.startswith(f'{body},{indent}"hooks": {{{newline}')
    assert installed.endswith(newline + text[text.rindex("}") :])
    assert installed.count("\n") == installed.count(newline)
    # One more key, so that the file is not restored but written again without our entries.
    file.write_bytes(installed.replace("{", '{"new": 0,', 1).encode())
    assert done("uninstall")["restored"] is False
    assert file.read_bytes().decode() == text.replace("{", '{"new": 0,', 1)


@pytest.mark.parametrize(
    "raw",
    [
        b'{\n  "permissions": {"allow": ["Bash(ls)", "Read"], "deny": []},\n  "n": [1,2, 3]\n}\n',
        b'{\n   "z": 1,\n "a" : 2 ,\n      "m": [ ]\n}\n\n',
        b'{"a":1,"b":{"c":[1,2]}}',
        b'{ "a": [ 1, 1.0, 1E3, -0.0 ], "b" :{ } }',
        b'{\r\n\t"a": "\\u00e9 \\/ \xc3\xa9 \\\\",\r\n\t"b\\u0041": 1e3\r\n}\r\n',
        b'\n\n{"hooks": {"Stop": [{"hooks":[{"type":"command","command":"x"}]}]},\n"z": 1\n}',
        b'{"z": [[],[ ]], "hooks": {\n  "PreToolUse": [ {"matcher": "Edit", "hooks": [ ]} ]\n} }\n',
    ],
)
def test_lines_that_hookd_does_not_change_stay_byte_for_byte(file: Path, raw: bytes) -> None:
    file.write_bytes(raw)
    done("install", "--events", "PreToolUse,Stop,Setup")
    installed, at = file.read_bytes(), 0
    for part in filter(None, re.split(rb"[\s,\]}]*(?:\n|$)", raw)):
        at = installed.index(part, at) + len(part)
    file.write_bytes(installed + b"\n")
    assert done("uninstall")["restored"] is False
    assert file.read_bytes() == raw + b"\n"


@pytest.mark.parametrize("raw", [b"", b" \n", b"\xef\xbb\xbf", b"{}"])
def test_a_file_without_settings_is_filled_and_given_back(file: Path, raw: bytes) -> None:
    file.write_bytes(raw)
    done("install")
    assert list(json.loads(file.read_bytes())) == ["hooks"]
    assert done("uninstall")["restored"] is True
    assert file.read_bytes() == raw


def test_a_byte_order_mark_is_kept_out(file: Path) -> None:
    file.write_bytes(b'\xef\xbb\xbf{"model": "opus"}')
    done("install")
    assert file.read_bytes().startswith(b'{"model": "opus"')


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b'{\n  "a": 1,\n}', "is not valid JSON: line 3, column 1: Expecting property name"),
        (b'{"a": {"env": 1, "env": 2}}', 'the key "env" is twice in one object'),
        (b'{"a": NaN}', "NaN is not a JSON value"),
        (b"[]", "is not a JSON object"),
        (b'{"a": "\xff"}', "is not UTF-8: see byte 7"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"hooks": {"Stop": {}}}', "hooks.Stop must be a list, but is an object"),
    ],
)
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_file_that_cannot_be_understood_is_named_and_left_alone(
    file: Path, command: str, raw: bytes, sentence: str
) -> None:
    file.write_bytes(raw)
    said = refused(command)
    assert str(file) in said
    assert sentence in said
    assert file.read_bytes() == raw
    assert list(file.parent.iterdir()) == [file]


def test_a_place_that_cannot_be_written_is_one_sentence(home: Path, file: Path) -> None:
    (home / "plain").write_text("")
    file.mkdir()
    assert "is not a regular file" in refused("install")
    assert "Not a directory" in refused("install", "--settings", str(home / "plain" / "s.json"))


def test_the_mode_is_kept_for_the_file_and_its_backup(file: Path) -> None:
    file.write_text("{}")
    file.chmod(0o640)
    backup = Path(done("install")["backup"])
    assert (mode(file), mode(backup)) == (0o640, 0o640)
    assert mode(record(file.parent.parent)) == 0o600


def test_a_link_stays_a_link_and_its_target_is_written(home: Path, file: Path) -> None:
    target = home / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_text("{}")
    file.symlink_to(target)
    assert done("install")["backup"] == f"{target}.hookd-backup"
    assert file.is_symlink()
    assert "hooks" in json.loads(target.read_text())
    done("uninstall")
    assert (file.is_symlink(), target.read_text()) == (True, "{}")


def test_a_change_by_somebody_else_meanwhile_is_never_overwritten(home: Path, file: Path) -> None:
    file.write_text("{}")
    document = settings_file.read(file)
    file.write_text('{"model": "opus"}')
    with pytest.raises(Problem, match="changed by another process"):
        settings_record.save(document, b"{}\n", home / "install.json")
    assert file.read_text() == '{"model": "opus"}'
    assert [path.name for path in file.parent.iterdir() if "backup" not in path.name] == [file.name]


# uninstall


def test_uninstall_takes_a_file_away_that_install_made(home: Path) -> None:
    done("install")
    assert done("uninstall")["restored"] is True
    assert not (home / ".claude" / "settings.json").exists()
    assert [path for path in (home / "hookd-home").rglob("*") if path.is_file()] == []


def test_a_newer_registration_over_an_older_one_still_leads_back_to_the_original(
    file: Path,
) -> None:
    file.write_bytes(b'{"model":"opus"}')
    done("install")
    backup = Path(done("install", "--fail-closed")["backup"])
    assert backup.read_bytes() == b'{"model":"opus"}'
    assert done("uninstall")["restored"] is True
    assert file.read_bytes() == b'{"model":"opus"}'
    assert not backup.exists()


def test_the_backup_follows_a_person_s_changes_and_hookd_is_still_taken_out(file: Path) -> None:
    file.write_text('{"hooks": {"Stop": []}}')
    done("install")
    edited = file.read_text().replace("{", '{"model": "opus",', 1)
    file.write_text(edited)
    backup = Path(done("install", "--fail-closed")["backup"])
    assert backup.read_text() == edited
    assert done("uninstall")["restored"] is False
    assert json.loads(file.read_text()) == {"model": "opus", "hooks": {"Stop": []}}
    assert backup.read_text() == edited


def test_a_backup_that_somebody_touched_is_not_restored(file: Path) -> None:
    file.write_text('{"model": "opus"}')
    Path(done("install")["backup"]).write_text("not what it was")
    assert done("uninstall")["restored"] is False
    assert json.loads(file.read_text()) == {"model": "opus"}


def test_uninstall_without_a_record_takes_out_our_entries_alone(home: Path, file: Path) -> None:
    foreign = {"hooks": {"Stop": [{"hooks": [FOREIGN]}]}, "größe": 1.0}
    file.write_text(json.dumps(foreign))
    done("install")
    record(home).unlink()
    out = hookd("uninstall").stdout
    assert out.startswith("hookd's entries are removed; the rest of the settings is unchanged.")
    assert json.loads(file.read_text()) == foreign


def test_a_lost_record_does_not_cost_the_backup(home: Path, file: Path) -> None:
    file.write_text("{}")
    backup = Path(done("install")["backup"])
    record(home).unlink()
    done("install")
    assert backup.read_text() == "{}"


def test_uninstall_where_nothing_is_registered_says_so(file: Path) -> None:
    file.write_text(' {"model" : 1.0}')
    result = hookd("uninstall")
    assert (result.exit_code, file.read_text()) == (0, ' {"model" : 1.0}')
    assert result.stdout.startswith("Nothing changed: hookd is not registered")


def test_the_shims_go_with_the_last_settings_that_name_them(home: Path, file: Path) -> None:
    folder = shims(home)
    project = str(home / "project" / "settings.json")
    done("install")
    done("install", "--settings", project)
    assert done("uninstall")["shims"] == (
        f"kept: {project} names them in its hooks, 30, the default"
        f" (hookd uninstall --settings {project})"
    )
    assert (folder / "hookd-hook").exists()
    assert not (folder / "user").exists()
    assert done("uninstall", "--settings", project)["shims"] == "removed"
    assert not folder.exists()
    assert not record(home).exists()


def test_the_shims_stay_while_a_status_line_uses_one(home: Path, file: Path) -> None:
    line = {"statusLine": {"command": str(home / "hookd-home/shims/hookd-statusline")}}
    file.write_text(json.dumps(line))
    done("install")
    assert done("uninstall")["shims"] == f"kept: {file} names them, line 1"


def test_a_linked_shims_folder_is_never_emptied(home: Path) -> None:
    (home / "hookd-home").mkdir()
    (home / "hookd-home" / "shims").symlink_to(home / "packaged")
    done("install")
    assert done("uninstall")["shims"] is None
    assert (home / "packaged" / "hookd-hook").exists()


# --dry-run


def test_a_dry_run_shows_a_diff_and_writes_nothing(home: Path, file: Path) -> None:
    file.write_text('{\n  "model": "opus"\n}')
    short = hookd("install", "--dry-run").stdout
    out = hookd("install", "--diff").stdout
    summary, _, diff = out.partition("\n\n")
    assert summary.splitlines() == [
        "hookd would be registered with Claude Code; nothing is written.",
        f"  settings   {file}",
        "  scope      user",
        "  events     30, the default",
        "  no daemon  the guards judge in a separate process",
        "  shim       auto; nothing is compiled now",
        "  client     2.1.329",
        "  allow      no entries: Claude Code may ask before `hookd log` and other commands for "
        "agents; "
        "to change: hookd install --permissions",
        "  changes    added 30, the default",
    ]
    assert diff.startswith(f"--- {file}\n+++ {file}\n@@ -1,3 +1,")
    assert '\n-  "model": "opus"\n+  "model": "opus",\n+  "hooks": {\n' in out
    assert file.read_text() == '{\n  "model": "opus"\n}'
    assert list(file.parent.iterdir()) == [file]
    assert not (home / "hookd-home").exists()
    assert short.startswith(summary)
    assert re.fullmatch(
        r"  lines      \d+ added, \d+ removed; --diff shows them\n", short[len(summary) + 1 :]
    )


def test_a_dry_run_shows_what_changes_in_the_configuration_alone(file: Path) -> None:
    done("install")
    facts = done("install", "--dry-run", "--forward-env", "CI")
    changed = [line for line in facts["diff"] if line[0] in "+-" and line[:3] not in ("+++", "---")]
    assert (facts["changed"], changed) == (True, ["+send CI"])
    assert done("install", "--dry-run")["diff"] == []


def test_a_dry_run_of_uninstall_shows_the_way_back(file: Path) -> None:
    file.write_text("{}\n")
    done("install")
    before = file.read_bytes()
    facts = done("uninstall", "--dry-run")
    assert (facts["changed"], facts["diff"][-1]) == (True, "+{}")
    assert file.read_bytes() == before
    assert hookd("install", "--dry-run").stdout.startswith("Nothing would change.\n  settings ")


def test_a_diff_is_coloured_on_a_terminal_only_and_not_with_no_color(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "\x1b" not in hookd("install", "--diff").stdout
    assert "\x1b[32m+{" in hookd("install", "--diff", color=True).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in hookd("install", "--diff", color=True).stdout


# the command as a program


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_help_has_examples_a_line_each(command: str) -> None:
    out = hookd(command, "--help").stdout
    assert f"\n    hookd {command} --settings .claude/settings.json\n" in out


def test_the_commands_need_neither_pydantic_nor_rich_nor_a_daemon() -> None:
    code = (
        "import sys; import hookd.cli.install.install; "
        "print({'pydantic', 'rich', 'sqlite3', 'asyncio'} & set(sys.modules))"
    )
    root = str(Path(install.__file__).parents[2])
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == "set()\n"


def test_a_transport_that_others_control_is_skipped_and_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = NC.format(python=sys.executable)
    clone, open_to_all, shared = home / "clone", home / "open", home / "shared"
    (clone / ".git").mkdir(parents=True)
    for root in (clone, open_to_all, shared):
        root.mkdir(exist_ok=True)
        program(root, "nc", text)
    (open_to_all / "bin").chmod(0o777)
    (shared / "bin" / "nc").chmod(0o757)
    linked = home / "linked"
    linked.mkdir()
    (linked / "nc").symlink_to(clone / "bin" / "nc")
    places = [clone / "bin", linked, open_to_all / "bin", shared / "bin"]
    search = os.pathsep.join(map(str, (*places, "bin", home / "bin")))
    monkeypatch.chdir(clone)
    monkeypatch.setenv("PATH", search)
    facts = done("install")
    assert facts["transport"] == f"nc:{home}/bin/nc"
    assert [note for note in facts["notes"] if "is not used" in note] == [
        f"{clone}/bin/nc is not used: it is in the project {clone}",
        f"{linked}/nc is not used: it is in the project {clone}",
        f"{open_to_all}/bin/nc is not used: others can write to {open_to_all}/bin",
        f"{shared}/bin/nc is not used: others can write to it",
        "bin/nc is not used: its folder on the PATH is relative",
    ]
    assert all(own_programs.is_chosen(f"nc:{home}/bin/nc", one) for one in (clone, linked))
    assert not any(own_programs.is_chosen(f"nc:{place}/nc", home / "other") for place in places)
