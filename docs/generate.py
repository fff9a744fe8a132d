"""Writes the generated pages of docs/reference; --check says which are not current."""

import json
import sys
from collections.abc import Iterable, Iterator
from inspect import getdoc
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import man_page
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from hookd import __version__
from hookd.clients.claude_code.plugin_hooks import plugin_hooks
from hookd.config import models
from hookd.core.guard_rules import rule_schema
from hookd.core.model.errors import CODES
from hookd.core.model.method import HookMethod, Method, method_doc
from hookd.core.model.policy import Policy
from hookd.display.changelog import releases
from hookd.events import delivery_identity
from hookd.events.protocol import EVENTS, EventSpec
from hookd.methods import HOOKS, METHODS
from hookd.policies import POLICIES
from hookd.programs.catalogue import rules
from hookd.programs.model import Check, RiskKind, Rule
from hookd.redaction.patterns import PATTERNS
from hookd.redaction.token_forms import FORMS
from hookd.rpc import jsonrpc, openrpc
from hookd.web.metric_definitions import METRICS

HERE = Path(__file__).parent / "reference"
CHANGELOG = Path(__file__).parent / "changelog.md"
NOTE = (
    "<!-- Made by docs/generate.py from the code: change the docstrings, then run `make docs`. -->"
)
DECIDES = {
    "permission": "allow, deny or ask, rewrite the call",
    "request": "allow or deny in the user's place",
    "block": "block",
    "switch": "allow, deny or ask",
}

VARIABLES = (
    ("HOOKD_HOME", "one folder for everything: a second daemon, a test"),
    ("XDG_RUNTIME_DIR", "the socket is in `hookd` there, else in `run` of the state folder"),
    ("XDG_STATE_HOME", "the database and the log; `~/.local/state`"),
    ("XDG_CONFIG_HOME", "the settings; `~/.config`"),
    ("XDG_DATA_HOME", "the installed shims; `~/.local/share`"),
    ("CLAUDE_CONFIG_DIR", "where `hookd install` finds Claude Code's settings; `~/.claude`"),
    ("AGENT_ID", "who a session is; with it the fleet knows the agent by name"),
    ("CLAUDE_CODE_SESSION_ID", "set by Claude Code: the session that a command speaks for"),
    ("NO_COLOR", "no colours, even on a terminal"),
)
"""Variables of the environment, and what they mean."""


def hooks() -> Iterator[str]:
    """Yield the lines of events.md: every event, and what hookd does with it."""
    yield from ("# Hook events", "", NOTE, "")
    yield from (
        "Every event that Claude Code fires, what may be answered, and what hookd does. An event that",
        "is not listed, because it is newer than this hookd, is recorded and answered with silence.",
        "A method's params are the client's payload as it is; `env` may be added to say who asks.",
        "`identity` is what tells one firing of the event from the next: see",
        "[repeated deliveries](#repeated-deliveries).",
        "",
        "| event | method | seconds | can decide | takes context | identity | hookd |",
        "| :-- | :-- | --: | :-- | :-- | :-- | :-- |",
    )
    for spec in EVENTS.values():
        yield _event_row(spec)
    yield from ("", "## Repeated deliveries", "", *str(delivery_identity.__doc__).splitlines()[2:])
    for method in METHODS.values():
        if isinstance(method, HookMethod):
            yield from _event(method)


def _event_row(spec: EventSpec) -> str:
    served = f"[answers](#{spec.name.lower()})" if spec.name in HOOKS else "records"
    if not spec.registered:
        refused = spec.name == "WorktreeCreate"
        served += ", but cannot be registered" if refused else ", where the user registers it"
    cells = (
        spec.name,
        f"`{spec.method}`" if spec.name in HOOKS else "",
        str(spec.deadline),
        DECIDES.get(spec.decides or "", ""),
        "yes" if spec.context else "",
        f"`{spec.identity}`" if spec.identity else "payload, sender",
        served,
    )
    return "| " + " | ".join(cells) + " |"


