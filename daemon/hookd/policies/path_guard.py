"""Restrict which files an agent may change, by agent type and permission mode.

Without rules it is silent. A rule applies to `agent_types` (the window's own agent is `main`) and
`permission_modes`; both must match, and an empty list matches all. It denies files that match a
glob of `deny`; with `allow`, it denies every file that matches none of these globs, and every file
outside of the project unless an absolute glob names it. Every matching rule is applied, and deny
wins. With `read`, the rule covers reading as well.

A glob is relative to the project's root, or absolute: `/srv/data/**`, `~/notes/*.md`. `*` matches
within a name, `**` crosses folders, and a glob without a slash matches at any depth. Dots and links
in a path are resolved first. `deny` ignores case.

A planner that may write only plans, and the same for all agents in permission mode `plan`:
`{"rules": [{"agent_types": ["planner"], "allow": ["plans/**/*.md"]}, {"permission_modes": ["plan"],
"allow": ["plans/**/*.md", "~/.claude/plans/**"]}]}`. Claude Code keeps its own plans there.

Write, Edit, MultiEdit, NotebookEdit and each file of a patch are judged by their path. Bash is
judged by the files that its redirections open, and that programs such as cp, mv, rm, tee, touch,
dd, sed -i and `git rm` are given by name; a file that the text does not determine is asked about.
No rule applies to devices such as `/dev/null`, `/dev/stderr`, `/dev/tty` and `/dev/fd/3`. Not
covered: files written by scripts, interpreters, merges, archives, builds or containers, the
contents of a copied folder, and files read by `cat` and similar programs. Restrict Bash with the
client's own permissions for those.
"""

import posixpath
from collections.abc import Iterator
from typing import Literal

from pydantic import Field, field_validator, model_validator

from hookd.config.models import PolicyOptions, Strict
from hookd.core.model.fact_requests import RealPath
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import Policy, PolicyExample
from hookd.core.model.verdict import Opinion, Verdict
from hookd.events.model import PreToolUse
from hookd.policy_support.call_context import context_of
from hookd.risk.model import CallContext
from hookd.risk.path_areas import is_stream
from hookd.risk.written_files import TouchedFile, touched_files
from hookd.shell.globs import text_fits
from hookd.shell.path_globs import GlobContext, PathGlob, allows, check, denies

NAME = "path-guard"

Tool = Literal["Write", "Edit", "MultiEdit", "NotebookEdit", "Bash"]
PermissionMode = Literal["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"]

_MAIN_AGENT = "main"
_MAX_PATH_CHARS = 4_096
"""Characters of a path: no file has a longer one."""

_MAX_FILES = 128
"""Files of one call that are looked at."""

_MAX_SHOWN_CHARS = 200


class Rule(Strict):
    """Files that may be changed, and by which agents."""

    agent_types: tuple[str, ...] = Field(
        (), description="Globs of the agent types that the rule applies to. Empty: all."
    )
    permission_modes: tuple[PermissionMode, ...] = Field(
        (), description="Permission modes that the rule applies to. Empty: all."
    )
    allow: tuple[str, ...] = Field(
        (), description="Globs of the only files that may be changed. Empty: all."
    )
    deny: tuple[str, ...] = Field((), description="Globs of files that may not be changed.")
    tools: tuple[Tool, ...] = Field(
        ("Write", "Edit", "MultiEdit", "NotebookEdit", "Bash"),
        description="Tools that the rule applies to.",
    )
    read: bool = Field(False, description="Apply the rule to reading as well: Read, and `<`.")
    message: str = Field("", description="Text to add to the reason of a denial.")

    @field_validator("allow", "deny")
    @classmethod
    def _globs(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(check, given))

    @model_validator(mode="after")
    def _says_something(self) -> "Rule":
        if not self.allow and not self.deny:
            raise ValueError("a rule needs allow, deny, or both")
        return self


class Options(PolicyOptions):
    """The rules, all of which apply."""

    rules: tuple[Rule, ...] = Field(
        (), description="Rules on who may change which files, each with `allow`, `deny`, or both."
    )


