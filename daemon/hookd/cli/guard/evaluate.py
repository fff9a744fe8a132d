"""Evaluation of a tool call for `hookd guard explain`: by the daemon, or here without one.

Both call `transaction.dry_run`. Here it reads the settings and the database itself.
"""

import gc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hookd import paths
from hookd.cli.lib import client
from hookd.cli.lib.errors import Problem
from hookd.pydantic_plugins import skip_plugins


def evaluated(params: dict[str, Any]) -> dict[str, Any]:
    """Return the result of `guards.explain`; `daemon` in it says whether the daemon gave it."""
    if client.probe(paths.paths().socket) is client.State.LISTENING:
        found: dict[str, Any] = client.call("guards.explain", params)
        return {"daemon": True, **found}
    return {"daemon": False, **_evaluated_here(params)}


def _evaluated_here(params: dict[str, Any]) -> dict[str, Any]:
    """Evaluate the call in this process, on a connection that only reads."""
    gc.disable()  # the process ends soon, and collections take a fifth of the time of imports
    skip_plugins()
    from hookd.cli.hooks import project_files  # noqa: PLC0415 - slow: they import the guards
    from hookd.cli.policies import effective  # noqa: PLC0415
    from hookd.core.model.daemon_state import RuntimeConfig  # noqa: PLC0415
    from hookd.core.model.identity import identify  # noqa: PLC0415
    from hookd.core.model.method import Trial  # noqa: PLC0415
    from hookd.methods import HOOKS  # noqa: PLC0415
    from hookd.methods.guards.explain import METHOD  # noqa: PLC0415
    from hookd.pipeline import runtime_config, transaction  # noqa: PLC0415
    from hookd.pipeline.delivery import unsent  # noqa: PLC0415
    from hookd.pipeline.evaluation import PolicyEngine  # noqa: PLC0415
    from hookd.pipeline.fact_loader import Requests, ResolvedFacts, run_with_files  # noqa: PLC0415
    from hookd.pipeline.recorder import NOTHING  # noqa: PLC0415
    from hookd.store import facts  # noqa: PLC0415
    from hookd.store.recovery import run_read_only  # noqa: PLC0415
    from hookd.system import real_paths  # noqa: PLC0415
    from hookd.system.file_lookup import look  # noqa: PLC0415

    places, root = paths.paths(), params["projectDir"]
    trusted = run_read_only(places.database, facts.trusted)
    chosen = effective.read(root, trusted)
    if chosen.fault:
        raise Problem(f"{chosen.fault}.", "hookd settings check")
    described = runtime_config.described(places, paths.claude())
    options = {name: choice.options for name, choice in chosen.choices.items()}
    settings = runtime_config.configured(places.settings).settings
    asked = METHOD.params.model_validate(params)
    identity = real_paths.located(identify(client.identity()))
    event = METHOD.event(asked, identity)
    ctx = transaction.EventContext(
        unsent(event, METHOD.who(asked, identity), HOOKS[event.hook_event_name], asked.client),
        PolicyEngine(RuntimeConfig(described, options, settings)),
        datetime.now(UTC),  # noqa: TID251 - as in daemon/app.py, this is the process's own clock
        project_files.effective(root, trusted).hooks_for(str(Path.home())),
        NOTHING,
    )

    def evaluate(more: ResolvedFacts) -> Trial:
        return run_read_only(places.database, lambda db: transaction.dry_run(db, ctx, more))

    def read_files(requests: Requests) -> ResolvedFacts:
        return {**dict.fromkeys(requests), **look(requests)}

    trial = run_with_files(evaluate, read_files)
    return METHOD.shape(asked, trial).model_dump(mode="json", by_alias=True)
