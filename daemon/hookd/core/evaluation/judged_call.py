"""One policy's opinion on a call that has parts: it judges each, and its opinions become one.

The strongest verdict wins, as among policies, and the reason names the files. What a policy
remembers of one part is known for the next.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import FactRequest, MissingFacts
from hookd.core.model.facts import Facts
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion, strongest
from hookd.events.model import ToolInput
from hookd.lazy_dataclass import dataclass
from hookd.risk.quoting import one_line

_MAX_LISTED = 5
"""Reasons, and files of one reason, that are listed."""

_MAX_NAME_CHARS = 200


@dataclass(frozen=True, slots=True)
class JudgedCall:
    """A call that policies judge; `file` names the file of a part, or says why it is unreadable.

    For the whole call `file` is empty. `reading`: the call may be this one, or another one.
    """

    event: ToolInput
    file: str = ""
    reading: bool = False

    @property
    def unreadable(self) -> bool:
        """Return whether nothing is known of this part, not even its file."""
        edits = self.event.tool_name == "Edit"
        return bool(self.file) and edits and not self.event.tool_input


def opinion_on_all(
    policy: Policy, calls: Sequence[JudgedCall], facts: Facts, options: Any
) -> Opinion | None:
    """Return a policy's opinion on all these calls. Raise MissingFacts with those of all.

    A policy that judges what calls are named, not what they do, gets no call that is a reading.
    """
    lacks: dict[FactRequest, None] = {}
    said: list[tuple[JudgedCall, Opinion]] = []
    for call in calls:
        if call.reading and not policy.by_reading:
            continue
        try:
            opinion = policy.opine(call.event, facts, options)
        except MissingFacts as lack:
            lacks |= dict.fromkeys(lack.requests)
            continue
        if opinion is not None:
            said.append((call, opinion))
            facts = _remembering(facts, opinion.effects)
    if lacks:
        raise MissingFacts(*lacks)
    return _merged(policy.name, said)


def _remembering(facts: Facts, effects: Iterable[Effect]) -> Facts:
    """Return the facts with what a policy has stored in its state."""
    stored = {one.policy: one.value for one in effects if isinstance(one, Remember)}
    return replace(facts, policy_state={**facts.policy_state, **stored}) if stored else facts


def _merged(policy: str, said: list[tuple[JudgedCall, Opinion]]) -> Opinion | None:
    if not said or (len(said) == 1 and not said[0][0].file):
        return said[0][1] if said else None
    opinions = [opinion for _, opinion in said]
    verdict = strongest(opinions)
    winners = [(call, one) for call, one in said if verdict and one.verdict == verdict]
    whole = next((one.updated_input for call, one in said if not call.file), None)
    return Opinion(
        verdict,
        _reason(policy, winners),
        context=_joined((one.context for one in opinions), "\n\n"),
        system_message=_joined((one.system_message for one in opinions), "\n"),
        updated_input=whole,
        rule=_joined((one.rule for _, one in winners), ", "),
        effects=_last_of_each(effect for one in opinions for effect in one.effects),
        stops_turn=any(one.stops_turn for one in opinions),
        stop_reason=_joined((one.stop_reason for one in opinions), " "),
        event_fields={key: value for one in opinions for key, value in one.event_fields.items()},
        shared_facts={key: value for one in opinions for key, value in one.shared_facts.items()},
        lasting=any(one.lasting for _, one in winners),
        rule_ids=tuple(dict.fromkeys(name for _, one in winners for name in one.rule_ids)),
    )


def _joined(texts: Iterable[str], between: str) -> str:
    return between.join(dict.fromkeys(text for text in texts if text))


def _last_of_each(effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Return the effects; of those that set a policy's state, the last one."""
    kept: dict[object, Effect] = {}
    for at, effect in enumerate(effects):
        key = (effect.session_id, effect.policy) if isinstance(effect, Remember) else at
        kept.pop(key, None)
        kept[key] = effect
    return tuple(kept.values())


def _reason(policy: str, winners: list[tuple[JudgedCall, Opinion]]) -> str:
    """Return the reasons of the parts, each once with its files."""
    files: dict[str, list[str]] = {}
    for call, opinion in winners:
        if call.unreadable:
            why = f"{policy}: {one_line(call.file, _MAX_NAME_CHARS)}."
            files.setdefault(why, [])
        elif opinion.reason:
            named = files.setdefault(opinion.reason, [])
            if call.file and not _names(opinion.reason, call):
                named.append(one_line(call.file, _MAX_NAME_CHARS))
    texts = [_about(reason, policy, tuple(dict.fromkeys(said))) for reason, said in files.items()]
    more = len(texts) - _MAX_LISTED
    return " ".join((*texts[:_MAX_LISTED], *((f"And {more} more.",) if more > 0 else ())))


def _names(reason: str, call: JudgedCall) -> bool:
    """Return whether a reason names the file of a part."""
    path = call.event.tool_input.get("file_path")
    return any(
        re.search(rf"(?<![\w./-]){re.escape(text)}(?![\w/-])", reason)
        for text in (call.file, path)
        if isinstance(text, str)
    )


def _about(reason: str, policy: str, files: tuple[str, ...]) -> str:
    """Return a reason that begins with the files that it is about, behind the policy's name."""
    if not files:
        return reason
    more = f" and {len(files) - _MAX_LISTED} more" if len(files) > _MAX_LISTED else ""
    named = f"{', '.join(files[:_MAX_LISTED])}{more}"
    own = f"{policy}: "
    head = own if reason.startswith(own) else ""
    return f"{head}{named}: {reason.removeprefix(own)}"
