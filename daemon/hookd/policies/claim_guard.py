"""Ask before a call changes what another agent has claimed, and deny an edit on a stale view.

A claim of `hookd claim`, AGENT_CLAIMS or AGENT_TARGETED_CLAIMS is explicit: another conversation's
change of it is asked about. While several sessions are open in a repository, the file that an agent
edits is claimed automatically for a few minutes; the model of another learns it once. An edit of a
file that has changed since the conversation read it is denied: the cure is to read it again.

Write, Edit, MultiEdit, NotebookEdit and each file of a patch are judged by their path, Bash by the
files that it visibly changes: [path-guard](#path-guard) lists which. A tool of an MCP server whose
name says that it changes files, such as `write_file`, is judged by the absolute paths in its input.
A command is judged by a stale
view only if the conversation has opened the file with a file tool, and another one has claimed or
edited it since: a file that programs write, such as a log or what a build makes, stays silent. The
worktrees of a repository are one, and links are followed. A session that is alone, without claims
of others, is not judged at all.
"""

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from hookd.config.models import PolicyOptions
from hookd.core.claims.claiming import Claimant, claim_effect, held_by_others, open_claims, refusal
from hookd.core.claims.holders import described, holder, how_to_ask, short
from hookd.core.claims.patterns import overlap
from hookd.core.claims.stale import is_stale
from hookd.core.claims.wanted import agent_words, patterns_wanted, unclaimed_words
from hookd.core.model.claim import Claim, FilePlace, FileView, HeldFiles, Stamp
from hookd.core.model.claim_requests import (
    AskedFile,
    FilesHeld,
    OpenClaims,
    PlaceOfFile,
    StampOfFile,
)
from hookd.core.model.effects.claims import (
    AddClaim,
    ConfirmViews,
    ExtendClaim,
    HashViews,
    KeepView,
)
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import RealPath
from hookd.core.model.facts import Facts, Project, Session, iso
from hookd.core.model.identity import Identity
from hookd.core.model.policy import Policy, PolicyExample
from hookd.core.model.verdict import Opinion, Verdict
from hookd.events.model import (
    HookInput,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionStart,
    ToolInput,
)
from hookd.lazy_dataclass import dataclass
from hookd.policy_support.changed_files import (
    READ,
    WRITERS,
    ChangedFile,
    changed_files,
    places,
    read_files,
)

NAME = "claim-guard"

Answer = Literal["deny", "ask", "tell", "off"]

_MAX_REPORTED = 200
"""Automatic claims that a session is remembered to know, the last ones."""

_MAX_TEXTS = 3
"""Texts of one answer."""

_MAX_AUTOMATIC = 16
"""Files of one call that are claimed automatically."""

_VERDICTS: tuple[Literal["deny", "ask"], ...] = ("deny", "ask")


class Options(PolicyOptions):
    """What happens to a call that changes what another holds, or has not seen."""

    explicit: Answer = Field(
        "ask",
        description="A change of what another conversation or a person has claimed: `deny`, `ask`,"
        " `tell` the model, or `off`.",
    )
    automatic: Answer = Field(
        "tell", description="A change of a file that another conversation edits: the same values."
    )
    stale: Answer = Field(
        "deny",
        description="An edit of a file that has changed since the conversation read it: the same"
        " values.",
    )
    minutes: int = Field(
        5,
        ge=0,
        le=1_440,
        description="Minutes for which a file is claimed automatically by an edit. 0: never.",
    )


@dataclass(frozen=True, slots=True)
class _Finding:
    """Why a call does not simply pass, and what happens to it.

    `automatic` is the number of the claim that it is about, if that is an automatic one.
    """

    answer: Answer
    text: str
    automatic: int = 0


@dataclass(frozen=True, slots=True)
class _Change:
    """A call that changes files, with what is known about these."""

    files: tuple[ChangedFile, ...]
    places: tuple[FilePlace, ...]
    claims: tuple[Claim, ...]
    views: tuple[FileView | None, ...]
    by_command: bool
    session: Session
    facts: Facts
    options: Options


def opine(event: HookInput, facts: Facts, options: Options) -> Opinion | None:
    """Judge a call by claims and views; record views, and claim what is edited."""
    session = facts.session
    if session is None:
        return None
    if event.hook_event_name == "SessionStart":
        return _claims_at_start(facts, session)
    if not (session.company or session.claimed) or not isinstance(event, ToolInput):
        return None
    if isinstance(event, PostToolUse | PostToolUseFailure):
        return _seen(event, facts, session) if session.company else None
    reads = _reads(event, facts, session) if session.company and event.tool_use_id else ()
    change = _change(event, facts, session, options)
    opinion = _judged(change) if change else None
    if not reads:
        return opinion
    opinion = opinion or Opinion()
    return replace(opinion, effects=(*reads, *opinion.effects))


