"""Inject path-scoped rule files when a matching file is touched.

After a Read, Edit, MultiEdit, Write or NotebookEdit call, the files in `sources` are searched in
the project's root, the touched file's folder and the folders between. A rule whose front matter
matches the touched file (`globs`, `paths` or `applyTo`), or has `alwaysApply: true`, is given to
the model, the nearest first; `copilot-instructions.md` always applies. Rules without globs are
for people to choose, and are not injected. Each rule is given once per window, also if it exists
under two names. A file that a guard rule protects from reading is not injected.

Each folder is searched once per window, so a project without rules costs nothing after that, and a
new rule is found by the next window, or after a compaction. All pending rules of a window share
20,000 characters of globs; rules beyond that are omitted. Claude Code reads `.claude/rules` itself,
so that is not a source.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import asdict, replace
from hashlib import sha256
from typing import Any

from pydantic import Field, field_validator

from hookd.config.models import PolicyOptions
from hookd.core.context_window.front_matter import split_front_matter
from hookd.core.context_window.injections import NewText, truncate_quote
from hookd.core.context_window.preload import mark_given, preload
from hookd.core.context_window.rule_files import RuleFile, matching_names, parse_rule_file
from hookd.core.context_window.touched_paths import folders_below_root, touched_file, within
from hookd.core.efforts.skill_lookup import readable_file
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import DirListing, File, FileText, Folder
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import PostToolUse
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import redact

_NAME = "rules-injector"
_MAX_FOLDERS, _MAX_PENDING_RULES, _MAX_GIVEN_MARKS = 200, 150, 300
"""Last searched folders, pending rules and given rules that a window remembers."""
_MAX_GLOB_CHARS = 20_000
"""Characters of the globs of all pending rules: each is matched with every file."""
_MAX_RULES_PER_CALL = 20
"""Maximum rules that one call injects; others wait for the next call."""

_MAX_DEPTH = 30
"""Nearest folders that are searched for one file, always including the root."""


class Options(PolicyOptions):
    """Sources of rules, and their size."""

    sources: tuple[str, ...] = Field(
        (
            ".github/copilot-instructions.md",
            ".github/instructions/*.instructions.md",
            ".cursor/rules/*.mdc",
            ".cursor/rules/*.md",
            ".hookd/rules/*.md",
        ),
        max_length=20,
        description="Paths of rule files, relative to the project's root and each folder below it;"
        " the name may be a glob.",
    )
    budget: int = Field(
        4_000,
        ge=500,
        le=8_000,
        description="Characters that one call injects, shared by its rules.",
    )

    @field_validator("sources")
    @classmethod
    def _lead_down(cls, sources: tuple[str, ...]) -> tuple[str, ...]:
        for source in sources:
            folder, name = posixpath.split(source)
            if not name or source.startswith("/") or "//" in source or ".." in folder.split("/"):
                raise ValueError("each must be a relative path, such as .cursor/rules/*.mdc")
            if any(letter in folder for letter in "*?["):
                raise ValueError("only the name of the file may be a glob")
        return sources


@dataclass(frozen=True, slots=True)
class _Known:
    """State of a window: folders as named with their real path, pending and given rules.

    A folder outside of the project has the real path "".
    """

    folders: dict[str, str]
    rules: tuple[RuleFile, ...]
    given: tuple[str, ...]

    def kept(self) -> dict[str, Any]:
        """Return the state as it may be stored, without rules whose names are secrets."""
        folders = [*self.folders.items()][-_MAX_FOLDERS:]
        plain = [one for one in self.rules if redact(str(one)) == str(one)]
        return {
            "folders": {told: redact(real) for told, real in folders},
            "rules": [asdict(one) for one in plain[-_MAX_PENDING_RULES:]],
            "given": self.given[-_MAX_GIVEN_MARKS:],
        }


def opine(event: PostToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Inject the rules that apply to the touched file and are new to the window."""
    session, told = facts.session, touched_file(event)
    if session is None or facts.project is None or told is None:
        return None
    before = _known(facts)
    known = _looked(posixpath.dirname(told), before, facts, options)
    folder = known.folders[redact(posixpath.dirname(told))]
    file = posixpath.join(folder, posixpath.basename(told)) if folder else ""
    met = [(one, why) for one in known.rules if file and (why := one.match_reason(file))]
    met.sort(key=lambda pair: (-pair[0].base.count("/"), pair[0].path))
    known, given = _given(met[:_MAX_RULES_PER_CALL], known, facts)
    if known == before:
        return None
    keeps = Remember(session.id, _NAME, known.kept())
    fresh = [one for one, _ in given]
    return Opinion(
        context=_told(given, facts, options.budget), effects=(keeps, *mark_given(facts, fresh))
    )


