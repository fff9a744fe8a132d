"""The home of `hookd hooks test`: what your hooks would do on an event, tried out here and now."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd.cli.hooks import format as hook_rows
from hookd.cli.hooks import own_files, project_files
from hookd.cli.hooks.log import say, told
from hookd.cli.lib import args, output
from hookd.cli.lib.errors import Problem
from hookd.events.protocol import EVENTS

if TYPE_CHECKING:
    from hookd.cli.hooks.offline_run import Tried
    from hookd.core.hook_rules.layers import ProjectConfig
    from hookd.core.hook_rules.model import Hook

_SILENCE = "nothing: the call goes its usual way"


@click.command(
    name="test",
    epilog="""\b
    Examples:
      hookd hooks test PreToolUse --tool Bash --input '{"command": "rm -rf /tmp/x"}'
      hookd hooks test Stop
      hookd hooks test PostToolUse --payload payload.json --json
      hookd hooks test SessionStart --dry-run
    """,
)
@click.argument("event")
@click.option("--tool", metavar="NAME", help="The tool that the event is about.")
@click.option("--input", "tool_input", metavar="JSON", help="The tool's input, an object.")
@click.option("--payload", metavar="FILE", help="The whole payload as JSON; - is stdin.")
@own_files.project_option
@click.option("--dry-run", is_flag=True, help="Only which hooks match; run nothing.")
@click.option("--untrusted", is_flag=True, help="Run the project's own hooks though nobody trusts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def test_hooks(event: str, folder: Path | None, as_json: bool, **options: Any) -> None:
    """Run the hooks that match an EVENT, and show what Claude Code would be answered.

    They really run: what they change, they change. No daemon is needed, nothing is kept, and
    hookd's own rules are not asked. Hooks of a project that is not trusted do not run.
    """
    from hookd.cli.hooks import offline_run  # noqa: PLC0415 - it imports all that runs hooks

    name, root = args.hook_event_name(event), own_files.project(folder)
    payload = offline_run.arrived(_payload(name, root, options))
    parsed = offline_run.parsed(name, payload)
    page = _page(root, untrusted=options["untrusted"])
    hooks = offline_run.matching(page, parsed)
    if options["dry_run"]:
        _show_matching(name, hooks, page, as_json=as_json)
        return
    tried = offline_run.run(hooks, parsed, payload, root)
    answer = offline_run.answer(name, tried)
    if as_json:
        output.show_json({"event": name, "hooks": [_facts(one) for one in tried], "answer": answer})
        return
    _say_held(page)
    say(_lines(name, tried, answer))


def _payload(name: str, root: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the event's payload: as it was given, or made of what was."""
    whole, tool, tool_input = (options[key] for key in ("payload", "tool", "tool_input"))
    if whole is not None:
        if tool or tool_input:
            raise click.UsageError("--payload holds all; --tool and --input make one.")
        payload = args.read_json(whole if whole == "-" else _text(whole))
        if not isinstance(payload, dict):
            raise Problem("A payload is a JSON object.", "hookd hooks test --help")
        return {**payload, "hook_event_name": name}
    if tool_input is not None and not tool:
        raise click.UsageError("--input is the input of a --tool.")
    if EVENTS[name].match == "tool_name" and not tool:
        raise click.UsageError(f"{name} is about a tool: say which by --tool, or by --payload.")
    cwd = str(own_files.working_folder())
    made = {"session_id": "hookd-hooks-test", "transcript_path": "", "cwd": cwd}
    made["hook_event_name"] = name
    return made | (_call(tool, tool_input, root) if tool else {})


def _text(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        step = "convert it, then run the command again"
        raise Problem(f"{path} is not UTF-8: see byte {error.start}.", step) from None


def _call(tool: str, tool_input: str | None, root: str) -> dict[str, Any]:
    value = {} if tool_input is None else args.read_json(tool_input)
    if not isinstance(value, dict):
        raise click.UsageError("--input takes a JSON object.")
    path = value.get("file_path")
    if isinstance(path, str):  # the client sends it absolute
        value = value | {"file_path": str(Path(root, path))}
    return {"tool_name": tool, "tool_input": value, "tool_use_id": "toolu_test"}


def _page(root: str, *, untrusted: bool) -> "ProjectConfig":
    page = project_files.effective(root)
    if page.digest is None:
        return page
    held = {root: page.digest} if untrusted else project_files.trusted_digests(root)
    return project_files.effective(root, held) if held else page


def _show_matching(
    name: str, hooks: "tuple[Hook, ...]", page: "ProjectConfig", *, as_json: bool
) -> None:
    found = [_row(hook) for hook in hooks]
    if as_json:
        output.show_json({"event": name, "hooks": found})
        return
    _say_held(page)
    rows = hook_rows.rows(found, page.root or "")
    columns = [one for one in hook_rows.COLUMNS if one.key not in ("state", "why")]
    output.show(rows, columns, as_json=False, empty=f"No hook matches this {name}.")


def _row(hook: "Hook") -> dict[str, Any]:
    source = hook.source
    where = {"layer": source.layer, "path": source.path, "key": source.key}
    what = {"action": hook.action, "matcher": hook.matcher, "condition": hook.condition}
    named = {"id": hook.id, "event": hook.event, "type": hook.type}
    return named | what | where | {"timeout": hook.timeout, "background": hook.background}


def _facts(one: "Tried") -> dict[str, Any]:
    ran, opinion = one.ran, one.said.opinion
    return _row(ran.hook) | {
        "exitCode": ran.exit_code,
        "durationMs": ran.milliseconds,
        "fault": ran.fault,
        "stdout": ran.stdout,
        "stderr": ran.stderr,
        "truncated": ran.truncated,
        "decision": opinion.verdict if opinion else None,
        "reason": opinion.reason if opinion else "",
        "context": opinion.context if opinion else "",
        "notes": [*ran.notes, *one.said.notes],
        "later": one.later,
    }


def _say_held(page: "ProjectConfig") -> None:
    held = sum(one.reason.startswith("not trusted") for one in page.merged.inactive)
    if held:
        which = "1 hook of the project is" if held == 1 else f"{held} hooks of the project are"
        said = f"hookd: {which} not trusted, and left out"
        step = own_files.typed("hookd", "trust", page.root or "")
        click.echo(f"{said}: {step}, or --untrusted", err=True)


def _lines(name: str, tried: "list[Tried]", answer: dict[str, Any] | None) -> Iterator[str]:
    """Yield what a person reads of a trial."""
    if not tried:
        yield f"No hook matches this {name}. All of them: hookd hooks list"
        return
    yield "Running hooks..."
    for one in tried:
        facts = _facts(one)
        run = facts | {
            "eventId": 0,
            "hook": facts["id"],
            "command": facts["action"],
            "stderrHead": facts["stderr"] or (facts["stdout"] if facts["exitCode"] else ""),
            "statusMessage": one.ran.hook.status_message,
        }
        yield from told(run)
        said = {"said": facts["reason"], "context": facts["context"], "later": facts["later"]}
        for key, text in said.items():
            yield from _spoken(key, text)
    text = output.json_text(answer, indent=2) if answer else _SILENCE
    first, *rest = text.split("\n")
    yield f"Claude Code would be answered: {output.cell(first)}"
    yield from map(output.cell, rest)


def _spoken(key: str, text: str) -> Iterator[str]:
    """Yield a text of a hook's line by line."""
    first, *rest = text.splitlines() or [""]
    if text:
        yield f"  {key}: {output.cell(first)}"
    yield from (f"    {output.cell(line)}" for line in rest)
