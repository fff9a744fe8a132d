"""Evaluate one hook event without the daemon: by the guards, the settings and the user's rules.

It uses the daemon's own pipeline on a read-only database, but only the policies that guard. No user
hook runs: a hook that was to decide counts as failed (`on_error`). Nothing is
written but one line about the verdict.
"""

import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from pydantic import ValidationError

from hookd import json_text
from hookd.clients import answers
from hookd.clients.adapters import CLAUDE_CODE, adapter_of, sender_of
from hookd.clients.contract import Adapter
from hookd.config.refusal import refusal_text
from hookd.core.evaluation.unjudged import MAX_FILE_BYTES, format_line, judged_alone
from hookd.core.hook_rules.layers import ProjectConfig
from hookd.core.hook_rules.model import Hook, HookExecution, HookRun
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.fact_requests import FactRequest
from hookd.core.model.facts import FactValue, iso
from hookd.core.model.identity import Identity, identify
from hookd.events.delivery_identity import call_key
from hookd.events.model import HookInput, PermissionRequest, PreToolUse, parse_event, salvage
from hookd.lazy_dataclass import dataclass
from hookd.paths import Paths, claude, paths
from hookd.pipeline.delivery import (
    Delivery,
    Received,
    ShimTerms,
    with_real_cwd,
)
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.fact_loader import Requests, ResolvedFacts, run_with_files
from hookd.pipeline.recorder import NOTHING
from hookd.pipeline.response import EventResponse
from hookd.pipeline.runtime_config import configured, described
from hookd.pipeline.time_limit import TimeLimit
from hookd.pipeline.transaction import (
    EventContext,
    complete_event,
    process_event,
    record_unjudged,
)
from hookd.policies import POLICIES
from hookd.redaction.redact import Record, redact
from hookd.rpc import jsonrpc
from hookd.store import facts
from hookd.store.database import Connection, StoreError
from hookd.store.recovery import run_read_only, unread
from hookd.system import private_dirs, processes, real_paths, stop_marker, unjudged_spool
from hookd.system.file_lookup import look
from hookd.user_hooks import hook_reply
from hookd.user_hooks.project_settings import Pages

GUARDS = tuple(policy for policy in POLICIES if policy.on_error == "ask")
"""The policies that guard: without the daemon no other is asked."""

_MODELS: Mapping[str, type[HookInput]] = {
    "PreToolUse": PreToolUse,
    "PermissionRequest": PermissionRequest,
}
_NOT_RUN = "it was not run, because the daemon did not answer"
_FILE_TIMEOUT_S = 1.0
"""Time after which a file that was not read counts as absent, as in the daemon."""


class Machine(NamedTuple):
    """Where everything of hookd and of its client is located; `home` is the user's folder."""

    places: Paths
    claude: Path
    home: str


class Event(NamedTuple):
    """One hook event as its shim sends it.

    `closed`: the event fails closed, so that a denial is stronger than a question. `client` is the
    client that the shim is registered for, "" for Claude Code.
    """

    name: str
    env: Mapping[str, object]
    body: bytes
    closed: bool = False
    client: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer as JSON, the event, and the text for the record: empty while hookd is paused."""

    answer: bytes
    event: str
    reason: str


class NoVerdictError(Exception):
    """The event cannot be judged; the fail policy decides."""


def answered(sent: bytes, *, record: bool) -> bytes:
    """Return the line that answers what a shim sent, and leave a line about it with `record`.

    Raise NoVerdictError if the fail policy must decide.
    """
    logging.getLogger("hookd").addHandler(logging.NullHandler())
    places = paths()
    asked, body = _request(sent)
    if stop_marker.read(places.stopped) is not None:
        return jsonrpc.result(asked.get("id"), b"null") + b"\n"
    params = asked["params"]
    name, env, closed = params.get("event"), params.get("env"), params.get("closed") is True
    client = str(params.get("client") or "")
    event = Event(str(name), env if isinstance(env, dict) else {}, body, closed, client)
    now = datetime.now(UTC)  # noqa: TID251 - as in daemon/app.py, this is the process's own clock
    verdict = judge(Machine(places, claude(), str(Path.home())), event, now)
    if record and verdict.reason:
        with suppress(OSError):  # the verdict holds although it cannot be recorded
            private_dirs.make(places.socket.parent)
            unjudged_spool.leave(
                places.unjudged,
                format_line(iso(now), verdict.event, verdict.reason),
                MAX_FILE_BYTES,
            )
    return jsonrpc.result(asked.get("id"), verdict.answer) + b"\n"


def _request(sent: bytes) -> tuple[Any, bytes]:
    """Return the request and the payload. Raise NoVerdictError."""
    head, _, body = sent.partition(b"\n")
    try:
        request = json.loads(head)
    except ValueError:
        request = None
    if not isinstance(request, dict) or not isinstance(request.get("params"), dict):
        raise NoVerdictError("stdin is no request of a shim")
    return request, body


def judge(machine: Machine, event: Event, now: datetime) -> Verdict:
    """Judge one event. Raise NoVerdictError if the fail policy must decide."""
    work = partial(_judged, machine, event, now)
    try:
        judged = run_read_only(machine.places.database, work)
    except StoreError:  # it is none of hookd's: by what can be read then
        judged = unread(work)
    if isinstance(judged, str):  # as a value, since an error would be taken for the database's
        raise NoVerdictError(judged)
    return judged


def _judged(machine: Machine, event: Event, now: datetime, db: Connection) -> Verdict | str:
    """Return the verdict, or why there is none."""
    engine, (delivery, problem) = _engine(machine), _delivery(event)
    root = delivery.identity.project_dir or delivery.event.cwd
    config = _project_config(machine, engine, root, db)
    hooks = config.hooks_for(machine.home)
    ctx = EventContext(delivery, engine.for_project(config), now, hooks, NOTHING)
    if not problem:
        try:
            return _process(ctx, db)
        except StoreError:
            raise  # nothing can be read: run_read_only has an empty database for that
        except Exception as fault:  # noqa: BLE001 - a fault of hookd must not allow a call
            problem = f"hookd failed on it: {type(fault).__name__}"
    guarded = config.has_hooks(delivery.event.hook_event_name)
    response = record_unjudged(db, ctx, problem, guarded=guarded)
    return problem if response is None else _verdict(delivery, response)


def _engine(machine: Machine) -> PolicyEngine:
    """Return the guards with the user's settings, and a time limit as in the daemon."""
    places, chosen, limit = machine.places, configured(machine.places.settings), TimeLimit()
    limit.begin()
    daemon = replace(
        described(places, machine.claude), pid=processes.noted(places.pid), problem=chosen.problem
    )
    return PolicyEngine(RuntimeConfig(daemon, chosen.options, chosen.settings), GUARDS, limit=limit)