def _applies(event: HookInput, facts: Facts) -> bool:
    """Return whether a session is not alone, or begins."""
    session = facts.session
    if session is None:
        return False
    return session.company or session.claimed or event.hook_event_name == "SessionStart"


def _change(event: ToolInput, facts: Facts, session: Session, options: Options) -> _Change | None:
    files = changed_files(event, facts)
    if not files:
        return None
    found = places(tuple(file.path for file in files), facts)
    tool = event.tool_name in WRITERS
    views = session.company and options.stale != "off"
    asked = tuple(
        AskedFile(
            place,
            (file.name if tool else file.path) if views and _is_seen(tool, place, facts) else "",
            wide=file.whole,
        )
        for file, place in zip(files, found, strict=True)
    )
    held = facts.require(FilesHeld(session.claude_session_id, facts.at, asked)) or HeldFiles()
    views_of = iter(held.views)
    seen = tuple(next(views_of, None) if one.named else None for one in asked)
    return _Change(files, found, held.claims, seen, not tool, session, facts, options)


def _is_seen(tool: bool, place: FilePlace, facts: Facts) -> bool:
    """Return whether the view of a file matters: for commands, only of files of the project."""
    return tool or (place.stamp is not None and _in_project(place, facts))


def _judged(change: _Change) -> Opinion | None:
    """Return the opinion on a call: a verdict, or a text for the model and automatic claims."""
    reported = _reported(change.facts)
    findings = [
        finding
        for finding in _findings(change)
        if finding.answer != "off"
        and not (finding.answer == "tell" and finding.automatic in reported)
    ]
    for verdict in _VERDICTS:
        if any(one.answer == verdict for one in findings):
            return _opinion(verdict, findings)
    effects = _automatic(change)
    new = tuple(dict.fromkeys(one.automatic for one in findings if one.automatic))
    if new:
        kept = {"reported": [*reported, *new][-_MAX_REPORTED:]}
        effects = (*effects, Remember(change.session.id, NAME, kept))
    texts = list(dict.fromkeys(one.text for one in findings))
    context = "\n".join(f"[hookd:{NAME}] {text}" for text in texts[:_MAX_TEXTS])
    return Opinion(context=context, effects=effects) if context or effects else None


def _opinion(verdict: Verdict, findings: list[_Finding]) -> Opinion:
    texts = list(dict.fromkeys(one.text for one in findings if one.answer == verdict))
    more = len(texts) - _MAX_TEXTS
    head = f"{NAME}: " if verdict == "ask" else f"Blocked by {NAME}: "
    ending = f" And {more} more." if more > 0 else ""
    return Opinion(verdict, head + " ".join(texts[:_MAX_TEXTS]) + ending)


def _findings(change: _Change) -> Iterator[_Finding]:
    """Yield what speaks against a call: claims of others, and a stale view."""
    now, options = change.facts.now, change.options
    for file, place, view in zip(change.files, change.places, change.views, strict=True):
        others = _others(change, change.claims, file, place)
        for claim in others:
            if claim.automatic:
                yield _Finding(options.automatic, _edited(claim, now), claim.id)
            else:
                text = f"{described(claim, now)}. {how_to_ask(claim)}."
                yield _Finding(options.explicit, text)
        if view is None or (change.by_command and not _others(change, view.since, file, place)):
            continue
        if is_stale(place, view, change.facts):
            by = next((f" {holder(one)} edits it." for one in others if one.automatic), "")
            text = f"{short(file.name)} has changed since you last read it.{by}"
            again = "run the command again" if change.by_command else "repeat the edit"
            yield _Finding(
                options.stale, f"{text} Next: read it again (Read, or cat), then {again}."
            )


def _others(
    change: _Change, claims: Iterable[Claim], file: ChangedFile, place: FilePlace
) -> list[Claim]:
    """Return the claims of other conversations that are of a file."""
    pattern = posixpath.join(place.relative, file.rest) if file.rest else place.relative
    if file.whole and not file.rest and place.kind != "file":
        pattern = f"{place.relative}/"
    kind: Literal["glob", "path"] = "glob" if file.rest else "path"
    return [
        claim
        for claim in claims
        if claim.conversation != change.session.claude_session_id
        and claim.root == place.root
        and overlap(claim.pattern, claim.kind, pattern, kind)
    ]


def _edited(claim: Claim, now: datetime) -> str:
    what, _, since = described(claim, now).partition(" is claimed by ")
    since = since.partition(", for ")[0]
    return f"{what} is being edited by {since}. Read it again before you rely on its content."


