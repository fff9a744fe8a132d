"""Write the rules file of a project: `hookd guard add --scope project`, `remove` and `import`.

A file whose content applied, or that did not exist, applies as it was changed, where a person runs
the command. Else it applies after `hookd trust`. The modules of rules are imported by the functions
that need them: they are slow to import.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookd.cli.hooks import own_files, project_files
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem

if TYPE_CHECKING:
    from hookd.user_hooks.files import HookFile

_SCHEMA = "rules.schema.json"


class Written(NamedTuple):
    """A rules file that was written: whether it applies now, and whether a rule was replaced."""

    path: Path
    applies: bool
    replaced: bool
    warnings: tuple[str, ...] = ()


def add(rules: Iterable[Mapping[str, Any]], directory: Path | None) -> Written:
    """Add rules, or replace those of the same names. Raise Problem if one is invalid."""
    from hookd.core.guard_rules import rule_file_edit as edit  # noqa: PLC0415
    from hookd.core.guard_rules.dead_rules import (  # noqa: PLC0415
        validate_rule,
        warnings,
        without_secrets,
    )
    from hookd.core.model.errors import DomainError  # noqa: PLC0415

    given = list(rules)
    try:
        valid = [without_secrets(validate_rule(rule)) for rule in given]
    except DomainError as error:
        raise Problem(str(error), "hookd guard add --help") from None
    names = {rule.id for rule in valid}

    def change(text: str) -> str:
        text = text or edit.new_file(_SCHEMA)
        for rule in given:
            text = edit.with_rule(text, rule)
        return text

    root = own_files.project(directory)
    before = _names(_path(root))
    written = _change(root, change)
    notes = tuple(note for rule in valid for note in warnings(rule))
    return written._replace(replaced=bool(names & before), warnings=notes)


def remove(name: str, directory: Path | None) -> Written | None:
    """Remove a rule; return None if the file has none of this name."""
    from hookd.core.guard_rules import rule_file_edit as edit  # noqa: PLC0415

    root = own_files.project(directory)
    if name not in _names(_path(root)):
        return None
    return _change(root, lambda text: edit.without_rule(text, name) or "")


def _path(root: str) -> Path:
    return Path(root, ".hookd", "rules.yaml")


def _read(path: Path) -> "HookFile":
    from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415
    from hookd.user_hooks import files  # noqa: PLC0415

    found = files.read(HookFileLocation("project", str(path)))
    if found.error:
        raise Problem(f"{path} cannot be read: {found.error}.", "correct the file")
    return found


def _names(path: Path) -> set[str]:
    """Return the names of the rules in a file. Raise Problem if it has a mistake."""
    from hookd.core.guard_rules.rule_file import read_rules  # noqa: PLC0415

    there = read_rules(_read(path).text or b"")
    if there.problems:
        first = there.problems[0]
        place = f"{path}, line {first.line}, column {first.column}"
        raise Problem(f"{place}: {first.sentence}", "correct the file, then run the command again")
    return {one.rule.id for one in there.rules}


def _change(root: str, change: Callable[[str], str]) -> Written:
    from hookd.core.guard_rules.rule_file import read_rules  # noqa: PLC0415
    from hookd.core.guard_rules.rule_file_edit import EditError  # noqa: PLC0415

    path = _path(root)
    before = _read(path)
    agreed = _agreed(root, path)
    try:
        text = change((before.text or b"").decode("utf-8")).encode()
    except EditError as error:
        raise Problem(f"{path}: {error}", "change the file in an editor") from None
    for problem in read_rules(text).problems:
        raise Problem(f"{path}: {problem.sentence}", "hookd guard list")
    _write(path, text)
    if before.text is None:
        _write_schema(path.with_name(_SCHEMA))
    return Written(path, agreed and _trust(root, path, text), replaced=False)


def _agreed(root: str, path: Path) -> bool:
    """Return whether the user agreed to all of the file, or there is nothing to agree to."""
    entry = next((one for one in project_files.rule_files(root) if one["path"] == str(path)), None)
    return entry is None or entry["state"] == "applies"


def _write(path: Path, text: bytes) -> None:
    """Replace a file in one step; a link stays one."""
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        number, name = tempfile.mkstemp(dir=target.parent, prefix=".rules-")
        with os.fdopen(number, "wb") as file:
            file.write(text)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except OSError as error:
        raise Problem(f"{path} cannot be written: {error.strerror}.", "") from None


def _write_schema(path: Path) -> None:
    import json  # noqa: PLC0415

    from hookd.core.guard_rules import rule_schema  # noqa: PLC0415

    if not path.exists():
        _write(path, json.dumps(rule_schema.schema(), indent=2).encode() + b"\n")


def _trust(root: str, path: Path, text: bytes) -> bool:
    """Trust the content that was written; return whether it applies."""
    from hookd.user_hooks import files  # noqa: PLC0415

    found = _read(path)
    if found.text != text:
        return False
    params = {"path": str(path), "root": root, "digest": files.digest([found])}
    try:
        call("guards.trust", params)
    except Problem:  # not a person, or an older daemon
        return False
    return True


def note(written: Written) -> str:
    """Return what to do until the rules apply."""
    return f"{output.cell(str(written.path))} applies after: hookd trust"
