"""`hookd guard test`: evaluate the examples of guard rules, without a daemon.

The modules of rules are imported by the functions that need them: they are slow to import.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd import paths
from hookd.cli.guard import junit
from hookd.cli.hooks import own_files
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option, project_dir_option
from hookd.core.guard_rules.short_form import EXAMPLES
from hookd.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from hookd.core.guard_rules.file_state import FileState
    from hookd.core.guard_rules.rule import Rule

_NAME = ".hookd/rules.yaml"
_DATABASE = "database"
"""The name of the source of rules that were set by a command."""

_NO_EXAMPLES = (
    "No rule has an example yet. Add `denies: git push origin main` to a rule of a file, or"
    " --denies 'git push origin main' to hookd guard add."
)


@dataclass(frozen=True, slots=True)
class CheckedRules:
    """The rules of one source, with the results of their examples, and the mistakes in the file.

    `name` is the file, or `database`. A result has `rule`, `line` (None in the database), `call`,
    `expected`, `said` and `passed`; a mistake `line`, `column` and `sentence`.
    """

    name: str
    rules: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    results: tuple[Mapping[str, Any], ...] = ()
    mistakes: tuple[Mapping[str, Any], ...] = ()


@click.command(
    name="test",
    epilog="""\b
    Examples:
      hookd guard test
      hookd guard test --rule no-push
      hookd guard test --ci --junit guard-rules.xml
      hookd guard test .hookd/rules.yaml team.yaml --json
    """,
)
@click.argument("file", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--ci", is_flag=True, help="Test only the project's rules file, which must exist.")
@click.option("--rule", "names", metavar="NAME", multiple=True, help="Test only this rule.")
@click.option(
    "--junit",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the results as JUnit XML.",
)
@project_dir_option()
@json_option()
@click.pass_context
def test(ctx: click.Context, /, as_json: bool, **options: Any) -> None:
    """Evaluate the examples of guard rules.

    They are the calls that a rule `denies`, `asks`, `tells` or `allows`; each is judged by its own
    rule. Without a FILE, the rules files that apply here are tested, and the rules that were set by
    a command. No daemon is used, nothing is run or recorded. The exit code is 1 if an example
    fails, or a file has a mistake.
    """
    found = _only(list(_sources(options)), options["names"])
    if options["junit"] is not None:
        _write(options["junit"], junit.document(found))
    if as_json:
        output.show_json(_object(found))
    else:
        for line in _lines(found):
            click.echo(line)
    if any(_failed(one) for one in found):
        ctx.exit(1)


def expect_examples(rule: Mapping[str, Any], directory: Path | None) -> None:
    """Raise Problem if a new rule has an example that fails, or is invalid."""
    if not any(rule.get(kind) for kind in EXAMPLES):
        return
    from hookd.core.guard_rules.dead_rules import validate_rule  # noqa: PLC0415
    from hookd.core.model.errors import DomainError  # noqa: PLC0415

    try:
        known = validate_rule(rule)
    except DomainError as error:
        raise Problem(str(error), "hookd guard add --help") from None
    rows = _results([(known, ())], own_files.project(directory))
    failed = [_sentence(row) for row in rows if not row["passed"]]
    if failed:
        step = "change the rule, or the example; nothing was added"
        raise Problem(f"An example fails: {'; '.join(failed)}.", step)


def _sources(options: Mapping[str, Any]) -> Iterator[CheckedRules]:
    """Yield the rules of each source that is asked for."""
    root = own_files.project(options["project_dir"])
    if options["file"]:
        if options["ci"]:
            raise click.UsageError("--ci tests the project's file: give no FILE.")
        for path in options["file"]:
            yield _file(str(path.absolute()), _shown(path), _root_of(path.absolute()) or root)
    elif options["ci"]:
        path = Path(root, _NAME)
        if not path.exists():
            raise Problem(f"There is no {_NAME} in {root}.", "hookd guard add --scope project")
        yield _file(str(path), _NAME, root)
    else:
        for place in _locations(root):
            if Path(place.path).exists():
                yield _file(place.path, _shown(Path(place.path)), root)
        yield from _database(root)


def _locations(root: str) -> "tuple[FileState, ...]":
    """Return the rules files that apply in a project."""
    from hookd.pipeline.runtime_config import configured  # noqa: PLC0415
    from hookd.user_hooks.rule_files import RuleFileReader  # noqa: PLC0415

    places = paths.paths()
    team = configured(places.settings).settings.rules.team
    return RuleFileReader(str(places.config), str(Path.home()), lambda: team).locations(root)


def _file(path: str, name: str, root: str) -> CheckedRules:
    from hookd.core.guard_rules.rule_file import read_rules  # noqa: PLC0415
    from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415
    from hookd.user_hooks import files  # noqa: PLC0415

    found = files.read(HookFileLocation("project", path))
    if found.error:
        return CheckedRules(name, mistakes=(_mistake(1, 1, found.error),))
    file = read_rules(found.text or b"")
    wrong = tuple(_mistake(one.line, one.column, one.sentence) for one in file.problems)
    return _tested(name, [(one.rule, one.example_lines) for one in file.rules], root, wrong)


def _mistake(line: int, column: int, sentence: str) -> dict[str, Any]:
    return {"line": line, "column": column, "sentence": sentence}


def _database(root: str) -> Iterator[CheckedRules]:
    """Yield the rules that were set by a command and apply in a project, if there are some."""
    from hookd.core.evaluation.read_only import UNREAD_RULE  # noqa: PLC0415
    from hookd.core.guard_rules.rule import parse_rule  # noqa: PLC0415
    from hookd.store.guard_rules import rules_set_by_command  # noqa: PLC0415
    from hookd.store.recovery import run_read_only  # noqa: PLC0415

    database = paths.paths().database
    if not database.exists():
        return
    rules: list[tuple[Rule, Sequence[int]]] = []
    wrong = []
    for name, text in run_read_only(database, lambda db: rules_set_by_command(db, root)):
        if text == UNREAD_RULE:
            wrong.append(_mistake(1, 1, "it cannot be read, so none of its rules is tested"))
            continue
        try:
            rules.append((parse_rule(text), ()))
        except ValueError:
            wrong.append(_mistake(1, 1, f"the rule {name} cannot be read"))
    if rules or wrong:
        yield _tested(_DATABASE, rules, root, tuple(wrong))


def _tested(
    name: str,
    rules: "Sequence[tuple[Rule, Sequence[int]]]",
    root: str,
    mistakes: tuple[Mapping[str, Any], ...],
) -> CheckedRules:
    from hookd.core.guard_rules.example_check import examples_of  # noqa: PLC0415

    names = tuple(rule.id for rule, _ in rules)
    without = tuple(rule.id for rule, _ in rules if not any(examples_of(rule)))
    return CheckedRules(name, names, without, tuple(_results(rules, root)), mistakes)


def _results(
    rules: "Sequence[tuple[Rule, Sequence[int]]]", root: str
) -> Iterator[Mapping[str, Any]]:
    """Yield the result of each example; a rule comes with the lines of its examples."""
    from hookd.core.guard_rules.example_check import check_examples  # noqa: PLC0415
    from hookd.core.model.facts import Guard  # noqa: PLC0415

    guards = [
        Guard(at, rule.id, "project", rule.model_dump_json(by_alias=True, exclude_none=True))
        for at, (rule, _) in enumerate(rules, 1)
    ]
    lines = {rule.id: lines for rule, lines in rules}
    for one in check_examples(guards, root, str(Path.home())):
        known = lines[one.rule_id]
        yield {
            "rule": one.rule_id,
            "line": known[one.number] if known else None,
            "call": one.call,
            "expected": one.expected,
            "said": one.said,
            "passed": one.passed,
        }


def _root_of(path: Path) -> str | None:
    """Return the project that a rules file is of; None if it is of none."""
    return str(path.parents[1]) if path.parent.name == ".hookd" else None


def _shown(path: Path) -> str:
    """Return a path from the working folder, if it is below that."""
    here = own_files.working_folder()
    whole = here / path
    return str(whole.relative_to(here)) if whole.is_relative_to(here) else str(whole)


def _only(found: list[CheckedRules], names: Sequence[str]) -> list[CheckedRules]:
    """Return what was found of the rules with these names, of all without names."""
    if not names:
        return found
    known = {name for one in found for name in one.rules}
    for name in names:
        if name not in known and not any(one.mistakes for one in found):
            raise Problem(f"There is no guard rule {name!r} here.", "hookd guard list")
    return [
        CheckedRules(
            one.name,
            tuple(name for name in one.rules if name in names),
            tuple(name for name in one.without if name in names),
            tuple(row for row in one.results if row["rule"] in names),
            one.mistakes,
        )
        for one in found
    ]


def _failed(one: CheckedRules) -> bool:
    return bool(one.mistakes) or not all(row["passed"] for row in one.results)


def _sentence(row: Mapping[str, Any]) -> str:
    """Return what was expected of an example, and what the rule says."""
    return f"{row['rule']}: expected: {row['expected']} {row['call']}; said: {row['said']}"


def _lines(found: Sequence[CheckedRules]) -> Iterator[str]:
    for one in found:
        for wrong in one.mistakes:
            place = one.name if one.name == _DATABASE else f"{one.name}:{wrong['line']}"
            yield output.cell(f"{place}: {wrong['sentence']}")
        for row in one.results:
            if not row["passed"]:
                place = one.name if row["line"] is None else f"{one.name}:{row['line']}"
                yield output.cell(f"{place}: {_sentence(row)}")
    yield from _summary(found)


def _summary(found: Sequence[CheckedRules]) -> Iterator[str]:
    rows = [row for one in found for row in one.results]
    failed = sum(not row["passed"] for row in rows)
    without = [name for one in found for name in one.without]
    rules = sum(len(one.rules) for one in found) - len(without)
    if rows:
        counts = f"{_count(len(rows), 'example')} of {_count(rules, 'rule')}"
        yield f"{counts}: {len(rows) - failed} passed, {failed} failed."
    elif not any(one.mistakes for one in found):
        yield _NO_EXAMPLES
    if without:
        yield output.cell(f"{_count(len(without), 'rule')} without examples: {', '.join(without)}")


def _count(number: int, word: str) -> str:
    return f"1 {word}" if number == 1 else f"{number:,} {word}s"


def _object(found: Sequence[CheckedRules]) -> dict[str, Any]:
    rows = [row for one in found for row in one.results]
    return {
        "passed": sum(row["passed"] for row in rows),
        "failed": sum(not row["passed"] for row in rows),
        "withoutExamples": [name for one in found for name in one.without],
        "sources": [
            {
                "name": one.name,
                "rules": list(one.rules),
                "results": list(one.results),
                "mistakes": list(one.mistakes),
            }
            for one in found
        ],
    }


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        step = f"see that {path.absolute().parent} is there and yours to write"
        raise Problem(f"{path} cannot be written: {error.strerror}.", step) from None
