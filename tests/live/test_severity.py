"""Live: a kind of risk has the severity that the user sets."""

from support.home import Home, window_in
from support.payloads import context, verdict


def test_a_kind_of_risk_has_the_severity_of_the_settings(daemon: Home) -> None:
    window = window_in(daemon)
    force = "git push --force origin main"
    assert verdict(window.bash(force))[0] == "deny"
    levels = {"force-push": "ask", "history": "deny", "deletes": "tell", "kills": "off"}
    options = {
        "destructive-guard": {"severity": levels},
        "secrets-guard": {"severity": {"read": "tell"}},
    }
    daemon.settings({"policies": {"options": options}})
    daemon.restarts()
    assert verdict(window.bash(force))[0] == "ask"
    assert verdict(window.bash("git reset --hard"))[0] == "deny"
    answer = window.bash("rm -rf src")
    assert verdict(answer)[0] == ""
    assert "[hookd:destructive-guard] The call runs, but take note: `rm -rf src`" in context(answer)
    assert window.bash("pkill node") is None
    assert "[hookd:secrets-guard]" in context(window.bash("cat .env"))
    shown = daemon.hookd("policy", "show", "destructive-guard").stdout
    assert "force-push" in shown
