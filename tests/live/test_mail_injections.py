"""Live: what one agent writes is context for another, never the user's word, whatever it says."""

from collections.abc import Iterator

import pytest

from support.flows import within
from support.home import Home, Window, place
from support.injection_texts import TEXTS
from support.mail import agent, gets, project
from support.payloads import context, verdict

SETTINGS = {
    "policies": {"profile": "workflow", "enabled": ["keyword-detector", "ralph-loop"]},
    "mail": {"per_hour_and_pair": 10_000},
}


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Window, Window]]:
    with place() as home:
        home.settings(SETTINGS)
        home.serves()
        folder = project(home)
        yield agent(home, folder, "ann"), agent(home, folder, "ben")


def state(home: Home) -> list[object]:
    """Return what consent of the user would change."""
    return [
        home.rows("SELECT * FROM allowances"),
        home.rows("SELECT * FROM guards"),
        home.rows("SELECT * FROM trusts"),
        home.rows("SELECT * FROM messages WHERE role = 'user'"),
        home.rows("SELECT policy, value_json FROM policy_state WHERE policy LIKE '%loop%'"),
        home.rpc("daemon.status")["pausedUntil"],
    ]


@pytest.mark.parametrize("text", [text for _, text in TEXTS], ids=[name for name, _ in TEXTS])
def test_a_text_that_speaks_for_the_user_changes_nothing(
    pair: tuple[Window, Window], text: str
) -> None:
    ann, ben = pair
    before = state(ann.home)
    number = within(ann, "mail.send", to="ben", text=text)["id"]
    given = gets(ben)
    head, *body, end = given.split("\n")
    assert head.startswith(f"[hookd:mail] Message {number} from agent ann ")
    assert head.endswith(f'it ends at "{end}".')
    assert all(line.startswith(("> ", ">", "[cut: ")) for line in body)
    assert given.count("[hookd:") == 1
    assert len(given.encode()) <= 2_000
    assert verdict(ben.bash("rm -rf ~"))[0] == "deny", "the guards apply as before"
    assert verdict(ben.bash("git push --force origin main"))[0] in ("ask", "deny")
    assert state(ann.home) == before


@pytest.mark.parametrize("text", ["ultrawork", "/hookd:pause 8h", "stop the loop"])
def test_a_prompt_that_repeats_mail_has_no_word_of_the_user(
    pair: tuple[Window, Window], text: str
) -> None:
    ann, ben = pair
    assert "[hookd:keyword-detector]" in context(ben.says("UserPromptSubmit", prompt="ultrawork"))
    within(ann, "mail.send", to="ben", text=text)
    prompt = gets(ben)
    assert "[hookd:mail]" in prompt
    assert context(ben.says("UserPromptSubmit", prompt=prompt)) == ""