def _reported(facts: Facts) -> list[int]:
    """Return the numbers of the automatic claims that the session knows."""
    state = facts.policy_state.get(NAME)
    known = state.get("reported") if isinstance(state, dict) else None
    return known if isinstance(known, list) else []


def _automatic(change: _Change) -> tuple[Effect, ...]:
    """Return the effects that claim the project's files that a call changes."""
    session, facts, minutes = change.session, change.facts, change.options.minutes
    if not (session.company and minutes):
        return ()
    until, soon = (iso(facts.now + timedelta(minutes=each)) for each in (minutes, minutes / 2))
    effects: list[AddClaim | ExtendClaim] = []
    for file, place in zip(change.files, change.places, strict=True):
        own = [claim for claim in change.claims if _is_of(claim, place, session)]
        if file.whole or not _in_project(place, facts) or any(not one.automatic for one in own):
            continue
        if not own:
            effects.append(_new(place, session, until))
        elif (own[0].expires_at or "") < soon:
            effects.append(ExtendClaim(own[0].id, until))
    return tuple(dict.fromkeys(effects))[:_MAX_AUTOMATIC]


def _new(place: FilePlace, session: Session, until: str) -> AddClaim:
    return AddClaim(
        root=place.root,
        kind="path",
        pattern=place.relative,
        conversation=session.claude_session_id,
        session_id=(session.agent_id and session.parent_session_id) or session.id,
        agent=session.owner,
        project_id=session.project_id,
        why=None,
        automatic=True,
        expires_at=until,
    )


def _is_of(claim: Claim, place: FilePlace, session: Session) -> bool:
    """Return whether a claim is the conversation's own of a file."""
    if claim.conversation != session.claude_session_id or claim.root != place.root:
        return False
    if claim.automatic:
        return claim.pattern == place.relative
    return overlap(claim.pattern, claim.kind, place.relative, "path")


def _in_project(place: FilePlace, facts: Facts) -> bool:
    project = facts.project
    if project is None:
        return False
    inside = place.real.startswith(f"{project.path.rstrip('/')}/")
    return inside or (place.root != "/" and place.root == project.repository)


def _reads(event: ToolInput, facts: Facts, session: Session) -> tuple[Effect, ...]:
    """Return the effects that store the files that a call is about to show the model."""
    paths = read_files(event, facts)
    facts.require_all(*map(StampOfFile, paths), *map(RealPath, paths))
    return tuple(
        KeepView(
            session.claude_session_id,
            session.id,
            facts.require(RealPath(path)) or path,
            stamp,
            event.tool_use_id or "",
            event.tool_name == READ,
        )
        for path in paths
        if (stamp := facts.require(StampOfFile(path))) is not None
    )


def _seen(
    event: PostToolUse | PostToolUseFailure, facts: Facts, session: Session
) -> Opinion | None:
    """Return the effects that store what the conversation sees after a call.

    A command that fails has shown and changed files all the same; a file tool has not.
    """
    if isinstance(event, PostToolUseFailure) and event.tool_name != "Bash":
        return None
    own = session.claude_session_id
    read, changed = read_files(event, facts), changed_files(event, facts)
    now = () if event.tool_use_id else read  # what was about to be read has no name
    paths = dict.fromkeys((*now, *(file.path for file in changed if not file.whole)))
    effects: list[Effect] = [
        KeepView(own, session.id, place.real, place.stamp, opened=event.tool_name in WRITERS)
        for place in places(tuple(paths), facts)
        if place.stamp is not None
    ]
    if read and event.tool_use_id:
        effects.insert(0, ConfirmViews(own, event.tool_use_id))
    return Opinion(effects=(*effects, HashViews(own))) if effects else None


def _claims_at_start(facts: Facts, session: Session) -> Opinion | None:
    """Claim what AGENT_CLAIMS and AGENT_TARGETED_CLAIMS name; name what others hold."""
    who, folder = facts.identity, facts.project.path if facts.project else None
    if session.agent_id or folder is None or not (who.claims or who.targeted_claims):
        return None
    words = agent_words(who.claims, who.targeted_claims)
    wanted = patterns_wanted(words, folder, facts, skip_unknown=True)
    claims = open_claims(wanted, facts)
    claimant = Claimant(session, "AGENT_CLAIMS")
    effects: list[Effect] = []
    refused: list[str] = []
    for one in wanted:
        # An agent of this name that was there before has ended with this start.
        others = [
            claim
            for claim in held_by_others(one, claims, claimant)
            if not claim.automatic and (claim.agent is None or claim.agent != session.owner)
        ]
        if others:
            refused += [refusal(claim, facts) for claim in others]
        else:
            effects.append(claim_effect(one, claims, claimant, facts))
    told = "".join(f"\n  - {text}" for text in list(dict.fromkeys(refused))[:5])
    context = f"[hookd:{NAME}] Not claimed for you, since others hold it:{told}" if told else ""
    if unknown := ", ".join(f"'{one}'" for one in unclaimed_words(words, folder, facts)[:5]):
        line = f"[hookd:{NAME}] Not claimed for you, since its folder does not exist: {unknown}"
        context = "\n".join(filter(None, (context, line)))
    return Opinion(context=context, effects=tuple(effects)) if context or effects else None


