"""Skill model: the phases, modes, templates and directives that a SKILL.md declares."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, field
from typing import Any

from hookd.core.efforts.skill_parser import MAX_LEVELS, BareWord, SkillError, parse_keys
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

__all__ = [
    "Phase",
    "Skill",
    "SkillError",
    "parse_skill",
    "skill_from_json",
    "skill_to_json",
]

MAX_ENTRIES = 200
"""Maximum entries of the phases, and of every other list."""
MAX_TEXT_CHARS = 10_000
MAX_NAME_CHARS = 200

_LISTS = ("proof", "steps", "commands")
_TEMPLATES = ("log", "plan", "debrief", "request", "response")
_LABEL = r"[0-9]{1,9}(?:\.(?:[0-9]{1,9}|[A-Za-z])){0,3}"
_TITLE = lazy_compile(rf"({_LABEL})\s*(?::\s*(.*))?", re.DOTALL)
_PART = lazy_compile(r"[0-9]{1,9}|[A-Za-z]")
_INTEGER = lazy_compile(r"-?(?:0|[1-9][0-9]{0,17})")
_CONTROL = lazy_compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of a skill; `proof` are the fields that are required to leave it."""

    label: str
    name: str
    proof: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The label and the name, such as `3.A: Operation`, or the label alone."""
        return f"{self.label}: {self.name}" if self.name else self.label


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill; its name is that of its folder; `commands` are the command texts that it uses."""

    name: str
    description: str = ""
    version: str = ""
    phases: tuple[Phase, ...] = ()
    modes: Mapping[str, Any] = field(default_factory=dict)
    templates: Mapping[str, str] = field(default_factory=dict)
    commands: tuple[str, ...] = ()
    next_skills: tuple[str, ...] = ()
    directives: tuple[str, ...] = ()


def parse_skill(text: str, name: str) -> Skill:
    """Parse the text of a SKILL.md. Raise SkillError, which names the key or the line."""
    keys = parse_keys(text)
    return Skill(
        name=name,
        description=_text(keys.get("description"), "description"),
        version=_text(keys.get("version"), "version"),
        phases=_phases(keys.get("phases")),
        modes=_modes(keys.get("modes")),
        templates=_templates(keys),
        commands=_texts(*_either(keys, "commands", "cmdDependencies")),
        next_skills=_skill_names(*_either(keys, "nextSkills")),
        directives=_texts(keys.get("directives"), "directives"),
    )


def skill_to_json(skill: Skill) -> dict[str, str]:
    """Return the skill as columns of the table `skills`, without its name."""
    return {
        "version": skill.version,
        "description": skill.description,
        "phases_json": _dump([asdict(phase) for phase in skill.phases]),
        "modes_json": _dump(dict(skill.modes)),
        "templates_json": _dump(dict(skill.templates)),
        "cmd_dependencies_json": _dump(skill.commands),
        "next_skills_json": _dump(skill.next_skills),
        "directives_json": _dump(skill.directives),
    }


def skill_from_json(name: str, columns: Mapping[str, Any]) -> Skill:
    """Return the skill from the columns of `skill_to_json`; other columns are ignored."""
    return Skill(
        name=name,
        description=columns["description"] or "",
        version=columns["version"] or "",
        phases=tuple(map(_stored_phase, json.loads(columns["phases_json"]))),
        modes=json.loads(columns["modes_json"]),
        templates=json.loads(columns["templates_json"]),
        commands=tuple(json.loads(columns["cmd_dependencies_json"])),
        next_skills=tuple(json.loads(columns["next_skills_json"])),
        directives=tuple(json.loads(columns["directives_json"])),
    )


def _stored_phase(phase: Mapping[str, Any]) -> Phase:
    lists = (tuple(phase[part]) for part in _LISTS)
    return Phase(phase["label"], phase["name"], *lists)


def split_title(text: str) -> tuple[str, str] | None:
    """Return label and name of `3.A: Operation` or `3.A`; None if it has no label."""
    found = _TITLE.fullmatch(" ".join(text.split()))
    return (found[1], found[2] or "") if found else None


def normalized_label(label: str) -> str:
    """Return `label` in its normal form: `3.a` is `3.A`, and `3.0` is `3`."""
    return re.sub(r"(?:\.0+)+$", "", label.upper())


def _phases(value: Any) -> tuple[Phase, ...]:
    phases: list[Phase] = []
    seen: set[str] = set()
    for number, one in enumerate(_list(value, "phases")):
        phase = _phase(one, f"phases[{number}]", _next_label(phases))
        if normalized_label(phase.label) in seen:
            raise SkillError(f"phases[{number}]: the label {phase.label} is used twice")
        seen.add(normalized_label(phase.label))
        phases.append(phase)
    return tuple(phases)


def _next_label(phases: list[Phase]) -> str:
    return str(int(phases[-1].label.partition(".")[0]) + 1) if phases else "0"


