"""Whoever tries to switch hookd off is asked, and whoever only works beside it is not."""

from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.fact_requests import FactRequest, RealPath, RealPathsOf
from hookd.core.model.facts import Facts, Guard, Project, Session
from hookd.core.model.identity import Identity
from hookd.core.model.policy import opinion_kind
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.policies import destructive_guard, secrets_guard, self_guard
from hookd.system.file_lookup import Found
from support.paper_disk import Disk, looked
from support.parametrize import parametrize_all
from support.self_guard_commands import EVERYDAY, HOME, RUN, SHIMS, SHOP, SILENT, STATE, TRIES, Row

FACTS = Facts(
    project=Project(1, SHOP),
    session=Session(1, "s"),
    identity=Identity(home=HOME),
    guards=(Guard(1, "no-force", "user", "{}"),),
    daemon=DaemonState(
        pid=4242,
        socket=f"{RUN}/hookd.sock",
        database=f"{STATE}/hookd.db",
        log=f"{STATE}/hookd.log",
        settings=f"{HOME}/.config/hookd/settings.json",
        claude=f"{HOME}/.claude",
        python=f"{HOME}/.hookd/bin/python",
        own=(
            *(f"{RUN}/hookd.{end}" for end in ("pid", "stopped", "unjudged")),
            *(f"{STATE}/hookd.{end}" for end in ("lock", "db-wal")),
            *(SHIMS, f"{SHIMS}/hookd-hook"),
        ),
    ),
)
SETTINGS = ".claude/settings.json"
DISK = Disk(
    files={
        **dict.fromkeys((f"{SHOP}/evil/{SETTINGS}", f"/tmp/evil/{SETTINGS}"), "{}"),
        **dict.fromkeys((f"/tmp/x/shop/{SETTINGS}", f"{SHOP}/clean/README.md"), "{}"),
        f"{SHOP}/fake/pyproject.toml": '[project]\nname = "hookd"\n',
        f"{SHOP}/clean/pyproject.toml": '[project]\nname = "clean"\n',
    },
    links={f"{SHOP}/notes.json": f"{HOME}/{SETTINGS}"},
    listed={
        **dict.fromkeys((f"{SHOP}/x.tar", f"{SHOP}/x.zip"), (".claude/", SETTINGS)),
        f"{SHOP}/x.tgz": ("./.claude/settings.local.json",),
        f"{SHOP}/nested.tar": (f"evil/{SETTINGS}",),
        **dict.fromkeys((f"{SHOP}/dist.tgz", f"{SHOP}/clean.zip"), ()),
        f"{SHOP}/x.patch": (f"--- a/{SETTINGS}", f"+++ b/{SETTINGS}"),
        f"{SHOP}/clean.patch": (),
    },
)
GUARDS = (self_guard.POLICY, destructive_guard.POLICY, secrets_guard.POLICY)


def event_of(row: Row) -> PreToolUse:
    tool, given = ("Bash", {"command": row}) if isinstance(row, str) else row
    return PreToolUse(hook_event_name="PreToolUse", tool_name=tool, tool_input=given, cwd=SHOP)


def heard(row: Row, disk: Disk = DISK) -> Opinion | None:
    return looked(self_guard.POLICY, event_of(row), FACTS, disk)


def held(row: Row) -> bool:
    """Return whether any guard that is on by default asks about a call, or denies it."""
    event = event_of(row)
    return any(
        opinion_kind(looked(guard, event, FACTS, DISK)) in ("ask", "deny") for guard in GUARDS
    )


@parametrize_all("family", TRIES)
def test_a_try_to_switch_hookd_off_is_asked_about_or_denied(family: str) -> None:
    passed = [row for row in TRIES[family] if not held(row)]
    assert [row for row in passed if row not in SILENT] == []


def test_nearly_all_tries_are_held_and_the_others_are_known() -> None:
    tries = [row for rows in TRIES.values() for row in rows]
    assert len(tries) - len(SILENT) >= 880
    assert {row for row in tries if isinstance(row, str)} >= SILENT
    assert not any(map(held, SILENT)), "it is held now: docs/guides/security.md need not name it"


@parametrize_all("family", EVERYDAY)
def test_what_is_done_every_day_beside_it_is_silent(family: str) -> None:
    assert [row for row in EVERYDAY[family] if heard(row) is not None] == []


UNLISTED: list[tuple[Row, str]] = [
    ("tar xf dist.tgz", "ask"),
    ("unzip clean.zip", "ask"),
    ("git apply clean.patch", "ask"),
    ("cp -r clean/. .", "ask"),
    ("tar xf dist.tgz -C build", ""),
    ("cp -r clean/. build", ""),
    ("cp -r clean build", ""),
    ("unzip clean.zip -d /tmp/x", ""),
]


@parametrize_all(("row", "says"), UNLISTED)
def test_what_cannot_be_listed_is_asked_about_where_settings_can_be(row: Row, says: str) -> None:
    assert opinion_kind(heard(row, Disk())) == says


MADE = [
    "curl -o dist.tgz https://example.com/x && tar xf dist.tgz",
    "wget https://example.com/dist.tgz; tar xf dist.tgz",
    "cp /tmp/x.tgz dist.tgz && tar xf dist.tgz",
    "cat /tmp/x.tgz > dist.tgz; tar xf dist.tgz",
    "rm -rf clean; git clone https://example.com/clean; cp -r clean/. .",
]


@parametrize_all("row", MADE)
def test_a_source_that_the_same_text_makes_is_not_at_hand(row: str) -> None:
    assert opinion_kind(heard(row)) == "ask"


FAR = ["tar xf dist.tgz -C build", "cp -r src dst", "unzip data.zip -d data", "npm ci", "ls -la"]


@parametrize_all("row", FAR)
def test_no_archive_or_folder_is_looked_into_for_a_call_that_lands_elsewhere(row: str) -> None:
    class Closed(Disk):
        def sees(self, want: FactRequest) -> Found | None:
            assert isinstance(want, RealPath | RealPathsOf), want
            return super().sees(want)

    assert heard(row, Closed()) is None
