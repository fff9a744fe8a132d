"""Permission requests in words."""

from hookd.display.approval_words import agent_words, call_words, risk_words, state_words

ROW = {
    "tool": "Bash",
    "text": "touch x",
    "agent": None,
    "sessionId": 3,
    "status": "denied",
    "answeredBy": "anna, web",
    "message": "Not there.",
    "askedAt": "2026-01-31T08:00:00.000Z",
    "answeredAt": "2026-01-31T08:00:12.500Z",
}


def test_a_request_is_told_in_words() -> None:
    assert call_words(ROW) == "Bash: touch x"
    assert agent_words(ROW) == "session 3"
    assert agent_words(ROW | {"agent": "worker-1"}) == "worker-1"
    assert state_words(ROW) == "denied by anna, web after 12.5 s: Not there."
    assert state_words(ROW | {"status": "pending", "answeredAt": None}) == "waits"
    expired = ROW | {"status": "expired", "answeredBy": None, "message": None}
    assert state_words(expired) == "expired after 12.5 s"


def test_a_risk_has_a_kind_and_a_severity() -> None:
    assert risk_words(None) == "none known"
    assert risk_words({"kind": "delete", "severity": "deny"}) == "delete, severe"
    assert risk_words({"kind": "delete", "severity": "ask"}) == "delete, to check"
