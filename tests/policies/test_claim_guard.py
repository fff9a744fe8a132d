"""What the guard of claims says of calls: each option, several files, and what it remembers."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hookd.core.model.claim import Claim, ClaimKind, FilePlace, FileView, HeldFiles, Stamp
from hookd.core.model.claim_requests import FilesHeld, OpenClaims, PlaceOfFile, StampOfFile
from hookd.core.model.effects.claims import (
    AddClaim,
    ConfirmViews,
    ExtendClaim,
    HashViews,
    KeepView,
)
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import FactRequest, MissingFacts, RealPath
from hookd.core.model.facts import Facts, Project, Session, iso
from hookd.core.model.identity import Identity
from hookd.core.model.policy import opinion_kind
from hookd.core.model.verdict import Opinion
from hookd.events.model import (
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    SessionStart,
    ToolInput,
)
from hookd.policies.claim_guard import NAME, POLICY, Options

NOW = Facts().now
SEEN = Stamp(4, 1, 1)


def claim(pattern: str, kind: ClaimKind = "path", **more: Any) -> Claim:
    begun = iso(NOW - timedelta(minutes=3))
    until = iso(NOW + timedelta(minutes=9))
    one = Claim(4, "/work", kind, pattern, "bob's", 9, "bob", "codex", None, False, begun, until)
    return replace(one, **more)


def judge(
    tool: str,
    text: str,
    *claims: Claim,
    view: Stamp | None = None,
    options: Options | None = None,
    session: Session | None = None,
    state: dict[str, Any] | None = None,
    since: tuple[Claim, ...] = (),
    project: str = "/work",
) -> Opinion | None:
    """Return what is said of a call once all that it asks for was looked up on paper."""
    key = "command" if tool == "Bash" else "file_path"
    event = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name=tool,
        tool_input={key: text},
        cwd="/work",
        tool_use_id="c",
    )
    facts = Facts(
        project=Project(1, project, "/work"),
        session=session or Session(1, "ann's", owner="ann", company=True),
        policy_state={NAME: state} if state else {},
    )
    for _ in range(9):
        try:
            opinion = POLICY.opine(event, facts, options or Options())
        except MissingFacts as lack:
            facts = facts.with_facts(
                {one: _found(one, claims, view, since) for one in lack.requests}
            )
        else:
            return opinion
    raise AssertionError("it asks without end")


def _found(
    request: FactRequest, claims: tuple[Claim, ...], view: Stamp | None, since: tuple[Claim, ...]
) -> Any:
    if isinstance(request, PlaceOfFile):
        path = request.path
        below = path.removeprefix("/work").lstrip("/")
        kind = "folder" if "." not in path else "file"
        stamp = SEEN if kind == "file" else None
        root = "/work" if path.startswith("/work") else "/"
        return FilePlace(path, root, below, kind, stamp)  # type: ignore[arg-type]
    if isinstance(request, StampOfFile):
        return SEEN
    if isinstance(request, RealPath):
        return request.path
    assert isinstance(request, FilesHeld)
    views = (
        FileView(view if one.named.endswith("a.py") else SEEN, since=since)
        for one in request.files
        if one.named
    )
    return HeldFiles(claims, tuple(views))


CALLS = [
    ("Edit", "/work/src/a.py", "src/a.py", "path", "ask"),
    ("Edit", "/work/src/a.py", "src/", "path", "ask"),
    ("Edit", "/work/src/a.py", "", "path", "ask"),
    ("Edit", "/work/src/a.py", "src/**", "glob", "ask"),
    ("Edit", "/work/src/a.py", "**/test_*.py", "glob", "effects"),
    ("Edit", "/work/src/a.py", "src/b.py", "path", "effects"),
    ("Read", "/work/src/a.py", "src/a.py", "path", "effects"),
    ("Bash", "rm -r src", "src/a.py", "path", "ask"),
    ("Bash", "rm src/a.py", "**/test_*.py", "glob", ""),
    ("Bash", "rm src/*.py", "src/a.py", "path", "ask"),
    ("Bash", "rm src/*.md", "src/a.py", "path", ""),
    ("Bash", "tee src/a.py < b.md", "src/a.py", "path", "ask"),
    ("Bash", "make", "src/a.py", "path", ""),
]


@pytest.mark.parametrize(("tool", "text", "pattern", "kind", "says"), CALLS)
def test_a_change_of_a_claimed_file_is_asked_about(
    tool: str, text: str, pattern: str, kind: ClaimKind, says: str
) -> None:
    assert opinion_kind(judge(tool, text, claim(pattern, kind))) == says


@pytest.mark.parametrize("answer", ["deny", "ask", "tell", "off"])
@pytest.mark.parametrize("option", ["explicit", "automatic", "stale"])
def test_each_option_has_four_values(option: str, answer: str) -> None:
    options = Options.model_validate({option: answer})
    claims = () if option == "stale" else (claim("a.py", automatic=option == "automatic"),)
    view = Stamp(3, 1, 1) if option == "stale" else None
    found = judge("Edit", "/work/a.py", *claims, view=view, options=options)
    expected = {"tell": "context", "off": "effects"}.get(answer, answer)
    assert opinion_kind(found) == expected


def test_a_claim_of_its_own_and_of_another_repository_do_not_matter() -> None:
    own, other = claim("a.py", conversation="ann's"), claim("a.py", root="/other")
    assert judge("Bash", "tee a.py", own, other) is None


def test_a_file_in_another_worktree_of_the_repository_is_claimed_automatically() -> None:
    assert opinion_kind(judge("Edit", "/work/a.py", project="/tree")) == "effects"


def test_what_the_conversation_has_claimed_is_not_claimed_automatically() -> None:
    own = claim("src/**", "glob", conversation="ann's", expires_at=None)
    assert judge("Edit", "/work/src/a.py", own) is None
    assert opinion_kind(judge("Edit", "/work/b.py", own)) == "effects"


def test_a_file_outside_of_the_project_is_neither_claimed_nor_compared_by_a_command() -> None:
    assert judge("Edit", "/tmp/b.py") is None
    assert opinion_kind(judge("Edit", "/tmp/a.py", view=Stamp(9, 9, 9))) == "deny"
    editing = claim("tmp/a.py", root="/", automatic=True)
    assert judge("Bash", "rm /tmp/a.py", view=Stamp(9, 9, 9), since=(editing,)) is None
    assert judge("Bash", "touch /tmp/a.py", view=Stamp(9, 9, 9), since=(editing,)) is None


def start(session: Session, *claims: Claim) -> Opinion | None:
    """Return what is said at the start of a session whose variables claim a file."""
    facts = Facts(
        identity=Identity(agent="ann", claims="a.py"),
        project=Project(1, "/work", "/work"),
        session=session,
        resolved={OpenClaims(Facts().at, "/work"): claims},
    )
    event = SessionStart(hook_event_name="SessionStart")
    try:
        return POLICY.opine(event, facts, Options())
    except MissingFacts as lack:
        facts = facts.with_facts({one: _found(one, claims, None, ()) for one in lack.requests})
    return POLICY.opine(event, facts, Options())


def test_only_the_session_of_an_agent_claims_at_its_start() -> None:
    assert opinion_kind(start(Session(1, "ann's", owner="ann"))) == "effects"
    assert start(Session(1, "ann's", owner="ann", agent_id="sub")) is None


def test_what_an_agent_held_before_it_was_started_again_is_claimed_again() -> None:
    session = Session(1, "ann's", owner="ann")
    assert opinion_kind(start(session, claim("a.py", agent="ann"))) == "effects"
    assert opinion_kind(start(session, claim("a.py"))) == "context"
    assert opinion_kind(start(session, claim("a.py", agent=None))) == "context"
    assert opinion_kind(start(session, claim("a.py", automatic=True))) == "effects"


def test_an_automatic_claim_of_a_subagent_names_the_session() -> None:
    sub = Session(8, "ann's", agent_id="sub", parent_session_id=1, company=True)
    found = judge("Edit", "/work/a.py", session=sub)
    assert found is not None
    (added,) = found.effects
    assert isinstance(added, AddClaim)
    assert added.session_id == 1


def test_a_command_that_shows_a_file_does_not_open_it() -> None:
    found = judge("Bash", "cat a.py")
    assert found == Opinion(effects=(KeepView("ann's", 1, "/work/a.py", SEEN, "c", opened=False),))


def test_after_a_command_its_reads_count_and_its_changes_are_views() -> None:
    command = {"command": "cat b.py; sed -i s/a/b/ a.py; rm c.py"}
    ran = PostToolUse(
        hook_event_name="PostToolUse",
        tool_name="Bash",
        tool_input=command,
        tool_use_id="c",
        cwd="/work",
    )
    facts = Facts(project=Project(1, "/work", "/work"), session=Session(1, "ann's", company=True))
    with pytest.raises(MissingFacts) as lack:
        POLICY.opine(ran, facts, Options())
    found = {one: _found(one, (), None, ()) for one in lack.value.requests}
    opinion = POLICY.opine(ran, facts.with_facts(found), Options())
    assert opinion == Opinion(
        effects=(
            ConfirmViews("ann's", "c"),
            KeepView("ann's", 1, "/work/a.py", SEEN, opened=False),
            HashViews("ann's"),
        )
    )


def test_a_denial_claims_nothing_and_names_the_holder() -> None:
    found = judge("Edit", "/work/a.py", claim("a.py"), options=Options(explicit="deny"))
    assert found is not None
    assert found.reason.startswith("Blocked by claim-guard: a.py is claimed by bob (codex, ")
    assert found.effects == ()


def test_an_automatic_claim_is_made_once_and_extended_later() -> None:
    first = judge("Edit", "/work/a.py")
    assert first is not None
    (added,) = first.effects
    assert isinstance(added, AddClaim)
    assert (added.pattern, added.automatic) == ("a.py", True)
    assert added.expires_at == iso(NOW + timedelta(minutes=5))
    own = claim("a.py", conversation="ann's", automatic=True)
    assert judge("Edit", "/work/a.py", replace(own, expires_at=added.expires_at)) is None
    late = judge("Edit", "/work/a.py", replace(own, expires_at=iso(NOW + timedelta(minutes=1))))
    assert late is not None
    assert late.effects == (ExtendClaim(4, added.expires_at),)


@pytest.mark.parametrize(
    ("options", "session"),
    [
        (Options(minutes=0), None),
        (Options(), Session(1, "ann's", claimed=True)),  # it is alone
        (Options(), Session(1, "ann's")),
    ],
)
def test_no_automatic_claim_is_made(options: Options, session: Session | None) -> None:
    assert judge("Edit", "/work/a.py", options=options, session=session) is None


@pytest.mark.parametrize("tool", ["Edit", "Read", "Bash"])
@pytest.mark.parametrize("kind", [PreToolUse, PostToolUse, PostToolUseFailure])
def test_for_a_session_that_is_alone_nothing_is_looked_up(tool: str, kind: type[ToolInput]) -> None:
    given = {"file_path": "/work/a.py", "command": "rm a.py"}
    event = kind(
        hook_event_name=kind.__name__,
        tool_name=tool,
        tool_input=given,
        tool_use_id="c",
        cwd="/work",
    )
    facts = Facts(project=Project(1, "/work", "/work"), session=Session(1, "ann's"))
    assert POLICY.opine(event, facts, Options()) is None


def test_no_view_is_stored_while_others_only_hold_claims() -> None:
    session = Session(1, "ann's", claimed=True)
    assert judge("Read", "/work/a.py", session=session) is None
    ran = PostToolUse(
        hook_event_name="PostToolUse",
        tool_name="Edit",
        tool_input={"file_path": "/work/a.py"},
        tool_use_id="c",
        cwd="/work",
    )
    facts = Facts(project=Project(1, "/work", "/work"), session=session)
    assert POLICY.opine(ran, facts, Options()) is None


def test_a_failed_tool_changes_no_view_and_a_failed_command_does() -> None:
    company = Session(1, "ann's", company=True)
    facts = Facts(project=Project(1, "/work", "/work"), session=company)
    edit = PostToolUseFailure(
        hook_event_name="PostToolUseFailure",
        tool_name="Edit",
        tool_input={"file_path": "/work/a.py"},
        tool_use_id="c",
        cwd="/work",
    )
    assert POLICY.opine(edit, facts, Options()) is None
    command = {"command": "cat b.py; sed -i s/a/b/ a.py"}
    failed = edit.model_copy(update={"tool_name": "Bash", "tool_input": command})
    with pytest.raises(MissingFacts):
        POLICY.opine(failed, facts, Options())


def test_what_another_edits_is_said_once() -> None:
    editing = claim("a.py", automatic=True)
    found = judge("Edit", "/work/a.py", editing)
    assert found is not None
    assert "is being edited by bob (codex, session 9) since 3 minutes ago" in found.context
    (kept,) = [one for one in found.effects if isinstance(one, Remember)]
    again = judge("Edit", "/work/a.py", editing, state=kept.value)
    assert again is not None
    assert again.context == ""


def test_a_stale_view_names_who_edits_the_file() -> None:
    found = judge("Edit", "/work/a.py", claim("a.py", automatic=True), view=Stamp(9, 9, 9))
    assert found is not None
    assert found.verdict == "deny"
    assert "has changed since you last read it. bob (codex, session 9) edits it." in found.reason
    assert opinion_kind(judge("Edit", "/work/a.py", view=SEEN)) == "effects"
    assert opinion_kind(judge("Bash", "tee a.py", view=Stamp(9, 9, 9))) == "effects"


WRITES = [
    "sed -i s/one/two/ a.py",
    "cat > a.py <<'EOF'\nthree\nEOF",
    "echo three >> a.py",
    "make | tee a.py",
    "cp b.py a.py",
    "git mv a.py c.py",
    "git checkout -- a.py",
    "mv a.py b.py",
    "touch b.py; rm a.py",
    "sed -i s/a/b/ b.py a.py",
]


@pytest.mark.parametrize("command", WRITES)
def test_a_command_on_a_stale_view_is_denied_if_another_has_changed_the_file(command: str) -> None:
    old, editing = Stamp(9, 9, 9), claim("a.py", automatic=True)
    found = judge("Bash", command, view=old, since=(editing,))
    assert found is not None
    assert found.verdict == "deny"
    assert "a.py has changed since you last read it. Next: read it again" in found.reason
    assert "b.py" not in found.reason
    assert "run the command again." in found.reason
    assert opinion_kind(judge("Bash", command, view=SEEN, since=(editing,))) in ("effects", "")
    assert opinion_kind(judge("Bash", command, view=old)) in ("effects", "")
    others = (claim("b.md", automatic=True), claim("a.py", conversation="ann's"))
    assert opinion_kind(judge("Bash", command, view=old, since=others)) in ("effects", "")


@pytest.mark.parametrize("command", ["make", "cat a.py", "rm -r src", "rm *.py", "tee /tmp/a.py"])
def test_a_command_that_names_no_stale_file_is_not_judged_by_views(command: str) -> None:
    editing = claim("a.py", automatic=True)
    found = judge("Bash", command, view=Stamp(9, 9, 9), since=(editing,))
    assert opinion_kind(found) in ("effects", "")


def test_a_read_stores_the_state_before_it() -> None:
    found = judge("Read", "/work/a.py")
    assert found == Opinion(effects=(KeepView("ann's", 1, "/work/a.py", SEEN, "c"),))