def _delivery(event: Event) -> tuple[Delivery, str]:
    """Return the delivery of an event, and why its payload cannot be read."""
    fields: dict[str, Any] = {"hook_event_name": event.name}
    client, problem = adapter_of(event.client), "the payload is not a JSON object"
    terms = ShimTerms(event.closed, peer=os.getpid())
    received = Received(event.name, event.env, terms=terms, client=event.client)
    try:
        payload = json_text.parse(event.body)
        if isinstance(payload, dict):
            client = sender_of(client, payload, event.env)
            fields = client.decode.normalize(payload, event.name)
            parsed = parse_event(fields, _MODELS.get(fields["hook_event_name"], HookInput))
            who = _identity(event, client)
            parsed = with_real_cwd(parsed, who)
            key = call_key(parsed)
            return Delivery(parsed, who, None, Record(""), received, key, client=client), ""
    except ValidationError as error:
        problem = refusal_text(error)
    except (ValueError, RecursionError, MemoryError):
        problem = "the payload is not JSON that can be read"
    who = _identity(event, client)
    return Delivery(salvage(fields), who, None, Record(""), received, client=client), problem


def _identity(event: Event, client: Adapter) -> Identity:
    own = client is CLAUDE_CODE
    return real_paths.located(identify(event.env, claude_code=own), claude_code=own)


def _project_config(
    machine: Machine, engine: PolicyEngine, root: str | None, db: Connection
) -> ProjectConfig:
    """Return the settings of the project and the user for hooks and policies."""
    options = engine.config.settings.user_hooks
    pages = Pages(
        machine.home,
        str(machine.places.config),
        runs_claude=lambda: options.claude_settings == "run",
    )
    return pages.read(root, facts.trusted(db))[0]


def _process(ctx: EventContext, db: Connection) -> Verdict | str:
    """Run the pipeline, without the user's hooks; return the verdict, or why there is none."""
    delivery = ctx.delivery
    first = run_with_files(lambda more: process_event(db, ctx, more), _read_files)
    if isinstance(first, EventResponse):
        return _verdict(delivery, first)
    hooks = [hook for hook in first.hooks if not hook.background]
    runs = tuple(_unrun(hook, delivery.event.hook_event_name) for hook in hooks)
    response = run_with_files(
        lambda more: complete_event(db, ctx, first.with_facts(more), runs), _read_files
    )
    denied = response.outcome is not None and response.outcome.verdict == "deny"
    if hooks and delivery.received.terms.fails_closed and not denied:
        return f"{len(hooks)} hook{'' if len(hooks) == 1 else 's'} of yours could not be run"
    return _verdict(delivery, response, len(hooks))


def _unrun(hook: Hook, event: str) -> HookRun:
    """Return the run of a hook that was not started."""
    ran = HookExecution(hook, fault=_NOT_RUN)
    said = hook_reply.reply_of(ran, event)
    return HookRun(ran, said.opinion, said.notes)


def _read_files(requests: Requests) -> ResolvedFacts:
    """Read files on a thread, since a disk that does not answer must not delay the verdict."""
    found: dict[FactRequest, FactValue | None] = dict.fromkeys(requests)
    reading = Thread(target=lambda: found.update(look(requests)), daemon=True)
    reading.start()
    reading.join(_FILE_TIMEOUT_S)
    return dict(found)


def _verdict(delivery: Delivery, response: EventResponse, hooks: int = 0) -> Verdict:
    name, outcome = delivery.event.hook_event_name, response.outcome
    if outcome is None:  # the first answer to a delivery that came again
        reason = judged_alone(answers.verdict_of(response.answer), "its first answer")
    elif outcome.rule == "pause":
        reason = ""
    else:
        reason = redact(judged_alone(outcome.verdict, outcome.rule, hooks))
    return Verdict(response.answer, name, reason)
