"""`hookd hook test`: run the hooks that match an event, without a daemon."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd.cli.hooks import format as hook_rows
from hookd.cli.hooks import own_files, project_files
from hookd.cli.hooks.log import echo, run_lines
from hookd.cli.lib import args, completions, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option, project_dir_option
from hookd.events.protocol import EVENTS

if TYPE_CHECKING:
    from hookd.cli.hooks.offline_run import HookResult
    from hookd.core.hook_rules.layers import ProjectConfig
    from hookd.core.hook_rules.model import Hook

_SILENCE = "none: the call takes its usual course"


@click.command(
    name="test",
    epilog="""\b
    Examples:
      hookd hook test PreToolUse --tool Bash --input '{"command": "rm -rf /tmp"}'
      hookd hook test Stop
      hookd hook test PostToolUse --payload payload.json --json
      hookd hook test SessionStart --dry-run
    """,
)
@click.argument("event", shell_complete=completions.event_names)
@click.option("--tool", metavar="NAME", help="The tool of the event.")
@click.option("--input", "tool_input", metavar="JSON", help="The tool's input, an object.")
@click.option("--payload", metavar="FILE", help="The whole payload as JSON; - is stdin.")
@project_dir_option(former="--project")
@click.option("--dry-run", is_flag=True, help="List the matching hooks; run none.")
@click.option("--untrusted", is_flag=True, help="Run the project's own hooks without trust.")
@json_option()
def test_hooks(event: str, project_dir: Path | None, as_json: bool, **options: Any) -> None:
    """Run the hooks that match EVENT, and show their answer.

    They run for real, with their side effects. No daemon is needed, nothing is recorded, and
    hookd's own policies are not evaluated. Hooks of a project that is not trusted do not run.
    """
    from hookd.cli.hooks import offline_run  # noqa: PLC0415 - it imports all that runs hooks

    name, root = args.hook_event_name(event), own_files.project(project_dir)
    payload = offline_run.as_received(_payload(name, root, options))
    parsed = offline_run.parsed(name, payload)
    config = _config(root, untrusted=options["untrusted"])
    hooks = offline_run.matching(config, parsed)
    if options["dry_run"]:
        _show_matching(name, hooks, config, as_json=as_json)
        return
    results = offline_run.run(hooks, parsed, payload, root)
    answer = offline_run.answer(parsed, results)
    if as_json:
        facts = [_facts(result) for result in results]
        output.show_json({"event": name, "hooks": facts, "answer": answer})
        return
    _report_untrusted(config)
    echo(_lines(name, results, answer))


def _payload(name: str, root: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the event's payload: that of --payload, or one made from --tool and --input."""
    whole, tool, tool_input = (options[key] for key in ("payload", "tool", "tool_input"))
    if whole is not None:
        if tool or tool_input:
            raise click.UsageError("--payload excludes --tool and --input.")
        payload = args.read_json(whole if whole == "-" else _text(whole))
        if not isinstance(payload, dict):
            raise Problem("The payload is not a JSON object.", "hookd hook test --help")
        return {**payload, "hook_event_name": name}
    if tool_input is not None and not tool:
        raise click.UsageError("--input requires --tool.")
    if EVENTS[name].match == "tool_name" and not tool:
        raise click.UsageError(f"{name} needs a tool: give --tool or --payload.")
    cwd = str(own_files.working_folder())
    payload = {"session_id": "hookd-hooks-test", "transcript_path": "", "cwd": cwd}
    payload["hook_event_name"] = name
    return payload | (_call(tool, tool_input, root) if tool else {})


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


def _config(root: str, *, untrusted: bool) -> "ProjectConfig":
    """Return what the settings of all layers configure in a project, trusted or not."""
    config = project_files.effective(root)
    if config.digest is None:
        return config
    trusted = {root: config.digest} if untrusted else project_files.trusted_digests(root)
    return project_files.effective(root, trusted) if trusted else config


def _show_matching(
    name: str, hooks: "tuple[Hook, ...]", config: "ProjectConfig", *, as_json: bool
) -> None:
    matching = [_row(hook) for hook in hooks]
    if as_json:
        output.show_json({"event": name, "hooks": matching})
        return
    _report_untrusted(config)
    rows = hook_rows.rows(matching, config.root or "")
    columns = [column for column in hook_rows.COLUMNS if column.key not in ("state", "why")]
    output.show(rows, columns, as_json=False, empty=f"No hook matches this {name}.")


def _row(hook: "Hook") -> dict[str, Any]:
    source = hook.source
    where = {"layer": source.layer, "path": source.path, "key": source.key}
    what = {"action": hook.action, "matcher": hook.matcher, "condition": hook.condition}
    named = {"id": hook.id, "event": hook.event, "type": hook.type}
    return named | what | where | {"timeout": hook.timeout, "background": hook.background}


def _facts(result: "HookResult") -> dict[str, Any]:
    run, opinion = result.run, result.reply.opinion
    return _row(run.hook) | {
        "exitCode": run.exit_code,
        "durationMs": run.milliseconds,
        "fault": run.fault,
        "stdout": run.stdout,
        "stderr": run.stderr,
        "truncated": run.truncated,
        "decision": opinion.verdict if opinion else None,
        "reason": opinion.reason if opinion else "",
        "context": opinion.context if opinion else "",
        "notes": [*run.notes, *result.reply.notes],
        "later": result.later,
    }


def _report_untrusted(config: "ProjectConfig") -> None:
    """Print on stderr how many hooks of the project do not run for lack of trust."""
    count = sum(row.reason.startswith("not trusted") for row in config.merged.inactive)
    if count:
        which = "1 hook of the project is" if count == 1 else f"{count} hooks of the project are"
        step = own_files.typed("hookd", "trust", config.root or "")
        click.echo(f"hookd: {which} not trusted, and left out: {step}, or --untrusted", err=True)


def _lines(name: str, results: "list[HookResult]", answer: dict[str, Any] | None) -> Iterator[str]:
    """Yield the report of the runs and of the answer."""
    if not results:
        yield f"No hook matches this {name}. All of them: hookd hook list"
        return
    yield "Running hooks..."
    for result in results:
        facts = _facts(result)
        run = facts | {
            "eventId": 0,
            "hook": facts["id"],
            "command": facts["action"],
            "stderrHead": facts["stderr"] or (facts["stdout"] if facts["exitCode"] else ""),
            "statusMessage": result.run.hook.status_message,
        }
        yield from run_lines(run)
        texts = {"reason": facts["reason"], "context": facts["context"], "later": facts["later"]}
        for key, text in texts.items():
            yield from _text_lines(key, text)
    text = output.json_text(answer, indent=2) if answer else _SILENCE
    first, *rest = text.split("\n")
    yield f"Answer to Claude Code: {output.cell(first)}"
    yield from map(output.cell, rest)


def _text_lines(key: str, text: str) -> Iterator[str]:
    """Yield a hook's text line by line, below its key."""
    first, *rest = text.splitlines() or [""]
    if text:
        yield f"  {key}: {output.cell(first)}"
    yield from (f"    {output.cell(line)}" for line in rest)
