"""Arguments of each client: a restart leaves out what resumes, and puts the prompt in its place."""

import hypothesis
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.lifecycle.client_arguments import (
    GRAMMARS,
    client_in,
    first_command,
    program_of,
    restart_command,
)
from hookd.core.model.client_names import CLIENTS
from support.parametrize import parametrize_all

PROMPTED = {
    "claude": "claude|P",
    "claude first": "claude first|P",
    "claude --add-dir lib": "claude --add-dir lib|--|P",
    "claude -p": "claude -p|--|P",
    "claude --model opus -- first": "claude --model opus -- first|P",
    "mise exec -- claude": "mise exec -- claude|P",
    "mise exec -- claude --tools Read": "mise exec -- claude --tools Read|--|P",
}


@parametrize_all("command", PROMPTED)
def test_a_prompt_is_the_last_argument_and_no_value_of_an_option(command: str) -> None:
    before, *rest = PROMPTED[command].split("|")
    assert first_command(command.split(), "P") == [*before.split(), *rest]


@parametrize_all(
    ("command", "whole"),
    [
        ("claude", "claude -- -P"),
        ("claude -- a", "claude -- a -P"),
        ("claude -d", "claude -d -- -P"),
    ],
)
def test_a_prompt_that_begins_with_a_dash_is_no_option(command: str, whole: str) -> None:
    assert first_command(command.split(), "-P") == whole.split()


UNBOUND = {
    "-c": "",
    "--continue": "",
    "-cp": "-p",
    "-pc": "-p",
    "-p -c": "-p",
    "-c first": "first",
    "-r": "",
    "-r 8f2c": "",
    "-r8f2c": "",
    "--resume": "",
    "--resume 8f2c": "",
    "--resume=8f2c": "",
    "--resume --model opus": "--model opus",
    "--resume -- first": "-- first",
    "--resume=8f2c first": "first",
    "--session-id 8f2c": "",
    "--session-id=8f2c": "",
    "--session-id= first": "first",
    "--session-id": "",
    "--resume 8f2c --fork-session --session-id 9a": "",
    "--resume 8f2c --resume-session-at 77 -p": "-p",
    "--from-pr": "",
    "--from-pr 12": "",
    "--from-pr=12 --model opus": "--model opus",
    "--teleport 8f2c --verbose": "--verbose",
    "--model opus --continue --add-dir a b": "--model opus --add-dir a b",
    "--resumed --continued --session-idle x": "--resumed --continued --session-idle x",
    "-p - first": "-p - first",
    "--permission-mode plan": "--permission-mode plan",
}


@parametrize_all("arguments", UNBOUND)
def test_a_new_start_does_not_bring_the_old_conversation_back(arguments: str) -> None:
    wanted = first_command(["claude", *UNBOUND[arguments].split()], "P")
    assert restart_command(["claude", *arguments.split()], "P") == wanted


def test_the_program_itself_is_no_option() -> None:
    assert restart_command(["claude", "claude", "-c"], "P") == ["claude", "claude", "P"]


WORDS = [*" ".join(UNBOUND).split(), "-", "a b", "", "=", "ü"]


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=8)), st.text(min_size=1, max_size=20))
@hypothesis.example(["--resume"], "--resume")
def test_a_new_start_ends_with_its_prompt_and_invents_nothing(
    arguments: list[str], prompt: str
) -> None:
    *rest, last = restart_command(["claude", *arguments], prompt)
    assert last == prompt
    assert rest[0] == "claude"
    kept = rest[1:-1] if rest[-1] == "--" else rest[1:]
    split = [word.replace("c", "") if set(word) <= set("-cp") else word for word in arguments]
    assert set(kept) <= {*arguments, *split}
    assert len(kept) <= len(arguments)


BEHIND = {
    "bash -c claude": "bash -c claude|--|P",
    "sh -c x /bin/claude -c": "sh -c x /bin/claude|--|P",
    "ssh -rt host claude --resume 8f2c -p": "ssh -rt host claude -p|--|P",
    "mise exec -r -- claude --continue": "mise exec -r -- claude|P",
    "my-client --continue": "my-client --continue|--|P",
}


@parametrize_all("command", BEHIND)
def test_what_starts_the_client_keeps_its_own_options(command: str) -> None:
    before, *rest = BEHIND[command].split("|")
    assert restart_command(command.split(), "P") == [*before.split(), *rest]