def opine(event: PreToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Deny files that a rule protects, and ask about files that are unknown."""
    rules = tuple(rule for rule in options.rules if _is_about(rule, event))
    if not rules:
        return None
    place = context_of(event, facts)
    files = _told_once(tuple(dict.fromkeys(_files(event, place))))
    if not place.project or len(files) > _MAX_FILES or any(map(_endless, files)):
        return Opinion("ask", f"{NAME}: cannot determine which files this call changes.")
    said = tuple(_said(rules, files, place, facts))
    unread = event.tool_name == "Bash" and event.call.shell.unreadable
    if unread:
        said = (*said, ("ask", f"the command cannot be parsed: {unread}", ""))
    return _opinion(said)


def _opinion(said: tuple[tuple[Verdict, str, str], ...]) -> Opinion | None:
    if not said:
        return None
    denied = any(one[0] == "deny" for one in said)
    first = [one for one in said if (one[0] == "deny") == denied][:3]
    clauses = "; ".join(dict.fromkeys(why for _, why, _ in first))
    if denied:
        words = dict.fromkeys(message for _, _, message in first if message)
        ending = f"Next: ask the user, who can edit the rule: hookd policy show {NAME}"
        return Opinion("deny", " ".join((f"Blocked: {clauses}.", *words, ending)))
    return Opinion("ask", f"{NAME}: {clauses}. Use a full path.")


def _is_about(rule: Rule, event: PreToolUse) -> bool:
    """Return whether a rule applies to a call; every rule applies to unknown agents."""
    tool = event.tool_name
    if tool not in rule.tools and not (rule.read and tool == "Read"):
        return False
    # A window that was started as an agent of some type is the main one all the same.
    kinds = {event.agent_type or "", "" if event.agent_id else _MAIN_AGENT} - {""}
    mode = event.permission_mode
    agent = not kinds or any(text_fits(glob, kind) for glob in rule.agent_types for kind in kinds)
    return (agent or not rule.agent_types) and (
        not mode or not rule.permission_modes or mode in rule.permission_modes
    )


def _files(event: PreToolUse, place: CallContext) -> Iterator[TouchedFile]:
    path = event.call.primary
    if event.tool_name == "Bash":
        yield from touched_files(event.call.shell, place, path or "")
    elif not path:
        yield TouchedFile("no file", "writes", ())
    else:
        whole = place.located(path)
        if whole is not None and is_stream(whole):
            return
        led = () if whole is None else (whole,)
        yield TouchedFile(path, "reads" if event.tool_name == "Read" else "writes", led)


def _told_once(files: tuple[TouchedFile, ...]) -> tuple[TouchedFile, ...]:
    """Drop files below an unknown target: the target itself is asked about."""
    unknown = {file.text.rstrip("/") for file in files if file.how == "writes" and not file.paths}
    return tuple(
        file
        for file in files
        if file.how != "may write" or file.paths or file.text.rpartition("/")[0] not in unknown
    )


def _endless(file: TouchedFile) -> bool:
    return any(len(path) > _MAX_PATH_CHARS for path in file.paths)


def _said(
    rules: tuple[Rule, ...], files: tuple[TouchedFile, ...], place: CallContext, facts: Facts
) -> Iterator[tuple[Verdict, str, str]]:
    """Yield the verdicts of the rules on the files, with all paths resolved first."""
    land = GlobContext(
        place.project or "/", place.home or "/home/user", lambda path: facts.require(RealPath(path))
    )
    bases = {land.glob(text).base for rule in rules for text in (*rule.allow, *rule.deny)}
    paths = {path for file in files for path in file.paths}
    facts.require_all(*map(RealPath, sorted({land.root, *paths, *bases})))
    for rule in rules:
        for file in files:
            if file.how == "reads" and not rule.read:
                continue
            if found := _of_file(rule, file, land):
                yield (*found, rule.message)


def _of_file(rule: Rule, file: TouchedFile, land: GlobContext) -> tuple[Verdict, str] | None:
    what, done = ("read", "read") if file.how == "reads" else ("change", "changed")
    reals = [land.real(path) for path in file.paths]
    known = [real for real in reals if real is not None]
    for glob in map(land.glob, rule.deny):
        for path in (*file.paths, *known):
            if _denied(glob, path, file, land):
                return "deny", f"{_named(file, path, land)} may not be {done} ({glob.text})"
    if not known or len(known) < len(reals):
        return "ask", f"the call would {what} {_short(file.text)}, whose path is unknown"
    if not rule.allow or file.how == "may write":
        return None
    globs = [land.glob(text) for text in rule.allow]
    allowed = [any(allows(glob, real, land) for glob in globs) for real in known]
    if all(allowed):
        return None
    if any(allowed):
        return "ask", f"the call would {what} {_short(file.text)} in an unknown folder"
    outside = all(glob.inside for glob in globs) and not land.has(known[0])
    only = f"may not be {done}, only {_short(', '.join(rule.allow))}"
    why = "is outside the project" if outside else only
    return "deny", f"{_named(file, known[0], land)} {why}"


def _named(file: TouchedFile, path: str, land: GlobContext) -> str:
    """Return a file as named in the call, with its real path if that differs."""
    full = posixpath.normpath(path)
    inside = full.startswith(f"{land.root.rstrip('/')}/")
    short = posixpath.relpath(full, land.root) if inside else full
    same = posixpath.normpath(file.text) in (full, short)
    return _short(file.text) if same else f"{_short(file.text)} ({_short(short)})"


def _denied(glob: PathGlob, path: str, file: TouchedFile, land: GlobContext) -> bool:
    return denies(glob, path, land, whole=file.how == "removes")


def _short(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[: _MAX_SHOWN_CHARS - 1]}…"


def _call(tool: str, text: str, **more: object) -> PreToolUse:
    key = {"Bash": "command", "NotebookEdit": "notebook_path"}.get(tool, "file_path")
    event = {"tool_name": tool, "tool_input": {key: text}, "cwd": "/work/shop"}
    return PreToolUse.model_validate({**event, **more})


def _facts(*rules: dict[str, object]) -> Facts:
    looked = ("", "/plans", "/plans/a.md", "/src", "/src/a.py", "/plans/../src/a.py", "/.env")
    real = {f"/work/shop{path}": posixpath.normpath(f"/work/shop{path}") for path in looked}
    return Facts(
        project=Project(1, "/work/shop"),
        session=Session(1, "s"),
        options={NAME: Options.model_validate({"rules": rules})},
        resolved={RealPath(path): led for path, led in real.items()},
    )


_BY = {"agent_id": "a1", "agent_type": "planner"}


def _examples() -> tuple[PolicyExample, ...]:
    planner = _facts({"agent_types": ["planner"], "allow": ["plans/**/*.md"]})
    planning = _facts({"permission_modes": ["plan"], "allow": ["plans/**/*.md"]})
    secret = _facts({"deny": [".env"], "message": "Edit it manually."})
    return (
        PolicyExample(_call("Write", "/work/shop/plans/a.md", **_BY), planner, says=""),
        PolicyExample(_call("Write", "/work/shop/src/a.py", **_BY), planner, says="deny"),
        PolicyExample(_call("Edit", "/work/shop/plans/../src/a.py", **_BY), planner, says="deny"),
        PolicyExample(_call("Bash", "ls > src/a.py", **_BY), planner, says="deny"),
        PolicyExample(_call("Bash", 'ls > "$OUT"', **_BY), planner, says="ask"),
        PolicyExample(_call("Bash", "ls src 2> /dev/null", **_BY), planner, says=""),
        PolicyExample(_call("Write", "/work/shop/src/a.py"), planner, says=""),
        PolicyExample(
            _call("Write", "/work/shop/src/a.py", permission_mode="plan"), planning, says="deny"
        ),
        PolicyExample(
            _call("Write", "/work/shop/src/a.py", permission_mode="default"), planning, says=""
        ),
        PolicyExample(_call("Edit", "/work/shop/.env"), secret, says="deny"),
        PolicyExample(_call("Read", "/work/shop/.env"), secret, says=""),
        PolicyExample(_call("Write", "/work/shop/src/a.py"), _facts(), says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=15,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    opine=opine,
    by_part=True,
    by_reading=True,
    examples=_examples,
)