def _event(method: HookMethod[Any]) -> Iterator[str]:
    spec = EVENTS[method.event]
    yield from ("", f"## {method.event}", "", method_doc(method).strip(), "")
    judges = [policy for policy in POLICIES if method.event in policy.events]
    if judges:
        names = ", ".join(f"[{policy.name}](policies.md#{policy.name})" for policy in judges)
        yield from (f"Judged by: {names}.", "")
    if spec.match:
        yield from (f"The client's matcher is tested against `{spec.match}`.", "")
    yield f"Result of `{method.name}`: {_prose(method.result)}"
    yield ""
    yield from _fields(method.result)
    yield from _examples(method)


def rpc() -> Iterator[str]:
    """Yield the lines of rpc.md: every method, its params, its result, an example."""
    yield from ("# JSON-RPC methods", "", NOTE, "")
    yield from (
        "JSON-RPC 2.0 over the Unix socket, one message a line, at most 16 MiB; requests,",
        f"notifications and batches of at most {jsonrpc.MOST} requests. `hookd rpc METHOD [JSON]` calls one from the terminal, and",
        "`hookd rpc rpc.discover` prints all of this as an OpenRPC document. Every method takes",
        "`env`, an object of environment variables that says who asks. Keys are in camelCase.",
        "",
        "| error | number |",
        "| :-- | --: |",
        *(f"| `{word}` | {number} |" for word, number in CODES.items()),
        "",
        "An error's word is in `data.code`. The numbers of the specification itself are used as",
        "it says: -32700, -32600, -32601, -32602 (with the field in `data.detail`) and -32603.",
    )
    document = openrpc.document(METHODS.values(), __version__)
    for told in document["methods"]:
        if told["name"] not in METHODS:
            yield from ("", f"## {told['name']}", "", told["summary"])
            if "description" in told:
                yield from ("", told["description"])
    for method in METHODS.values():
        yield from _method(method)


def _method(method: Method) -> Iterator[str]:
    yield from ("", f"## {method.name}", "", method_doc(method).strip(), "")
    if isinstance(method, HookMethod):
        yield f"Params: the payload of [{method.event}](events.md#{method.event.lower()})."
        return
    yield from (f"Params: {_prose(method.params)}", "")
    yield from _fields(method.params)
    yield from ("", f"Result: {_prose(method.result)}", "")
    yield from _fields(method.result)
    yield from _examples(method)


def _examples(method: Method) -> Iterator[str]:
    for example in method.examples:
        call = f"hookd rpc {method.name} '{json.dumps(example.params)}'"
        yield from ("", "```sh", call, "```")
        if example.says:
            yield from ("", f"-> {example.says}")


def config() -> Iterator[str]:
    """Yield the lines of settings.md: every setting, and every option of every policy."""
    yield from ("# Settings", "", NOTE, "")
    yield from (
        "Settings are in `~/.config/hookd/settings.json` (`$XDG_CONFIG_HOME`, or `HOOKD_HOME`;",
        "`hookd status` says where). There need not be any. They are read when the daemon starts,",
        "and again within a second of a change. A file that cannot be used is refused as a whole, with",
        "the key that is wrong, in `hookd start`, `hookd status` and the log; then what was good last",
        "stays in force, or the defaults.",
        "",
        "```json",
        json.dumps(
            {"policies": {"options": {"heartbeat": {"warn_after": 5, "block_after": 20}}}}, indent=2
        ),
        "```",
        "",
        "| key | value | default | meaning |",
        "| :-- | :-- | :-- | :-- |",
        *_keys(models.Settings),
        "",
        "## Policies",
        "",
        "Every policy and its options: [policies](policies.md).",
    )
    yield from ("", *_environment())


def policies() -> Iterator[str]:
    """Yield the lines of policies.md: every policy, how it is chosen, and its options."""
    yield from ("# Policies", "", NOTE, "", (HERE / "policies.head.md").read_text("utf-8").strip())
    yield from ("", "| policy | on in | asked on | what it is |", "| :-- | :-- | :-- | :-- |")
    for policy in POLICIES:
        named, on = f"[{policy.name}](#{policy.name})", ", ".join(sorted(policy.events))
        said = " ".join(_about(policy).partition("\n\n")[0].split())
        yield f"| {named} | {_profiles(policy)} | {on} | {said} |"
    for policy in POLICIES:
        yield from _policy(policy)


