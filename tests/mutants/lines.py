"""The promises that a mutant breaks, each by one line, and the tests that have to notice it."""

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_PACKAGE = "daemon/hookd"
_SHIM = f"{_PACKAGE}/shims/hookd-hook"
_COLD = f"{_PACKAGE}/shims/hookd-cold"
_NATIVE = f"{_PACKAGE}/shims/native/hookd-hook.c"


@dataclass(frozen=True)
class Mutant:
    """`line` of `file` becomes `instead`; `line` occurs there exactly once."""

    promise: str
    file: str
    line: str
    instead: str
    tests: tuple[str, ...]


def _m(promise: str, file: str, line: str, instead: str, *tests: str) -> Mutant:
    return Mutant(promise, file, line, instead, tests)


_ROWS = "tests/store/writes/test_writes_redaction.py"
_WRITES = "tests/store/writes/test_writes.py"
_REGISTERED = "tests/shims/test_registered_form.py"
_FAILS = "tests/shims/test_shim.py"
_DAMAGED = "tests/shims/test_damaged_shims.py"
_OTHERS = "tests/shims/test_other_clients.py"
_NATIVE_ALONE = "tests/shims/test_native_shim.py"
_AS_ROOT = (
    _m(
        "peer: another user's process at the socket, by the native shim",
        _NATIVE,
        "if (!own_peer(link)) give_up(",
        "if (!own_peer(link) && false) give_up(",
        _NATIVE_ALONE,
    ),
) * (os.geteuid() == 0)
"""Only root can be another user, so only then a test notices this."""


