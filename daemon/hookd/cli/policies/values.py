"""The home of what a person types as the value of a policy's option.

It imports the daemon's parts: only what needs them imports this.
"""

import json
from typing import Any, get_args, get_origin

from hookd.cli.hooks.own_files import OwnFile
from hookd.cli.lib.errors import Problem
from hookd.cli.policies.set import file_options
from hookd.core.model.policy import Policy


def given(policy: Policy, option: str, text: str) -> Any:
    """Return what a text says as an option's value: JSON, or else the text itself."""
    return _read(policy, text, policy.options.model_fields[option].annotation)


def changed_list(
    policy: Policy, option: str, file: OwnFile, *, added: str | None, removed: str | None
) -> list[Any] | None:
    """Return an option that is a list, with one more or one less. Problem where it is none.

    None: it is like that already.
    """
    kind = policy.options.model_fields[option].annotation
    if not _is_list(kind):
        sentence = f"{option} of {policy.name} is no list: its whole value can be set."
        raise Problem(sentence, f"hookd policies show {policy.name}")
    before = _before(policy, option, file)
    if added is not None:
        one = _read(policy, added, get_args(kind)[0])
        return None if one in before else [*before, one]
    gone = _read(policy, removed or "", get_args(kind)[0])
    if gone not in before:
        sentence = f"{option} of {policy.name} does not hold {_json(gone)}: it is {_json(before)}."
        raise Problem(sentence, f"hookd policies show {policy.name}")
    return [one for one in before if one != gone]


def _before(policy: Policy, option: str, file: OwnFile) -> list[Any]:
    """Return the list that is changed: the file's own, else the one that it would replace."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - only a list needs the whole page

    said = file_options(file.document.plain, policy.name).get(option)
    if isinstance(said, list):
        return list(said)
    if file.owner == "user":  # what a project says stands above it, and is no part of it
        holds = policy.options().model_dump(mode="json", exclude_defaults=False)
    else:
        holds = effective.read(file.root).row(policy)["options"]
    return list(holds[option])


def _read(policy: Policy, text: str, kind: Any) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip()[:1] in ("[", "{"):
            why = f"{error.msg}, column {error.colno}" if isinstance(error, _BAD) else "too deep"
            step = f"hookd policies show {policy.name} tells what it takes"
            raise Problem(f"It is no JSON: {why}.", step) from None
        return text
    # A text that happens to be JSON, such as 5 or true, is a text where one is wanted.
    return text if kind is str and not isinstance(value, str) else value


_BAD = json.JSONDecodeError


def _is_list(kind: Any) -> bool:
    return get_origin(kind) in (tuple, list)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
