"""Files for a model: each once in a window, by whatever name, and none from where it may not be."""

from typing import Any

from hookd.core.context_window.injections import NewText
from hookd.core.context_window.preload import mark_given, preload
from hookd.core.efforts.skill import Skill
from hookd.core.efforts.skill_lookup import readable_file
from hookd.core.model.effects.sessions import AddSeen
from hookd.core.model.fact_requests import File, FileText
from hookd.core.model.facts import Facts, KnownSkill, Session
from hookd.redaction.redact import redact
from support.fact_lookup import CLAUDE, ROOT, ask, here
from support.parametrize import parametrize_all

SKILL = KnownSkill(Skill("build"), "/opt/skills/build/SKILL.md", "1-1-1")
FILES = {
    f"{ROOT}/a.md": "a\n\n",
    f"{ROOT}/b.md": "b",
    "/opt/skills/build/LOG.md": "log",
    f"{CLAUDE}/skills/c.md": "c",
    f"{CLAUDE}/.credentials.json": "key",
    "/etc/passwd": "root",
    f"{ROOT}-old/a.md": "old",
}
KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"


def loaded(paths: list[str], facts: Facts | None = None, **files: str) -> tuple[Any, ...]:
    """Return the paths whose content is given, and those that are missing."""
    one = ask(lambda known: preload(paths, known, SKILL), facts or here(), FILES | files)
    return tuple(fresh.path for fresh in one.fresh), one.missing


PATHS = [
    ([], (), ()),
    ([f"{ROOT}/a.md", f"{ROOT}/b.md"], (f"{ROOT}/a.md", f"{ROOT}/b.md"), ()),
    ([f"{ROOT}/b.md", f"{ROOT}/a.md"], (f"{ROOT}/b.md", f"{ROOT}/a.md"), ()),
    ([f"{ROOT}/a.md"] * 3, (f"{ROOT}/a.md",), ()),
    ([f"{ROOT}/x/../a.md"], (f"{ROOT}/a.md",), ()),
    (["/opt/skills/build/LOG.md"], ("/opt/skills/build/LOG.md",), ()),
    ([f"{CLAUDE}/skills/c.md"], (f"{CLAUDE}/skills/c.md",), ()),
    ([f"{CLAUDE}/.credentials.json"], (), (f"{CLAUDE}/.credentials.json",)),
    ([f"{ROOT}/none.md"], (), (f"{ROOT}/none.md",)),
    (["/etc/passwd"], (), ("/etc/passwd",)),
    ([f"{ROOT}/../../etc/passwd"], (), (f"{ROOT}/../../etc/passwd",)),
    ([f"{ROOT}-old/a.md"], (), (f"{ROOT}-old/a.md",)),
    (["a.md", ""], (), ("a.md", "")),
]


@parametrize_all(("paths", "given", "missing"), PATHS)
def test_what_may_be_read_is_given_in_its_order(
    paths: list[str], given: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    assert loaded(paths) == (given, missing)


def test_all_files_are_asked_for_at_once() -> None:
    paths = [f"{ROOT}/a.md", "/etc/passwd"]
    wants = [readable_file(path, SKILL, here()) for path in paths]
    assert wants == [FileText(f"{ROOT}/a.md", ROOT), FileText("/etc/passwd", ROOT)]
    one = preload(paths, here().with_facts(dict.fromkeys(wants)), SKILL)
    assert one.missing == tuple(paths)


def test_a_content_ends_without_blank_lines_and_says_where_it_was_cut() -> None:
    files = FILES | {f"{ROOT}/long.md": "x" * 60_000}
    paths = [f"{ROOT}/a.md", f"{ROOT}/long.md"]
    short, cut = ask(lambda known: preload(paths, known, None, rule_id="r"), here(), files).fresh
    assert short == NewText("r", "a", f"{ROOT}/a.md")
    assert cut.content == "x" * 50_000 + f"\n[the rest is in {ROOT}/long.md]"


HAD = [
    ({"preloaded_files": (f"{ROOT}/a.md",)}, ()),
    ({"loaded_files": (f"{ROOT}/a.md",)}, ()),
    ({"preloaded_files": (f"{ROOT}/b.md",)}, (f"{ROOT}/a.md",)),
]


@parametrize_all(("seen", "given"), HAD)
def test_what_the_window_has_had_is_neither_given_nor_missing(
    seen: dict[str, Any], given: tuple[str, ...]
) -> None:
    facts = here(session=Session(3, "s", **seen))
    assert loaded([f"{ROOT}/a.md"], facts) == (given, ())


def test_a_file_of_two_names_is_given_once() -> None:
    wants = [
        FileText(f"{ROOT}/{name}", ROOT) for name in ("one.md", "hard.md", "link.md", "other.md")
    ]
    one = File(f"{ROOT}/one.md", "x", "1-1-77")
    hard = File(f"{ROOT}/hard.md", "x", "1-1-77")
    other = File(f"{ROOT}/other.md", "x", "1-1-78")
    facts = here().with_facts(dict(zip(wants, (one, hard, one, other), strict=True)))
    given = preload([want.path for want in wants], facts, None).fresh
    assert [fresh.path for fresh in given] == [f"{ROOT}/one.md", f"{ROOT}/other.md"]


def test_a_path_that_looks_like_a_secret_is_known_again_by_what_is_kept_of_it() -> None:
    path = f"{ROOT}/{KEY}.md"
    assert redact(path) != path
    (first,) = ask(lambda known: preload([path], known, None), here(), {path: "x"}).fresh
    (kept,) = mark_given(here(), [first], [f"{ROOT}/{KEY}"])
    assert isinstance(kept, AddSeen)
    assert KEY not in str(kept)
    facts = here(session=Session(3, "s", preloaded_files=kept.files))
    assert ask(lambda known: preload([path], known, None), facts, {path: "x"}).fresh == ()


def test_what_was_given_is_added_to_what_the_window_has_had() -> None:
    fresh = [NewText("r", "x", "/b"), NewText("r", "a text"), NewText("r", "x", "/a")]
    assert mark_given(here(), fresh, ["/e", "/d"]) == (AddSeen(3, ("/b", "/a"), ("/e", "/d")),)


def test_where_there_is_nothing_to_keep_or_no_window_nothing_is() -> None:
    assert mark_given(here(), [NewText("r", "a text")]) == ()
    assert mark_given(here(session=None), [NewText("r", "x", "/b")]) == ()