def _known(facts: Facts) -> _Known:
    kept = facts.policy_state.get(_NAME)
    match kept:
        case {"folders": dict(folders), "rules": list(rules), "given": [*given]}:
            known = tuple(_kept_rule(one) for one in rules)
            if None not in known and all(isinstance(one, str) for one in folders.values()):
                return _Known(dict(folders), tuple(filter(None, known)), tuple(map(str, given)))
        case _:
            pass
    return _Known({}, (), ())  # nothing, or of another shape, as after an upgrade


def _kept_rule(kept: object) -> RuleFile | None:
    match kept:
        case {"path": str(path), "base": str(base), "globs": [*globs]}:
            return RuleFile(path, base, tuple(map(str, globs)))
        case _:
            return None


def _looked(folder: str, known: _Known, facts: Facts, options: Options) -> _Known:
    """Return what is known once a folder, and those above it, were looked into."""
    if redact(folder) in known.folders:
        return known
    root, below = folders_below_root(folder, _roots(facts), facts)
    near = dict.fromkeys((*below[:1], *below[-_MAX_DEPTH:]))
    new = [one for one in near if redact(one) not in known.folders]
    found = tuple(_found(new, root, facts, options))
    real = {redact(one): one for one in new} | {redact(folder): below[-1] if below else ""}
    there = {one.path for one in known.rules}
    fresh = tuple(one for one in found if one.path not in there)
    return replace(known, folders=known.folders | real, rules=_few((*known.rules, *fresh)))


def _few(rules: tuple[RuleFile, ...]) -> tuple[RuleFile, ...]:
    """Return the rules without those whose globs have no room beside the others'."""
    kept: list[RuleFile] = []
    room = _MAX_GLOB_CHARS
    for one in rules:
        length = sum(map(len, one.globs))
        if length <= room:
            kept.append(one)
            room -= length
    return tuple(kept)


def _roots(facts: Facts) -> tuple[str, ...]:
    added = facts.session.added_dirs if facts.session else ()
    return (facts.project.path, *added) if facts.project else added


def _found(folders: list[str], root: str, facts: Facts, options: Options) -> Iterator[RuleFile]:
    """Yield the rules in folders, requested in one batch."""
    places = [(one, source) for one in folders for source in options.sources]
    wants = {(one, source): DirListing(_folder(one, source), root) for one, source in places}
    facts.require_all(*wants.values())
    paths = dict.fromkeys(
        (posixpath.join(_folder(base, source), name), base)
        for (base, source), want in wants.items()
        if (there := facts.require(want))
        for name in matching_names(source, there.names)
    )
    near = _as_if(root, facts)
    texts = {
        place: readable_file(place[0], None, near) for place in list(paths)[:_MAX_PENDING_RULES]
    }
    facts.require_all(*texts.values())
    for (path, base), want in texts.items():
        file = facts.require(want)
        rule = parse_rule_file(path, base, file.text) if file else None
        if rule is not None:
            yield rule


def _folder(base: str, source: str) -> str:
    return posixpath.normpath(posixpath.join(base, posixpath.dirname(source)))


