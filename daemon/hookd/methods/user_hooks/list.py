"""List user hooks: those that apply in a project, and the others with the reason."""

from typing import Any

from hookd.core.hook_rules.http_policy import inactive_reason
from hookd.core.hook_rules.layers import CLIENT_RUNS_IT
from hookd.core.hook_rules.model import Hook
from hookd.core.model.deadlines import client_cutoff, hook_deadlines
from hookd.core.model.fact_requests import HooksOfProject
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`root` is the project's root; null lists the hooks that apply everywhere."""

    root: str | None = None


class Result(Wire):
    """`digest` is of the project's own files, null if they are empty; `trusted` refers to it.

    The `state` of a hook is on, off, untrusted, or listed (Claude Code runs it itself).
    `cutAfter`: seconds after which Claude Code's own limit ends a hook, null if it does not.
    `kept`: policies of the project's files that still apply, as they were last trusted.
    `fleet`: policies that the fleet of this host turns on, by the version of its rules.
    `deadlines`: seconds that the shim must wait, for each event that hooks run on.
    """

    root: str | None
    digest: str | None
    trusted: bool | None
    hooks: list[dict[str, Any]]
    problems: list[dict[str, Any]]
    kept: list[dict[str, Any]] = []
    fleet: dict[str, list[str]] = {}
    deadlines: dict[str, int] = {}


def decide(params: Params, facts: Facts) -> Change:
    """Change nothing."""
    page = facts.require(HooksOfProject(params.root))
    if page is None:
        return Change(Result(root=params.root, digest=None, trusted=None, hooks=[], problems=[]))
    options = facts.settings.user_hooks
    missing = [(hook, inactive_reason(hook, options)) for hook in page.merged.hooks]
    rows = [_row(hook, "off" if why else "on", why) for hook, why in missing]
    rows += [_row(one.hook, _state(one.reason), one.reason) for one in page.merged.inactive]
    problems = [
        {"path": one.path, "key": one.key, "sentence": one.sentence, "fatal": one.fatal}
        for one in page.merged.problems
    ]
    return Change(
        Result(
            root=params.root,
            digest=page.digest,
            trusted=page.trusted,
            hooks=rows,
            problems=problems,
            kept=[
                {"path": one.path, "policies": one.policies.model_dump(mode="json")}
                for one in page.last_trusted
            ],
            fleet={one.path: list(one.policies.enabled) for one in page.sections if one.tightens},
            deadlines=hook_deadlines(page.merged.hooks),
        )
    )


def _state(why: str) -> str:
    if why == CLIENT_RUNS_IT:
        return "listed"
    return "untrusted" if why.startswith("not trusted") else "off"


def _row(hook: Hook, state: str, why: str) -> dict[str, Any]:
    return {
        "id": hook.id,
        "event": hook.event,
        "action": hook.action,
        "matcher": hook.matcher,
        "condition": hook.condition,
        "type": hook.type,
        "layer": hook.source.layer,
        "path": hook.source.path,
        "key": hook.source.key,
        "timeout": hook.timeout,
        "cutAfter": client_cutoff(hook),
        "state": state,
        "why": why,
        "statusMessage": hook.status_message,
        "onFailure": hook.on_failure,
        "background": hook.background,
    }


METHOD = ChangeMethod(
    "userHooks.list",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"root": "/work/orders"}, says="the hooks of all layers"),),
)
