"""The setting `precompact.action` in each client, by the payload that it sends."""

from typing import Any

from hookd.clients.adapters import ADAPTERS
from hookd.config.models import PrecompactOptions, Settings
from hookd.core.model.effects.after_commit import AskRestart, ReadTranscript
from hookd.core.model.effects.sessions import EndSession, Remember
from hookd.core.model.fact_requests import RunOfSession
from hookd.core.model.facts import Facts, Session
from hookd.core.model.identity import Identity
from hookd.core.model.method import Decision
from hookd.core.model.verdict import Opinion, Outcome
from hookd.events.model import PreCompact
from hookd.methods.hooks.pre_compact import METHOD
from support.parametrize import parametrize_all
from support.payloads import payload

RUN = "0b6a6f0e-2f4f-4a0e-9d6c-6f1f6a0c2f11"
AUTO = {"hook_event_name": "PreCompact", "trigger": "auto", "session_id": "s"}
SENT: dict[str, dict[str, Any]] = {
    "claude-code": payload("PreCompact.auto"),
    "codex": payload("codex/PreCompact"),
    "qwen": AUTO,
    "copilot": AUTO,
    "opencode": AUTO,
}


def decided(client: str, action: Any) -> tuple[PreCompact, Decision]:
    event = PreCompact.model_validate(ADAPTERS[client].decode.normalize(SENT[client], "PreCompact"))
    known = Facts(
        identity=Identity(runs=frozenset({RUN})),
        session=Session(1, "s", handover=True),
        settings=Settings(precompact=PrecompactOptions(action=action)),
        resolved={RunOfSession(1): RUN},
        client=client,
    )
    return event, METHOD.decide(event, known)


def rendered(client: str, event: PreCompact, opinion: Opinion) -> Any:
    outcome = Outcome(opinion.verdict, opinion.reason)
    return ADAPTERS[client].encode.render(event, outcome, 0).output


@parametrize_all(("client", "blocks"), [(one, one in ("claude-code", "qwen")) for one in SENT])
def test_a_compaction_is_blocked_or_recorded(client: str, blocks: bool) -> None:
    event, decision = decided(client, "block")
    if not blocks:
        assert decision.opinion is None  # Codex would end the turn
        assert {type(one) for one in decision.effects} <= {Remember, ReadTranscript}
        return
    assert decision.opinion is not None
    assert rendered(client, event, decision.opinion)["decision"] == "block"
    assert decision.opinion.reason.endswith("hookd handover save, then /clear.")


@parametrize_all("client", SENT)
def test_a_restart_is_asked_for_in_each_client(client: str) -> None:
    event, decision = decided(client, "restart")
    assert {AskRestart, EndSession} <= {type(one) for one in decision.effects}
    assert decision.opinion is not None
    answer = rendered(client, event, decision.opinion) or {}
    assert (answer.get("decision") == "block") == (client in ("claude-code", "qwen"))
    assert answer.get("continue") is not False


def test_what_gemini_sends_before_each_request_is_no_compaction() -> None:
    normalize = ADAPTERS["gemini"].decode.normalize
    names = [
        normalize(payload(name), "PreCompact")["hook_event_name"]
        for name in ("gemini/PreCompress", "gemini/PreCompress.manual")
    ]
    assert names == ["PreCompress", "PreCompact"]