def _as_if(root: str, facts: Facts) -> Facts:
    # With an added folder as the project, only files below it may be read.
    return replace(facts, project=Project(0, root))


def _given(
    met: list[tuple[RuleFile, str]], known: _Known, facts: Facts
) -> tuple[_Known, list[tuple[NewText, str]]]:
    """Return the new state, and the rules that are new to the window with their reasons."""
    roots = _roots(facts)
    near = {one: _as_if(_root_of(one, roots), facts) for one, _ in met}
    facts.require_all(*(readable_file(one.path, None, near[one]) for one, _ in met))
    given: list[tuple[NewText, str]] = []
    done = list(known.given)
    for rule, why in met:
        for fresh in preload((rule.path,), near[rule], None, rule_id=_NAME).fresh:
            marks = (redact(fresh.path or ""), sha256(fresh.content.encode()).hexdigest()[:16])
            if not set(marks) & set(done):
                given.append((fresh, why))
                done += marks
    waiting = tuple(one for one in known.rules if one not in near)
    return replace(known, rules=waiting, given=tuple(done)), given


def _root_of(rule: RuleFile, roots: tuple[str, ...]) -> str:
    return next((root for root in roots if within(rule.base, root)), rule.base)


def _told(given: list[tuple[NewText, str]], facts: Facts, budget: int) -> str:
    if not given:
        return ""
    most = budget // len(given)
    parts = [_part(one, why, facts, most) for one, why in given]
    return "\n\n".join((f"[hookd:{_NAME}] This project's rules for the file:", *parts))


def _part(one: NewText, why: str, facts: Facts, most: int) -> str:
    path, root = one.path or "", facts.project.path if facts.project else ""
    name = posixpath.relpath(path, root) if root and within(path, root) else path
    text = f"[Rule: {name}]\n[Match: {why}]\n{split_front_matter(one.content)[1]}"
    return truncate_quote(text, most, path)


_ROOT = "/work/orders"
_RULE = f"{_ROOT}/.cursor/rules/python.mdc"


def _facts(text: str | None = None, state: object = None) -> Facts:
    folders = (".github", ".github/instructions", ".cursor/rules", ".hookd/rules")
    seen: dict[Any, Any] = {DirListing(f"{_ROOT}/{one}", _ROOT): None for one in folders}
    if text is not None:
        folder = posixpath.dirname(_RULE)
        seen[DirListing(folder, _ROOT)] = Folder(folder, ("python.mdc",))
        seen[FileText(_RULE, _ROOT)] = File(_RULE, text, "1-1-1")
    kept = {_NAME: state} if state else {}
    project, session = Project(1, _ROOT), Session(1, "s")
    return Facts(project=project, session=session, resolved=seen, policy_state=kept)


def _edit(path: str) -> PostToolUse:
    return PostToolUse(tool_name="Edit", tool_input={"file_path": path})


_PYTHON = "---\nglobs: *.py\n---\nTypes everywhere."
_DONE = {"folders": {_ROOT: _ROOT}, "rules": [], "given": [_RULE]}


def _examples() -> tuple[PolicyExample, ...]:
    return (
        PolicyExample(_edit(f"{_ROOT}/pages.py"), _facts(_PYTHON), says="context"),
        PolicyExample(_edit(f"{_ROOT}/pages.md"), _facts(_PYTHON), says="effects"),
        PolicyExample(_edit(f"{_ROOT}/pages.py"), _facts(), says="effects"),
        PolicyExample(_edit(f"{_ROOT}/pages.py"), _facts(None, _DONE), says=""),
        PolicyExample(
            PostToolUse(tool_name="Bash", tool_input={"command": "ls"}), _facts(_PYTHON), says=""
        ),
    )


POLICY = Policy(
    name=_NAME,
    priority=120,
    events=frozenset({"PostToolUse"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    by_part=True,
    examples=_examples,
)