def redaction() -> Iterator[str]:
    """Yield the lines of redaction.md: every kind of mark, and the tokens of each vendor."""
    yield from ("# Redaction", "", NOTE, "")
    yield from (
        "What is replaced by `[redacted:<kind>]` before anything is stored or logged. See",
        "[security](../guides/security.md#redaction) for what that protects, and what it does not.",
        "",
        "## Kinds",
        "",
    )
    vendors = {form.kind for form in FORMS}
    yield from (
        f"* `{kind}`" for kind in dict.fromkeys(one.kind for one in PATTERNS) if kind not in vendors
    )
    yield from ("* `env`", "", "## Tokens of vendors", "")
    yield from (
        "A token is known by its public prefix and by what follows it. A text that begins with a prefix, but",
        "is too short or of another alphabet, is kept, and so are names in code.",
        "",
        "| vendor | prefixes | kind |",
        "| :-- | :-- | :-- |",
    )
    for form in sorted(FORMS, key=lambda form: form.vendor.lower()):
        prefixes = ", ".join(f"`{prefix}`" for prefix in form.prefixes.split())
        yield f"| {form.vendor} | {prefixes} | `{form.kind}` |"


def _profiles(policy: Policy) -> str:
    return ", ".join(f"`{name}`" for name in sorted(policy.profiles)) or "none: by name"


def _about(policy: Policy) -> str:
    return (sys.modules[policy.opine.__module__].__doc__ or "").strip()


def _policy(policy: Policy) -> Iterator[str]:
    yield from ("", f"### {policy.name}", "", _about(policy), "")
    yield from (
        f"Priority {policy.priority}. Where it fails itself, "
        + ("the user is asked." if policy.on_error == "ask" else "it is silent."),
        "",
        "| option | value | default | meaning |",
        "| :-- | :-- | :-- | :-- |",
        *_keys(policy.options),
    )


def _environment() -> Iterable[str]:
    rows = (f"| `{name}` | {meaning} |" for name, meaning in VARIABLES)
    return ("## Environment", "", "| variable | meaning |", "| :-- | :-- |", *rows)