RESTARTED = {
    # Codex 0.169.0
    "codex": "codex|P",
    "codex -m o3 --search": "codex -m o3 --search|--|P",
    "codex first": "codex|P",
    "codex -- first": "codex|P",
    "codex -c model=o3 --image a.png b.png": "codex -c model=o3 --image a.png b.png|--|P",
    "codex -cmodel=o3": "codex -cmodel=o3|--|P",
    "codex resume": "codex|P",
    "codex resume --last": "codex|P",
    "codex resume 8f2c first -m o3": "codex -m o3|--|P",
    "codex -m o3 fork --last --all": "codex -m o3|--|P",
    "codex exec --json first": "codex exec --json|--|P",
    "codex exec resume 8f2c first": "codex exec|P",
    "codex exec resume --last -": "codex exec|P",
    "codex -m resume": "codex -m resume|--|P",
    "npx @openai/codex resume --last": "npx @openai/codex|P",
    # Gemini CLI 0.61.0
    "gemini": "gemini|--prompt-interactive|P",
    "gemini -r latest -y": "gemini -y|--prompt-interactive|P",
    "gemini --resume=5": "gemini|--prompt-interactive|P",
    "gemini --session-id 8f2c --session-file a.json": "gemini|--prompt-interactive|P",
    "gemini -i first -m pro": "gemini -m pro|--prompt-interactive|P",
    "gemini -p first -o json": "gemini -o json|--prompt|P",
    "gemini --prompt=first": "gemini|--prompt|P",
    "gemini -y first words": "gemini -y|--prompt-interactive|P",
    "gemini -e a b": "gemini -e a b|--prompt-interactive|P",
    # Qwen Code 0.24.4
    "qwen --continue": "qwen|--prompt-interactive|P",
    "qwen -c --fork-session -y": "qwen -y|--prompt-interactive|P",
    "qwen -cy": "qwen -y|--prompt-interactive|P",
    "qwen -r": "qwen|--prompt-interactive|P",
    "qwen -r 8f2c -p first": "qwen|--prompt|P",
    "qwen --session-id 8f2c first": "qwen|--prompt|P",
    # Copilot CLI 1.0.102
    "copilot": "copilot|--interactive|P",
    "copilot --continue --yolo": "copilot --yolo|--interactive|P",
    "copilot -r": "copilot|--interactive|P",
    "copilot --resume=8f2c -i first": "copilot|--interactive|P",
    "copilot --resume 8f2c --allow-tool shell write": (
        "copilot --allow-tool shell write|--interactive|P"
    ),
    "copilot --session-id 8f2c --connect -p first": "copilot|--prompt|P",
    "copilot --connect 8f2c": "copilot|--interactive|P",
    # opencode 1.18.33
    "opencode": "opencode|--prompt|P",
    "opencode lib -c": "opencode lib|--prompt|P",
    "opencode -s 8f2c --fork --agent plan": "opencode --agent plan|--prompt|P",
    "opencode --prompt first --mini": "opencode --mini|--prompt|P",
    "opencode run first words": "opencode run|P",
    "opencode run -c --fork first -m a/b": "opencode run -m a/b|--|P",
    "opencode run --session=8f2c -- first": "opencode run|P",
    # What takes no prompt starts as before.
    "codex mcp list": "codex mcp list",
    "qwen serve --port 1": "qwen serve --port 1",
    "opencode serve -s x": "opencode serve -s x",
}


@parametrize_all("command", RESTARTED)
def test_each_client_begins_a_new_conversation_with_the_prompt(command: str) -> None:
    before, *rest = RESTARTED[command].split("|")
    assert restart_command(command.split(), "P") == [*before.split(), *rest]


FIRST = {
    "codex resume 8f2c": "codex resume 8f2c|P",
    "gemini -r latest": "gemini -r latest|--prompt-interactive|P",
    "gemini -p first": "gemini|--prompt|P",
    "copilot --continue": "copilot --continue|--interactive|P",
    "opencode run --title a": "opencode run --title a|--|P",
    "my-client -c": "my-client -c|--|P",
}


@parametrize_all("command", FIRST)
def test_the_first_start_resumes_what_it_was_told_to(command: str) -> None:
    before, *rest = FIRST[command].split("|")
    assert first_command(command.split(), "P") == [*before.split(), *rest]


@parametrize_all("client", GRAMMARS)
def test_a_dash_at_the_beginning_of_a_prompt_makes_no_option(client: str) -> None:
    *_, mark, last = ["", *restart_command([program_of(client)], "-P")]
    assert (mark, last) == ("--", "-P") or last == f"{GRAMMARS[client].first}=-P"


FLAGS = ["-", "--", "-c", "-r", "-rx", "-i", "--resume", "--prompt", "-cy", "run", "exec", "mcp"]


@given(
    st.sampled_from([name for name in GRAMMARS if name != "claude-code"]),
    st.lists(st.sampled_from(FLAGS) | st.text(max_size=4), max_size=6),
    st.sampled_from(["Next.", "-P", "Read a=b.", "--prompt x"]),
)
def test_the_prompt_of_a_restart_takes_the_place_of_the_one_before(
    client: str, arguments: list[str], prompt: str
) -> None:
    once = restart_command([program_of(client), *arguments], prompt)
    assert restart_command(once, prompt) == once


def test_each_client_has_a_grammar_and_a_program() -> None:
    assert GRAMMARS.keys() == CLIENTS.keys()
    for client in CLIENTS:
        assert client_in([program_of(client)]) == (0, client)


NAMED = {
    "ssh codex-host codex": (2, "codex"),
    "/opt/codex gemini": (0, "codex"),
    "mise -C /work/gemini exec -- claude": (5, "claude-code"),
    "sh -c x /bin/qwen": (3, "qwen"),
    "npx @google/gemini-cli": (1, "gemini"),
    "cursor-agent": (1, ""),
    "": (0, ""),
}


@parametrize_all("command", NAMED)
def test_which_client_a_command_starts(command: str) -> None:
    assert client_in(command.split()) == NAMED[command]