def _phase(value: Any, key: str, free: str) -> Phase:
    if isinstance(value, str):
        return Phase(*_titled(value, key, free))
    if not isinstance(value, dict):
        raise SkillError(f"{key} is neither a text nor an object")
    label, name = _label_and_name(value, key, free)
    lists = (_texts(value.get(part), f"{key}.{part}") for part in _LISTS)
    return Phase(label, name, *lists)


def _label_and_name(value: dict[str, Any], key: str, free: str) -> tuple[str, str]:
    if value.get("label") is not None:
        return _label(value["label"], f"{key}.label"), _name(value.get("name"), f"{key}.name")
    if value.get("major") is not None:
        return _numbered(value, key), _name(value.get("name"), f"{key}.name")
    if value.get("name") is not None:
        return _titled(value["name"], f"{key}.name", free)
    labels = [one for one in value if re.fullmatch(_LABEL, one)]
    if len(labels) == 1:  # YAML reads `- 3.A: Operation` as an object of one key
        return labels[0], _name(value[labels[0]], f"{key}.{labels[0]}")
    raise SkillError(f"{key} has neither a label nor a name")


def _titled(value: Any, key: str, free: str) -> tuple[str, str]:
    text = _name(value, key)
    if not text:
        raise SkillError(f"{key} is empty")
    return split_title(text) or (free, text)


def _label(value: Any, key: str) -> str:
    label = _name(value, key)
    if not re.fullmatch(_LABEL, label):
        raise SkillError(f"{key} is {label!r}; a label looks like 3, 3.1 or 3.A")
    return label


def _numbered(value: dict[str, Any], key: str) -> str:
    major = _label(value["major"], f"{key}.major")
    minor = _name(value.get("minor"), f"{key}.minor") or "0"
    if "." in major:
        raise SkillError(f"{key}.major is {major!r}; it is a whole number")
    if not _PART.fullmatch(minor):
        raise SkillError(f"{key}.minor is {minor!r}; it is a whole number or a letter")
    return f"{major}.{minor}" if minor.strip("0") else major


def _templates(keys: Mapping[str, Any]) -> dict[str, str]:
    templates = {}
    for kind in _TEMPLATES:
        value, key = _either(keys, f"{kind}Template")
        templates[kind] = _text(value, key)
    for kind, value in _object(keys.get("templates"), "templates").items():
        templates[_text(kind, "templates")] = _text(value, f"templates.{kind}")
    return {kind: path for kind, path in templates.items() if path}


def _modes(value: Any) -> dict[str, Any]:
    return {
        _text(name, "modes"): _any(one, f"modes.{name}", 2)
        for name, one in _object(value, "modes").items()
    }


def _any(value: Any, key: str, depth: int) -> Any:
    if depth > MAX_LEVELS:
        raise SkillError(f"{key.partition('[')[0]} is nested deeper than {MAX_LEVELS} levels")
    if isinstance(value, dict):
        return {_text(name, key): _any(one, key, depth + 1) for name, one in value.items()}
    if isinstance(value, list):
        return [_any(one, key, depth + 1) for one in value]
    if isinstance(value, BareWord) and value in ("true", "false"):
        return value == "true"
    if isinstance(value, BareWord) and _INTEGER.fullmatch(value):
        return int(value)
    return _text(value, key) if isinstance(value, str) else value


def _skill_names(value: Any, key: str) -> tuple[str, ...]:
    names = tuple(text.removeprefix("/") for text in _texts(value, key))
    if not all(names):
        raise SkillError(f"{key} has a / without the name of a skill")
    return names


def _either(keys: Mapping[str, Any], *names: str) -> tuple[Any, str]:
    """Return the value of the first key that exists, in any spelling, and the key."""
    for key in (spelling for name in names for spelling in _spellings(name)):
        if keys.get(key) is not None:
            return keys[key], key
    return None, names[0]


def _spellings(name: str) -> Iterable[str]:
    snake = re.sub(r"([A-Z])", r"_\1", name).lower()
    return name, snake, snake.replace("_", "-")


def _texts(value: Any, key: str) -> tuple[str, ...]:
    texts = [_text(one, f"{key}[{number}]") for number, one in enumerate(_list(value, key))]
    if not all(texts):
        raise SkillError(f"{key}[{texts.index('')}] is empty")
    return tuple(texts)


def _list(value: Any, key: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise SkillError(f"{key} is not a list")
    if len(value) > MAX_ENTRIES:
        raise SkillError(f"{key} has more than {MAX_ENTRIES} entries")
    return value


def _object(value: Any, key: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise SkillError(f"{key} is not an object")
    return value


def _name(value: Any, key: str) -> str:
    name = " ".join(_text(value, key).split())
    if len(name) > MAX_NAME_CHARS:
        raise SkillError(f"{key} is longer than {MAX_NAME_CHARS} characters")
    return name


def _text(value: Any, key: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SkillError(f"{key} is not a text")
    if len(value) > MAX_TEXT_CHARS:
        raise SkillError(f"{key} is longer than {MAX_TEXT_CHARS:,} characters")
    if _CONTROL.search(value):
        raise SkillError(f"{key} contains a control character")
    return value.encode("utf-8", "replace").decode().strip()  # SQLite rejects lone surrogates


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
