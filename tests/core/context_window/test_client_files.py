"""AGENTS.md files that the client itself delivers: which, by version and folder."""

from dataclasses import replace

from hookd.config.models import DirectiveOptions, Settings
from hookd.core.context_window.client_files import given_by_client
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, identify
from support.fact_lookup import CLAUDE, ROOT, ask, here
from support.parametrize import parametrize_all

ROOT_S, API_S, WEB_S = (f"{ROOT}/{name}AGENTS.md" for name in ("", "api/", "web/"))
HIDDEN = f"{ROOT}/.claude/AGENTS.md"
OTHERS = (f"{ROOT}/INVARIANTS.md", "/lib/AGENTS.md", f"{ROOT}-old/AGENTS.md", "/work/AGENTS.md")
ASKED = (ROOT_S, HIDDEN, API_S, WEB_S, *OTHERS)
ALL = {ROOT_S, HIDDEN, API_S, WEB_S}


def facts(client: tuple[int, int, int] | None = (2, 1, 330), **more: object) -> Facts:
    return here(identity=Identity(client=client), **more)


def given(known: Facts, *files: str, subagent: str | None = None) -> set[str]:
    there = dict.fromkeys((*ASKED, *files), "x")
    return set(ask(lambda seen: given_by_client(ASKED, seen, subagent=subagent), known, there))


@parametrize_all(
    ("client", "all_of_them"),
    [(None, False), ((2, 1, 280), False), ((2, 1, 281), True), ((2, 2, 0), True)],
)
def test_it_is_given_from_a_certain_version_on(
    client: tuple[int, int, int] | None, all_of_them: bool
) -> None:
    assert given(facts(client)) == (ALL if all_of_them else set())


@parametrize_all(
    ("file", "left"),
    [
        (f"{ROOT}/CLAUDE.md", set()),
        (f"{ROOT}/.claude/CLAUDE.md", set()),
        (f"{ROOT}/CLAUDE.local.md", set()),
        ("/work/CLAUDE.md", set()),
        ("/CLAUDE.md", set()),
        (f"{ROOT}/api/CLAUDE.md", ALL - {API_S}),
        (f"{ROOT}/api/v1/CLAUDE.md", ALL),
        (f"{ROOT}/README.md", ALL),
        (f"{ROOT}-old/CLAUDE.md", ALL),
    ],
)
def test_a_claude_md_keeps_the_client_from_it(file: str, left: set[str]) -> None:
    assert given(facts(), file) == left


def test_the_user_s_own_claude_md_is_not_the_project_s() -> None:
    own = replace(facts().daemon, claude="/work/.claude")
    assert given(facts(daemon=own), "/work/.claude/CLAUDE.md") == ALL
    assert given(facts(), f"{CLAUDE}/CLAUDE.md") == ALL


@parametrize_all(
    ("subagent", "left"), [("Explore", ALL - {ROOT_S, HIDDEN}), ("general-purpose", ALL)]
)
def test_some_subagents_begin_without_it(subagent: str, left: set[str]) -> None:
    assert given(facts(), subagent=subagent) == left


def test_the_settings_can_bring_it_all_the_same() -> None:
    always = Settings(directives=DirectiveOptions(agents_md="always"))
    assert given(facts(settings=always)) == set()


OWN = {
    "codex": {"AGENTS.md"},
    "gemini": {"GEMINI.md"},
    "qwen": {"QWEN.md", "AGENTS.md"},
    "copilot": {"AGENTS.md", ".github/copilot-instructions.md"},
    "opencode": {"AGENTS.md"},
    "claude-code": set[str](),  # of a version that loads none
    "other": set[str](),
}
NAMED = ("AGENTS.md", "GEMINI.md", "QWEN.md", ".github/copilot-instructions.md", "CLAUDE.md")


@parametrize_all("client", OWN)
def test_each_client_loads_its_own_files_of_the_root(client: str) -> None:
    asked = [f"{ROOT}/{folder}{name}" for folder in ("", "api/") for name in NAMED]
    known = replace(facts(None), client=client)
    assert given_by_client(asked, known) == {f"{ROOT}/{name}" for name in OWN[client]}
    assert given_by_client(asked, known, subagent="worker") == frozenset()
    always = Settings(directives=DirectiveOptions(agents_md="always"))
    assert given_by_client(asked, replace(known, settings=always)) == frozenset()


def test_nothing_is_looked_for_where_there_is_no_such_file() -> None:
    assert given_by_client([f"{ROOT}/INVARIANTS.md"], facts()) == frozenset()
    assert given_by_client([], facts()) == frozenset()


NAMES = [
    ("claude-code_2-1-330_harness", (2, 1, 330)),
    ("claude-code_2-1-330", (2, 1, 330)),
    ("claude-code_2-1", None),
    ("codex_2-1-330", None),
    ("claude-code_2-1-3300000000", None),
    ("", None),
]


@parametrize_all(("name", "version"), NAMES)
def test_the_client_tells_its_version(name: str, version: tuple[int, int, int] | None) -> None:
    assert identify({"AI_AGENT": name}).client == version
