"""What a project's own files say of policies holds as it was trusted, whatever becomes of them."""

import asyncio
import json
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.model.identity import Identity
from hookd.events.model import HookInput
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.user_hook_stage import UserHookStage
from hookd.redaction.redact import record
from hookd.user_hooks import project_config
from hookd.user_hooks.project_config import ProjectConfigStore

T = TypeVar("T")

STRICT = {"policies": {"enabled": ["session-gate"]}}
HOOK = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}


class Scene:
    """A project, a home, and what is trusted."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home = str(folder / "shop"), folder / "home"
        self.file = folder / "shop" / ".hookd" / "settings.json"
        self.file.parent.mkdir(parents=True)
        self.trusted: dict[str, str] = {}
        self.loop = asyncio.new_event_loop()
        self.book = self.anew()

    def anew(self) -> ProjectConfigStore:
        async def held() -> Mapping[str, str]:
            return self.trusted

        return ProjectConfigStore(str(self.home), str(self.home / "config"), held)

    def runs(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def says(self, value: object) -> ProjectConfig:
        self.file.write_text(value if isinstance(value, str) else json.dumps(value))
        return self.page()

    def page(self) -> ProjectConfig:
        return self.runs(self.book.reload(self.root))

    def agrees(self) -> ProjectConfig:
        digest = self.page().digest
        assert digest is not None
        self.trusted[self.root] = digest
        return self.page()


@pytest.fixture
def scene(tmp_path: Path) -> Any:
    scene = Scene(tmp_path)
    yield scene
    scene.loop.close()


def enabled(page: ProjectConfig) -> list[str]:
    return [name for one in page.sections for name in one.policies.enabled]


def disabled(page: ProjectConfig) -> list[str]:
    return [name for one in page.sections for name in one.policies.disabled]


WEAKER = {"policies": {"disabled": ["destructive-guard"]}}
OTHERS = [
    json.dumps(STRICT) + " ",
    "{",
    "{}",
    json.dumps(WEAKER),
    json.dumps({"policies": {"enabled": ["session-gate", "read-throttle"]}}),
    json.dumps(STRICT | HOOK),
]


@pytest.mark.parametrize("text", OTHERS)
def test_what_was_trusted_of_policies_outlasts_a_change_and_nothing_else_holds(
    scene: Scene, text: str
) -> None:
    scene.says(STRICT)
    assert scene.agrees().trusted is True
    page = scene.says(text)
    assert page.trusted is not True
    assert (enabled(page), disabled(page)) == (["session-gate"], [])
    assert page.merged.hooks == ()
    assert [one.path for one in page.last_trusted] == [str(scene.file)]
    assert any("stays in force" in one.sentence for one in page.merged.problems)
    assert enabled(scene.page()) == ["session-gate"]


def test_it_outlasts_the_file_itself(scene: Scene) -> None:
    scene.says(STRICT)
    scene.agrees()
    scene.file.unlink()
    assert enabled(scene.page()) == ["session-gate"]


def test_a_word_of_trust_lets_the_new_content_hold_and_distrust_lets_none(scene: Scene) -> None:
    scene.says(STRICT)
    scene.agrees()
    scene.says(WEAKER)
    page = scene.agrees()
    assert (enabled(page), disabled(page), page.last_trusted) == ([], ["destructive-guard"], ())
    scene.trusted.clear()
    page = scene.page()
    assert (page.sections, page.last_trusted) == ((), ())
    assert scene.says(STRICT).sections == ()


def test_what_was_never_trusted_does_not_hold_on(scene: Scene) -> None:
    assert scene.says(STRICT).sections == ()
    assert scene.says(WEAKER).sections == ()


def test_another_daemon_cannot_know_what_was_trusted(scene: Scene) -> None:
    scene.says(STRICT)
    scene.agrees()
    scene.book = scene.anew()
    assert scene.says(WEAKER).sections == ()


def test_hooks_never_hold_on(scene: Scene) -> None:
    scene.says(STRICT | HOOK)
    assert len(scene.agrees().merged.hooks) == 1
    page = scene.says(json.dumps(STRICT | HOOK) + " ")
    assert (page.merged.hooks, enabled(page)) == ((), ["session-gate"])


def test_what_holds_outside_of_any_project_is_known_from_the_beginning_to_the_end(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scene.book.cached(None) is None
    scene.runs(scene.book.start())
    assert scene.book.cached(None) is not None
    monkeypatch.setattr(project_config, "_MOST", 3)
    for number in range(5):
        scene.runs(scene.book.reload(f"{scene.root}/{number}"))
    assert scene.book.cached(None) is not None
    assert scene.book.cached(f"{scene.root}/0") is None


def test_where_a_project_cannot_be_read_what_holds_outside_of_any_does(scene: Scene) -> None:
    scene.runs(scene.book.start())

    async def fails() -> Mapping[str, str]:
        raise OSError("the disk is gone")

    scene.book._trusted = fails
    nobody: Any = None
    counsel = UserHookStage(scene.book, nobody, nobody, nobody, nobody, str(scene.home))
    event = HookInput(hook_event_name="Stop", session_id="s")
    asked = Delivery(event, Identity(project_dir=scene.root), None, record({}))
    page = scene.runs(counsel.project_config(asked))
    assert page is not None
    assert page is scene.book.cached(None)
