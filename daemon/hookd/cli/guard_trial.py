"""Evaluation of a tool call for `hookd guard explain`: by the daemon, or here without one.

Both run the same pipeline (`road.tried`). Here it reads the settings and the database itself.
"""

from functools import partial
from pathlib import Path
from typing import Any

from hookd import paths
from hookd.cli import client
from hookd.cli.problem import Problem


def evaluated(params: dict[str, Any]) -> dict[str, Any]:
    """Return the result of `guards.explain`; `daemon` in it says whether the daemon gave it."""
    if client.probe(paths.paths().socket) is client.State.LISTENING:
        found: dict[str, Any] = client.call("guards.explain", params)
        return {"daemon": True, **found}
    return {"daemon": False, **_evaluated_here(params)}


def _evaluated_here(params: dict[str, Any]) -> dict[str, Any]:
    """Evaluate the call in this process, on a connection that only reads."""
    from hookd import app, road, standing  # noqa: PLC0415 - slow: they bring the whole daemon
    from hookd.arrival import unsent  # noqa: PLC0415
    from hookd.cli import hook_page, policy_page  # noqa: PLC0415
    from hookd.core.identity import identify  # noqa: PLC0415
    from hookd.core.standing import Standing  # noqa: PLC0415
    from hookd.core.wants import Unseen  # noqa: PLC0415
    from hookd.files import places as folders  # noqa: PLC0415
    from hookd.files.look import look  # noqa: PLC0415
    from hookd.handlers import HOOKS  # noqa: PLC0415
    from hookd.handlers.guards.explain import METHOD  # noqa: PLC0415
    from hookd.hearing import House  # noqa: PLC0415
    from hookd.store import facts as stored  # noqa: PLC0415
    from hookd.store.damage import looked_up  # noqa: PLC0415

    places, root = paths.paths(), params["projectDir"]
    trusted = looked_up(places.database, stored.trusted)
    chosen = policy_page.read(root, trusted)
    if chosen.fault:
        raise Problem(f"{chosen.fault}.", "hookd settings check")
    described = standing.described(places, paths.claude())
    options = {name: choice.options for name, choice in chosen.choices.items()}
    settings = standing.configured(places.settings).settings
    asked = METHOD.params.model_validate(params)
    identity = folders.located(identify(client.identity()))
    event = METHOD.event(asked, identity)
    hop = partial(
        road.tried,
        house=House(Standing(described, options, settings)),
        delivery=unsent(event, METHOD.who(asked, identity), HOOKS[event.hook_event_name]),
        now=app.now(),
        asked=hook_page.read(root, trusted).asked(str(Path.home())),
    )
    seen: road.Seen = {}
    while True:
        try:
            trial = looked_up(places.database, partial(hop, seen=seen))
        except Unseen as lack:
            seen = {**seen, **dict.fromkeys(lack.wants), **look(lack.wants)}
        else:
            return METHOD.shape(asked, trial).model_dump(mode="json", by_alias=True)
