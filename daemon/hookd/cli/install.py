"""The home of `hookd install` and `hookd uninstall`. Neither needs a running daemon."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from hookd import paths
from hookd.cli import settings_file, transport
from hookd.cli.problem import Problem
from hookd.cli.settings_file import Document
from hookd.core import registration
from hookd.core.protocol import EVENTS
from hookd.core.registration import SHIM, Json, Shim

PACKAGED = Path(__file__).parent.parent / "shims"
"""The shims as the package ships them."""

_REGISTERED = [spec.name for spec in EVENTS.values() if spec.registered]
_SETTINGS = "Claude Code's settings.  [default: settings.json in $CLAUDE_CONFIG_DIR or ~/.claude]"


def _options(command: Callable[..., None]) -> Callable[..., None]:
    file = click.Path(path_type=Path)
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option("--dry-run", is_flag=True, help="Show the change as a diff; write nothing."),
        click.option("--settings", type=file, metavar="FILE", help=_SETTINGS),
    ):
        command = option(command)
    return command


@click.command(
    epilog="""\b
    Examples:
      hookd install                                    for all your projects
      hookd install --settings .claude/settings.json   for one project
      hookd install --dry-run                          show what would change
      hookd install --send CI --send MY_TICKET         two more variables
    """
)
@_options
@click.option(
    "--fail-closed/--fail-open",
    default=None,
    help="Without an answer, the tool may not run, or may.  [default: as before, else open]",
)
@click.option("--send", multiple=True, metavar="NAME", help="Send this variable of the session.")
def install(
    settings: Path | None,
    fail_closed: bool | None,
    send: tuple[str, ...],
    dry_run: bool,
    as_json: bool,
) -> None:
    """Register hookd with Claude Code, for all events.

    What else stands in the settings stays as it is. A second run renews what is older.
    """
    with _plainly(settings) as document:
        if fail_closed is None:  # a choice for safety is not lost by running this again
            fail_closed = registration.fails_closed(document.value)
        shipped, shim = _shipped(), _shim(fail_closed, send)
        value = registration.register(document.value, shim, _REGISTERED)
        after = document.raw or b"" if value == document.value else document.render(value)
        if dry_run:
            _show(document, after, as_json)
            return
        renewed = _copy_shims(shipped)
        settings_file.save(document, after, _record())
    _report_install(document, shim, after != document.raw, renewed, as_json)


@click.command(
    epilog="""\b
    Examples:
      hookd uninstall --dry-run                          show what would change
      hookd uninstall --settings .claude/settings.json   for one project
    """
)
@_options
def uninstall(settings: Path | None, dry_run: bool, as_json: bool) -> None:
    """Take hookd out of Claude Code's settings.

    Settings that nobody touched since `hookd install` are restored byte for byte; from others only
    hookd's own entries go.
    """
    with _plainly(settings) as document:
        after, exact = settings_file.without(document, _record())
        if dry_run:
            _show(document, after, as_json)
            return
        settings_file.restore(document, after, exact, _record())
        shims = _remove_shims(document.path)
    _report_uninstall(document, after != document.raw, exact, shims, as_json)


@contextmanager
def _plainly(settings: Path | None) -> Iterator[Document]:
    """Read the chosen settings; say in one sentence what they or the system refuse meanwhile."""
    path = _chosen(settings)
    try:
        yield settings_file.read(path)
    except registration.ShapeError as error:
        sentence = f"{path} is not as Claude Code reads it: {error}."
        raise Problem(sentence, settings_file.MEND) from None
    except RecursionError:
        raise Problem(f"{path} is nested too deeply.", settings_file.MEND) from None
    except OSError as error:
        sentence = f"{error.filename or path}: {error.strerror or error}."
        step = "See that the file and its folder are yours to write, then run the command again."
        raise Problem(sentence, step) from None


def _chosen(settings: Path | None) -> Path:
    if settings is not None:
        return settings.expanduser().absolute()
    folder = paths.variable("CLAUDE_CONFIG_DIR")
    return (Path(folder).absolute() if folder else Path.home() / ".claude") / "settings.json"


def _record() -> Path:
    return paths.paths().data / "install.json"


def _shim(fail_closed: bool, send: tuple[str, ...]) -> Shim:
    for name in send:
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
            sentence = f'"{name}" is not the name of an environment variable.'
            raise Problem(sentence, "Give the name alone: the value is read when a hook runs.")
    places = paths.paths()
    return Shim(
        path=str(places.shims / SHIM),
        socket=str(places.socket),
        transport=transport.find(),
        hookd=str(transport.hookd()),
        fail_closed=fail_closed,
        variables=tuple(dict.fromkeys(send)),
    )


def _shipped() -> list[Path]:
    if not (PACKAGED / SHIM).is_file():
        raise Problem(f"This hookd came without its {SHIM}.", "Install the package hookd again.")
    return sorted(file for file in PACKAGED.iterdir() if file.is_file())


def _copy_shims(shipped: list[Path]) -> bool:
    """Put the shims where an upgrade of the package leaves them alone; say if one was renewed."""
    folder = paths.paths().shims
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    renewed = False
    for source in shipped:
        target, content = folder / source.name, source.read_bytes()
        old = settings_file.contents(target)
        if old != content or target.stat().st_mode & 0o777 != 0o755:
            settings_file.replace(target, old, content, 0o755)
            renewed = True
    return renewed


def _remove_shims(settings: Path) -> str | None:
    """Remove the installed shims, unless a settings file that is known of still names one."""
    folder = paths.paths().shims
    # A linked folder is not of our making: behind it may stand the only copy.
    if folder.is_symlink() or not folder.is_dir():
        return None
    if any(map(_names_shims, [settings, _chosen(None), *settings_file.recorded(_record())])):
        return "kept: settings still name them"
    for shim in folder.glob("hookd-*"):
        shim.unlink()
    with suppress(OSError):
        folder.rmdir()
    return "removed"


def _names_shims(settings: Path) -> bool:
    try:
        return b"/shims/hookd-" in settings.read_bytes()
    except FileNotFoundError:
        return False
    except OSError:
        # What cannot be read may name them.
        return True


def _show(document: Document, after: bytes | None, as_json: bool) -> None:
    diff, colours = document.diff(after), {"+": "green", "-": "red", "@": "cyan"}
    if as_json:
        facts = {"changed": after != document.raw, "settings": str(document.path), "diff": diff}
        click.echo(json.dumps(facts, ensure_ascii=False))
        return
    lines = [click.style(line, fg=colours.get(line[0])) for line in diff]
    # None leaves it to click, which colours on a terminal only.
    colour = False if paths.variable("NO_COLOR") else None
    click.echo("\n".join(lines or ["Nothing would change."]), color=colour)


def _report_install(
    document: Document, shim: Shim, changed: bool, renewed: bool, as_json: bool
) -> None:
    title = "Nothing changed: hookd is registered already."
    if changed:
        title = "hookd is registered with Claude Code."
    elif renewed:
        title = "The registration stands as it was; the shims were renewed."
    facts = _facts(document, changed or renewed, _REGISTERED) | {
        "shim": shim.path,
        "transport": shim.transport,
        "hookd": shim.hookd,
        "notes": registration.notes(document.value, shim),
    }
    step = "hookd start, then start Claude Code; running sessions reload their hooks by themselves"
    _report(title, facts, step, as_json)


def _report_uninstall(
    document: Document, changed: bool, exact: bool, shims: str | None, as_json: bool
) -> None:
    title = "Nothing changed: hookd is not registered in these settings."
    if changed and exact:
        title = "hookd is taken out; the settings are as they were before, byte for byte."
    elif changed:
        title = "hookd's entries are taken out; the rest of the settings stays."
    facts = _facts(document, changed, registration.registered(document.value))
    _report(title, facts | {"restored": exact, "shims": shims}, "hookd stop", as_json)


def _facts(document: Document, changed: bool, events: list[str]) -> Json:
    backup = str(document.backup) if document.backup.exists() else None
    settings = str(document.path)
    return {"changed": changed, "settings": settings, "events": events, "backup": backup}


def _report(title: str, facts: Json, step: str, as_json: bool) -> None:
    """Print what was done: one JSON object, or a line for each fact that is text or a number."""
    if as_json:
        click.echo(json.dumps(facts, ensure_ascii=False))
        return
    click.echo(title)
    rows = [(name, value) for name, value in facts.items() if isinstance(value, str)]
    rows += [("events", str(len(facts["events"])))] if facts["events"] else []
    notes = [("note", note) for note in facts.get("notes", [])]
    for name, text in [*rows, *notes, ("next", step)]:
        click.echo(f"  {name:<11}{text}")