_PATH = "/work/shop/a.py"
_NOW = Facts().now


def _claim(conversation: str, **more: object) -> Claim:
    given = {"automatic": False, "expires_at": iso(_NOW + timedelta(minutes=9))} | more
    begun = iso(_NOW - timedelta(minutes=3))
    return Claim(
        5, "/", "path", _PATH[1:], conversation, 7, "orders", "codex", None,
        bool(given["automatic"]), begun, str(given["expires_at"]),
    )  # fmt: skip


def _call(kind: type[ToolInput], tool: str) -> ToolInput:
    return kind(
        hook_event_name=kind.__name__,
        tool_name=tool,
        tool_input={"file_path": _PATH},
        tool_use_id="c",
        cwd="/work/shop",
    )


def _facts(
    *claims: Claim, seen: int = 4, there: int = 4, options: Options | None = None, **more: bool
) -> Facts:
    place = FilePlace(_PATH, "/", _PATH[1:], "file", Stamp(there, 1, 1))
    session = Session(1, "s", company=more.get("company", True), claimed=more.get("claimed", False))
    held = HeldFiles(claims, (FileView(Stamp(seen, 1, 1)),))
    named = AskedFile(place, _PATH)
    unnamed = AskedFile(place)
    return Facts(
        project=Project(1, "/work/shop"),
        session=session,
        options={NAME: options or Options()},
        resolved={
            PlaceOfFile(_PATH): place,
            StampOfFile(_PATH): place.stamp,
            RealPath(_PATH): _PATH,
            FilesHeld("s", iso(_NOW), (named,)): held,
            FilesHeld("s", iso(_NOW), (unnamed,)): replace(held, views=()),
        },
    )


def _at_start(*claims: Claim) -> Facts:
    folder = FilePlace("/work/shop", "/", "work/shop", "folder")
    place = FilePlace(_PATH, "/", _PATH[1:], "file", Stamp(4, 1, 1))
    return Facts(
        identity=Identity(agent="docs", claims="a.py"),
        project=Project(1, "/work/shop"),
        session=Session(1, "s", owner="docs"),
        resolved={
            PlaceOfFile("/work/shop"): folder,
            PlaceOfFile(_PATH): place,
            OpenClaims(iso(_NOW), "/"): claims,
        },
    )


def _examples() -> tuple[PolicyExample, ...]:
    edit, read = _call(PreToolUse, "Edit"), _call(PreToolUse, "Read")
    start = SessionStart(hook_event_name="SessionStart")
    denies = Options(explicit="deny")
    return (
        PolicyExample(edit, _facts(_claim("x")), says="ask"),
        PolicyExample(edit, _facts(_claim("x"), company=False, claimed=True), says="ask"),
        PolicyExample(edit, _facts(_claim("x"), options=denies), says="deny"),
        PolicyExample(edit, _facts(_claim("x", automatic=True)), says="context"),
        PolicyExample(edit, _facts(_claim("s")), says=""),
        PolicyExample(edit, _facts(seen=3), says="deny"),
        PolicyExample(edit, _facts(), says="effects"),
        PolicyExample(edit, _facts(_claim("x"), company=False), says=""),
        PolicyExample(read, _facts(_claim("x")), says="effects"),
        PolicyExample(_call(PostToolUse, "Read"), _facts(), says="effects"),
        PolicyExample(_call(PostToolUse, "Edit"), _facts(), says="effects"),
        PolicyExample(_call(PostToolUse, "Edit"), _facts(company=False), says=""),
        PolicyExample(start, _at_start(), says="effects"),
        PolicyExample(start, _at_start(_claim("x")), says="context"),
        PolicyExample(start, Facts(session=Session(1, "s")), says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=16,
    events=frozenset({"PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionStart"}),
    options=Options,
    on_error="ask",
    opine=opine,
    by_part=True,
    by_reading=True,
    allowable=True,
    applies=_applies,
    examples=_examples,
)
