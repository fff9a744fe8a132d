"""Inject a folder's `AGENTS.md` when a file in it is touched.

After a Read, Edit, MultiEdit, Write, NotebookEdit, Grep or Glob call, the files in `names` are
searched from the touched folder up to the project's root. The model is given those that are new to
this window, the topmost first. Folders added to the session are roots as well. The root's own file
is left to the client; add `README.md` to `names` to inject those, too.

A file is not injected if the setting `directives` already injects that name (while an effort is
active, by default), if the client loads it (Claude Code 2.1.281 and later, in a project without a
CLAUDE.md, when Read reads a file there; see the setting `directives.agents_md`), or if a guard rule
protects it from reading. Each folder is searched once per window; after a compaction the files may
be given again.
"""

import posixpath
from dataclasses import replace

from pydantic import Field, field_validator

from hookd.config.models import DirectiveOptions, PolicyOptions, Settings
from hookd.core.context_window.client_files import given_by_client
from hookd.core.context_window.injections import NewText, truncate_quote
from hookd.core.context_window.preload import mark_given, preload
from hookd.core.context_window.touched_paths import folders_below_root, touched_file, touched_folder
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import File, FileText
from hookd.core.model.facts import Effort, Facts, Project, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import PostToolUse
from hookd.redaction.redact import redact

_NAME = "directory-agents-injector"
_MAX_FOLDERS = 300
"""Last searched folders that a window remembers."""


class Options(PolicyOptions):
    """Injected files, and their size."""

    names: tuple[str, ...] = Field(
        ("AGENTS.md",), max_length=10, description="Names of the injected files."
    )
    max_depth: int = Field(
        10, ge=1, le=30, description="Folders to search, from the touched one up."
    )
    budget: int = Field(
        4_000,
        ge=500,
        le=8_000,
        description="Characters that one call injects, shared by its files.",
    )

    @field_validator("names")
    @classmethod
    def _plain(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if any(not name.strip(". ") or "/" in name or "\0" in name for name in names):
            raise ValueError("each must be a file name without a folder")
        return names


def opine(event: PostToolUse, facts: Facts, options: Options) -> Opinion | None:
    """Inject the files of the touched folder and its parents that are new to the window."""
    project, session, folder = facts.project, facts.session, touched_folder(event)
    names = tuple(name for name in options.names if not _brought(name, facts))
    if project is None or session is None or folder is None or not names:
        return None
    looked = _looked(facts)
    if redact(folder) in looked:
        return None
    root, below = folders_below_root(folder, (project.path, *session.added_dirs), facts)
    near = [one for one in below[-options.max_depth :] if one != root and redact(one) not in looked]
    paths = [posixpath.join(one, name) for one in near for name in names]
    fresh = _fresh(paths, root, event, facts) if paths else ()
    both = dict.fromkeys((*looked, *map(redact, (*near, folder))))
    keeps = Remember(session.id, _NAME, {"folders": [*both][-_MAX_FOLDERS:]})
    return Opinion(context=_told(fresh, options.budget), effects=(keeps, *mark_given(facts, fresh)))


def _brought(name: str, facts: Facts) -> bool:
    """Return whether the setting `directives` already injects files of this name."""
    ours = facts.settings.directives
    active = ours.when == "always" or (ours.when == "effort" and facts.effort is not None)
    return active and name in ours.files


def _looked(facts: Facts) -> tuple[str, ...]:
    kept = facts.policy_state.get(_NAME)
    folders = kept.get("folders") if isinstance(kept, dict) else None
    return tuple(map(str, folders)) if isinstance(folders, list | tuple) else ()


def _fresh(paths: list[str], root: str, event: PostToolUse, facts: Facts) -> tuple[NewText, ...]:
    # With an added folder as the project, only files below it may be read.
    found = preload(paths, replace(facts, project=Project(0, root)), None, rule_id=_NAME)
    own = touched_file(event)  # what the call itself has shown, or written
    fresh = tuple(one for one in found.fresh if one.path != own)
    subagent = event.agent_type if event.agent_id else None
    given = given_by_client((one.path for one in fresh if one.path), facts, subagent=subagent)
    return tuple(one for one in fresh if one.path not in given)


def _told(fresh: tuple[NewText, ...], budget: int) -> str:
    if not fresh:
        return ""
    most = budget // len(fresh)
    parts = [_part(one, most) for one in fresh]
    return "\n\n".join((f"[hookd:{_NAME}] Instructions for the touched folders:", *parts))


def _part(one: NewText, most: int) -> str:
    path = one.path or ""
    return truncate_quote(f"[Directory Context: {path}]\n{one.content}", most, path)


_ROOT = "/work/orders"
_FILE = f"{_ROOT}/api/AGENTS.md"


def _facts(text: str | None = "Pages are cut here.", **more: object) -> Facts:
    want = FileText(_FILE, _ROOT)
    given: dict[str, object] = {
        "project": Project(1, _ROOT),
        "session": Session(1, "s"),
        "resolved": {want: None if text is None else File(_FILE, text, "1-1-1")},
    }
    return Facts(**(given | more))  # type: ignore[arg-type]


def _read(path: str) -> PostToolUse:
    return PostToolUse(tool_name="Read", tool_input={"file_path": path})


def _examples() -> tuple[PolicyExample, ...]:
    always = Settings(directives=DirectiveOptions(when="always"))
    return (
        PolicyExample(_read(f"{_ROOT}/api/pages.py"), _facts(), says="context"),
        PolicyExample(_read(f"{_ROOT}/api/pages.py"), _facts(None), says="effects"),
        PolicyExample(_read(f"{_ROOT}/pages.py"), _facts(), says="effects"),
        PolicyExample(
            _read(f"{_ROOT}/api/pages.py"),
            _facts(policy_state={_NAME: {"folders": [f"{_ROOT}/api"]}}),
            says="",
        ),
        PolicyExample(_read(f"{_ROOT}/api/pages.py"), _facts(settings=always), says=""),
        PolicyExample(
            _read(f"{_ROOT}/api/pages.py"),
            _facts(effort=Effort(1, "/work/demo", "implement")),
            says="",
        ),
        PolicyExample(
            PostToolUse(tool_name="Bash", tool_input={"command": "ls api"}), _facts(), says=""
        ),
    )


POLICY = Policy(
    name=_NAME,
    priority=115,
    events=frozenset({"PostToolUse"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    by_part=True,
    examples=_examples,
)
