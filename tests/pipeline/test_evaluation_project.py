"""The engine in a project: what its settings change, and what they cannot."""

from dataclasses import replace
from typing import Any

import pytest

from hookd.config.models import Policies, Section, Settings
from hookd.core.hook_rules.layers import ProjectConfig, merge_layers
from hookd.core.hook_rules.match import HookTable
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.facts import Facts, Session
from hookd.events.model import HookInput, PostToolUse, PreToolUse, SessionStart
from hookd.pipeline.evaluation import PolicyEngine
from hookd.policies import configure


def section(path: str, *, final: bool = False, **said: Any) -> Section:
    return Section(Policies.model_validate(said), path, final=final)


def page(root: str, *sections: Section) -> ProjectConfig:
    return ProjectConfig(root, merge_layers((), {}), HookTable.of(()), sections=sections)


def house(**said: Any) -> PolicyEngine:
    policies = Policies.model_validate(said)
    return PolicyEngine(
        RuntimeConfig(settings=Settings(policies=policies), options=configure(policies))
    )


def mode(found: PolicyEngine, policy: str) -> str:
    return found.config.options[policy].mode


MANAGED = section(
    "/etc",
    final=True,
    enabled=["destructive-guard"],
    options={"overflow": {"critical": 0.95}},
)
CLASHES = section("p", options={"overflow": dict.fromkeys(("notice", "warn", "at", "critical"), 1)})


def test_a_project_that_clashes_with_managed_settings_does_not_take_them_away() -> None:
    found = house(disabled=["destructive-guard"]).for_project(page("/w", CLASHES, MANAGED))
    assert mode(found, "destructive-guard") == "enforce"
    assert found.config.options["overflow"].model_dump()["critical"] == 0.95


def test_own_settings_that_clash_with_managed_ones_give_way() -> None:
    own = house(
        disabled=["destructive-guard"],
        options={"overflow": {"notice": 0.96, "warn": 0.97, "at": 0.98, "critical": 0.99}},
    )
    assert mode(own.for_project(page("/w", MANAGED)), "destructive-guard") == "enforce"


def test_a_project_that_clashes_with_ones_own_settings_changes_nothing() -> None:
    own = house(options={"overflow": {"critical": 0.95}}, disabled=["keyword-detector"])
    found = own.for_project(
        page(
            "/w",
            section(
                "p",
                options={"overflow": {"notice": 0.96, "warn": 0.96, "at": 0.96, "critical": 0.97}},
            ),
            section("l", options={"overflow": {"critical": 0.9}}),
        )
    )
    assert mode(found, "keyword-detector") == "off"
    assert found.config.options["overflow"].model_dump()["critical"] == 0.95


def test_a_house_that_is_read_anew_holds_at_once_in_each_project() -> None:
    here, own = page("/w", section("p", disabled=["heartbeat"])), house()
    assert mode(own.for_project(here), "heartbeat") == "off"
    assert own.for_project(here) is own.for_project(here)
    own.config = house(disabled=["keyword-detector"]).config
    assert mode(own.for_project(here), "keyword-detector") == "off"
    assert (
        mode(own.for_project(page("/w", section("p", enabled=["heartbeat"]))), "heartbeat")
        == "enforce"
    )


def test_projects_without_number_are_not_remembered_without_end() -> None:
    own, said = house(), section("p", disabled=["heartbeat"])
    for number in range(520):
        own.for_project(page(f"/tmp/{number}", said))
    assert len(own._by_project) <= 500


def test_an_engine_with_other_policies_asks_those_also_in_a_project() -> None:
    own, here = house(), page("/w", section("p", disabled=["heartbeat"]))
    first = own.policies_for("PreToolUse")
    assert own.for_project(here).policies_for("PreToolUse") == first
    other = replace(own, policies=first[:1])
    assert other.policies_for("PreToolUse") == first[:1]
    assert other.for_project(here).policies_for("PreToolUse") == first[:1]
    assert own.policies_for("PreToolUse") == first


def asked(event: HookInput, session: Session | None) -> set[str]:
    found = house().policies_about(event, Facts(session=session))
    return {one.name for one in found} & {"claim-guard", "mail-guard"}


def test_a_session_that_is_alone_is_not_judged_by_claims_or_mail() -> None:
    alone = Session(1, "s")
    for kind in (PreToolUse, PostToolUse):
        call = kind(hook_event_name=kind.__name__, tool_name="Edit", tool_input={})
        assert asked(call, None) == asked(call, alone) == set()
        assert asked(call, replace(alone, company=True)) == {"claim-guard"}
        assert asked(call, replace(alone, claimed=True)) == {"claim-guard"}
    assert asked(SessionStart(hook_event_name="SessionStart"), alone) == {"claim-guard"}


@pytest.mark.parametrize("tool", ["SendMessage", "Batch"])
def test_a_call_that_may_send_a_message_is_judged_by_mail(tool: str) -> None:
    call = PreToolUse(hook_event_name="PreToolUse", tool_name=tool, tool_input={})
    assert asked(call, Session(1, "s")) == {"mail-guard"}