def _keys(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        key = f"{prefix}{field.alias or name}"
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _keys(inner, f"{key}.")
            continue
        default = _default(field.get_default(call_default_factory=True))
        said = field.description or (_MODE if name == "mode" else "")
        yield f"| `{key}` | {_type(inner)} | `{default}` | {said} |"
        if (each := _each(inner)) is not None:
            yield from _keys(each, f"{key}.*." if get_origin(inner) is dict else f"{key}[].")


_MODE = "`off`, `warn` or `enforce`."


def _fields(model: type[BaseModel]) -> Iterator[str]:
    fields = model.model_fields
    if not fields:
        return
    yield from ("| field | type | default |", "| :-- | :-- | :-- |")
    for name, field in fields.items():
        default = "required" if field.is_required() else f"`{_default(field.get_default())}`"
        yield f"| `{field.alias or name}` | {_type(field.annotation)} | {default} |"


def _default(value: object) -> str:
    if value is PydanticUndefined:
        return "required"
    return json.dumps(value, default=lambda one: one.model_dump(mode="json")).replace("|", "\\|")


def _each(annotation: Any) -> type[BaseModel] | None:
    """Return the model of which a list or an object holds several, None where it holds others."""
    args = get_args(annotation) if get_origin(annotation) in (tuple, list, dict) else ()
    found = (one for one in args if isinstance(one, type) and issubclass(one, BaseModel))
    return next(found, None)


def _type(annotation: Any) -> str:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(args[0])
    if origin is Literal:
        return ", ".join(f"`{word}`" for word in args)
    if origin in (tuple, list):
        return f"list of {_type(args[0])}".replace("`object`", "objects")
    if origin is dict:
        return "`object`" if args[1] is Any else f"object of {_type(args[1])}"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "`object`"
    plain = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return f"`{plain}`".replace("typing.", "").replace("|", "or") if plain else ""


def _prose(model: type[BaseModel]) -> str:
    return " ".join((getdoc(model) or "").split())


def risk_rules() -> Iterator[str]:
    """Yield the lines of risk-rules.md: every rule of the catalogue of programs, by kind."""
    yield from ("# Rules about risks", "", NOTE, "")
    yield from (
        "The rules that the guards apply to commands. `hookd guard explain` and `hookd why` name a rule",
        "by its id, which stays as it is. A rule without programs applies to any. Where the decision is",
        "`by call`, it depends on what the call names.",
    )
    for kind in get_args(RiskKind):
        found: dict[str, tuple[Rule | Check, list[str]]] = {}
        for names, kind_, rule in sorted(rules(), key=lambda each: each[2].id):
            if kind_ == kind:
                found.setdefault(rule.id, (rule, []))[1].extend(names.split())
        yield from ("", f"## {kind}", "", "| rule | programs | decision | the command |")
        yield "| :-- | :-- | :-- | :-- |"
        for rule, programs in found.values():
            decision = rule.severity if isinstance(rule, Rule) else "by call"
            named = " ".join(f"`{name}`" for name in programs)
            yield f"| `{rule.id}` | {named} | {decision} | {rule.reason} |"


def rules_schema() -> Iterator[str]:
    """Yield the lines of rules.schema.json: what `hookd guard schema` prints."""
    yield json.dumps(rule_schema.schema(), indent=2)


def metrics() -> Iterator[str]:
    """Yield the lines of metrics.md: every metric with its type and labels."""
    yield from ("# Metrics", "", NOTE, "")
    yield from (
        "`hookd metrics` prints these, and `hookd web` serves them: see [metrics](../guides/metrics.md).",
        "",
        "| metric | type | labels | meaning |",
        "| :-- | :-- | :-- | :-- |",
    )
    for one in METRICS:
        name = f"{one.name}_total" if one.kind == "counter" else one.name
        labels = ", ".join(f"`{label}`" for label in one.labels)
        yield f"| `{name}` | {one.kind} | {labels} | {one.help} |"


def versions() -> Iterator[str]:
    """Yield the lines of versions.md: each release, and where its docs are."""
    yield from ("# Versions", "", NOTE, "")
    yield from (
        "The docs are part of the repository: those of a version are in its tag. `hookd --help` says which",
        "version runs and where its guides are; what a version changed is in the [changelog](changelog.md).",
        "",
        "| version | released | its docs |",
        "| :-- | :-- | :-- |",
    )
    for one in releases(CHANGELOG.read_text("utf-8")):
        tag = f"`git show v{one.version}:docs/guides/install.md`" if one.date else "these pages"
        yield f"| {one.version} | {one.date or 'not yet'} | {tag} |"


def man() -> Iterator[str]:
    """Yield the lines of the man page."""
    plain = ((name, meaning.replace("`", "")) for name, meaning in VARIABLES)
    yield from man_page.page(plain)


def plugin_hooks_file() -> Iterator[str]:
    """Yield the lines of hooks.json of the Claude Code plugin."""
    yield json.dumps(plugin_hooks(), indent=2)


PAGES = {
    "events.md": hooks,
    "rpc.md": rpc,
    "settings.md": config,
    "policies.md": policies,
    "risk-rules.md": risk_rules,
    "rules.schema.json": rules_schema,
    "redaction.md": redaction,
    "metrics.md": metrics,
    "../versions.md": versions,
    "../man/hookd.1": man,
    "../../plugin/hooks/hooks.json": plugin_hooks_file,
}


def main() -> int:
    """Write the pages, or check them; return the exit code."""
    stale = []
    for name, lines in PAGES.items():
        page, text = HERE / name, "\n".join(lines()) + "\n"
        if "--check" not in sys.argv:
            page.write_text(text, "utf-8")
        elif not page.is_file() or page.read_text("utf-8") != text:
            stale.append(name)
    if stale:
        print(f"not current: {', '.join(stale)}; run: make docs", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