MUTANTS = (
    _m(
        "once: a delivery that comes again gets its first answer",
        f"{_PACKAGE}/pipeline/transaction.py",
        "if before is not None and not before.pending:",
        "if before is not None and before.pending:",
        "tests/live/test_repeated_deliveries.py",
    ),
    _m(
        "at least once: a text whose answer was lost waits again",
        f"{_PACKAGE}/store/writes/messages.py",
        "for sql in (handed, waits, lost, MARK_UNREPORTED)",
        "for sql in (handed, lost, MARK_UNREPORTED)",
        _WRITES,
    ),
    _m(
        "at least once: a missed event is reported again if its answer was lost",
        f"{_PACKAGE}/store/writes/messages.py",
        "for sql in (handed, waits, lost, MARK_UNREPORTED)",
        "for sql in (handed, waits, lost)",
        _WRITES,
    ),
    _m(
        "at least once: a client that is gone uses up no notice",
        f"{_PACKAGE}/rpc/server.py",
        "ShimTerms(fails_closed, deadline, link.pid, gone)",
        "ShimTerms(fails_closed, deadline, link.pid, gone=False)",
        "tests/live/test_missed_events.py",
    ),
    _m(
        "locks: a killed daemon's stale socket is no running daemon",
        f"{_PACKAGE}/daemon/instance_lock.py",
        "here = _serves(paths.socket)",
        "here = paths.socket.exists()",
        "tests/live/test_starting.py",
    ),
    _m(
        "redaction: the name of a teammate",
        f"{_PACKAGE}/methods/hooks/teammate_idle.py",
        'return redact(f"{team}{event.teammate_name}")',
        'return f"{team}{event.teammate_name}"',
        "tests/live/test_secrets.py",
    ),
    _m(
        "redaction: the payload of an event",
        f"{_PACKAGE}/pipeline/delivery.py",
        "kept = excerpt_record(record(payload, whole=body), body)",
        "kept = Record((body or b'{}').decode())",
        "tests/live/test_secrets.py",
    ),
    _m(
        "redaction: the answer to an event",
        f"{_PACKAGE}/store/writes/__init__.py",
        "return redact_json(event.answer), result",
        "return event.answer, result",
        _ROWS,
    ),
    _m(
        "redaction: the daemon's log",
        f"{_PACKAGE}/log/file.py",
        "redact(str(value))",
        "str(value)",
        "tests/log/test_file.py",
    ),
    _m(
        "redaction: the text of an injection",
        f"{_PACKAGE}/store/writes/messages.py",
        '"content": redact(effect.content),',
        '"content": effect.content,',
        _ROWS,
    ),
    _m(
        "redaction: a message",
        f"{_PACKAGE}/store/writes/messages.py",
        "effect.session_id, effect.effort_id, effect.role, redact(effect.content),",
        "effect.session_id, effect.effort_id, effect.role, effect.content,",
        _ROWS,
    ),
    _m(
        "redaction: the fault of a user's hook",
        f"{_PACKAGE}/store/writes/hook_runs.py",
        '"error": redact(ran.fault)[:_HEAD] or None,',
        '"error": ran.fault[:_HEAD] or None,',
        _ROWS,
    ),
    _m(
        "redaction: the stderr of a user's hook",
        f"{_PACKAGE}/store/writes/hook_runs.py",
        '"stderr_excerpt": redact(printed)[:_HEAD].strip() or None,',
        '"stderr_excerpt": printed[:_HEAD].strip() or None,',
        _ROWS,
    ),
    _m(
        "redaction: a handover",
        f"{_PACKAGE}/store/writes/sessions.py",
        "(redact_json(effect.payload), at, effect.session_id)",
        "(effect.payload, at, effect.session_id)",
        _ROWS,
    ),
    _m(
        "redaction: a log file of an effort",
        f"{_PACKAGE}/system/effort_logs.py",
        "redact(effect.entry)",
        "str(effect.entry)",
        "tests/live/test_secrets.py",
        "tests/system/test_effort_logs.py",
    ),
    _m(
        "locks: one daemon for one state folder",
        f"{_PACKAGE}/daemon/instance_lock.py",
        "if not _locked(self._folder):",
        "if not _locked(self._folder) and False:",
        "tests/live/test_starting.py",
    ),
    _m(
        "locks: a stranger's socket is not replaced",
        f"{_PACKAGE}/daemon/socket_file.py",
        'return "a socket on which another program listens"',
        'return ""',
        "tests/live/test_starting.py",
    ),
    _m(
        "private: the socket belongs to the user alone",
        f"{_PACKAGE}/daemon/socket_file.py",
        "        fresh.chmod(0o600)\n        listener.listen",
        "        fresh.chmod(0o666)\n        listener.listen",
        "tests/live/test_private_files.py",
    ),
    _m(
        "watchdog: a daemon that hangs is ended",
        f"{_PACKAGE}/daemon/watchdog.py",
        "dump_traceback_later(HANG_TIMEOUT_S, exit=True, file=file)",
        "dump_traceback_later(HANG_TIMEOUT_S, exit=False, file=file)",
        "tests/live/test_watchdog.py",
    ),
    _m(
        "fail closed: PreToolUse",
        _SHIM,
        "1PreToolUse | 1PreModelSwitch | ",
        "1PreModelSwitch | ",
        _FAILS,
    ),
    _m(
        "fail closed: PreModelSwitch",
        _SHIM,
        "1PreToolUse | 1PreModelSwitch | ",
        "1PreToolUse | ",
        _FAILS,
    ),
    _m(
        "fail closed: PermissionRequest",
        _SHIM,
        "1PermissionRequest)",
        "1PermissionRequests)",
        _FAILS,
    ),
    _m(
        "fail closed: UserPromptSubmit",
        _SHIM,
        "1UserPromptSubmit | ",
        "",
        _FAILS,
    ),
    _m(
        "fail closed: UserPromptExpansion",
        _SHIM,
        "1UserPromptExpansion | ",
        "",
        _FAILS,
    ),
    _m(
        "fail closed: TaskCreated",
        _SHIM,
        " | 1TaskCreated)",
        ")",
        _FAILS,
    ),
    _m(
        "fail closed: PreToolUse, by the native shim",
        _NATIVE,
        '{"PreToolUse", DECIDED("PreToolUse", "deny")},',
        '{"PreToolUses", DECIDED("PreToolUse", "deny")},',
        _NATIVE_ALONE,
    ),
    _m(
        "fail closed: another client's denial",
        _SHIM,
        "template=$denial",
        "template=''",
        _OTHERS,
    ),
    _m(
        "fail closed: another client's denial, by the native shim",
        _NATIVE,
        "return *config.client ? config.denial : DENIALS[i][1];",
        'return *config.client ? "" : DENIALS[i][1];',
        _OTHERS,
    ),
    _m(
        "fail open: no error for another client",
        _SHIM,
        "[[ $client ]] && exit 0",
        "[[ $client ]] && :",
        _OTHERS,
    ),
    _m(
        "fail closed: a shim that the native one needs is empty",
        _NATIVE,
        "status.st_size > 0 &&",
        "status.st_size >= 0 &&",
        _DAMAGED,
    ),
    _m(
        "fail closed: a file that the shim reads is not complete",
        _SHIM,
        "&& declare -F recover;",
        ";",
        _DAMAGED,
    ),
    _m(
        "fail closed: the native shim starts that of bash without what it reads",
        _SHIM,
        "folder=${3%/*} event=${3##*/} lines=()",
        "folder=/ event=${3##*/} lines=()",
        _DAMAGED,
    ),
    _m(
        "fail closed: a file for no daemon is not complete",
        _COLD,
        "&& declare -F start;",
        ";",
        _DAMAGED,
    ),
    *_AS_ROOT,
    _m(
        "fail closed: an event that cannot be read",
        f"{_PACKAGE}/pipeline/transaction.py",
        "refused = fails_closed and name in CLOSABLE",
        "refused = False",
        "tests/live/test_bad_input.py",
    ),
    _m(
        "cut-off answers: an answer without its end is none",
        _SHIM,
        "[[ $answer == *$'\\n' ]] || answer=''",
        "[[ $answer == *$'\\n' ]] || :",
        _FAILS,
    ),
    _m(
        "stop: only the marker of hookd stop",
        _COLD,
        "if [[ $mark == hookd-stopped ]]; then",
        "if :; then",
        "tests/shims/test_shim.py",
    ),
    _m(
        "configuration: only a file of the user's own",
        _COLD,
        "if [[ ! -f $file || ! -O $file || -L $file ]]; then",
        "if [[ ! -f $file ]]; then",
        _REGISTERED,
    ),
    _m(
        "configuration: without one a call is asked about",
        _SHIM,
        "'?PreToolUse')",
        "'??PreToolUse')",
        _REGISTERED,
    ),
    _m(
        "configuration: the fail policy of the event",
        _COLD,
        "event=$own fail_closed=1 rule=",
        "event=$own rule=",
        _REGISTERED,
    ),
    _m(
        "transports: the next one where one does not work",
        _COLD,
        "[[ $lost && ! $ack && $whole ]] && serving; then",
        "false; then",
        _REGISTERED,
    ),
    _m(
        "transports: no program that a PATH can replace",
        _SHIM,
        "PATH=/usr/bin:/bin:$PATH    # a project's PATH",
        ":    # a project's PATH",
        _REGISTERED,
    ),
    _m(
        "counts: each event is counted once",
        f"{_PACKAGE}/store/counts.py",
        "reached = events[-1].id if full else max(up_to, mark)",
        "reached = max(up_to, mark)",
        "tests/store/test_counts.py",
    ),
    _m(
        "counts: an event is counted before it is deleted",
        f"{_PACKAGE}/daemon/database_maintenance.py",
        "await self.counter.finish()",
        "await asyncio.sleep(0)",
        "tests/daemon/test_database_maintenance.py",
    ),
    _m(
        "merge: a guard's deny outweighs an allow",
        f"{_PACKAGE}/core/model/verdict.py",
        'if verdict in ("deny", "defer"):',
        'if verdict == "defer":',
        "tests/core/model/test_verdict.py",
    ),
    _m(
        "patches: each file is judged as a call of its own",
        f"{_PACKAGE}/pipeline/evaluation.py",
        "if calls and policy.by_part:",
        "if calls and not policy.name:",
        "tests/pipeline/test_evaluation_parts.py",
    ),
    _m(
        "patches: a patch that cannot be read whole is asked about",
        f"{_PACKAGE}/events/call_parts.py",
        "if patch.problem:",
        "if patch.problem is None:",
        "tests/pipeline/test_evaluation_parts.py",
    ),
    _m(
        "rewrites: what a user's hook rewrote is judged again",
        f"{_PACKAGE}/pipeline/transaction.py",
        "opinions = (*opinions, *(replace(opinion, effects=()) for opinion in again))",
        "opinions = (*opinions,)",
        "tests/live/test_reevaluation.py",
        "tests/live/test_rewritten_paths.py",
        "tests/live/test_ask_kept_over_hooks.py",
    ),
)
