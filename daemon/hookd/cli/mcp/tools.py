"""Tools of the MCP server: their descriptions, their input, and the methods that they call.

What only a person may do has no tool: allow rules, approvals, pause, stop, settings, policies,
queries. The daemon refuses such methods to a client anyway.
"""

from collections.abc import Callable, Mapping
from typing import Any

from hookd.lazy_dataclass import dataclass

Json = dict[str, Any]

TEXT = {"type": "string", "minLength": 1}
_NUMBER = {"type": "integer", "minimum": 1}
_LIMIT = {"type": "integer", "minimum": 1, "maximum": 200}
_PRIORITY = {"enum": ["low", "normal", "high"]}
_TEXTS = {"type": "array", "items": TEXT}
_NUMBERS = {"type": "array", "items": _NUMBER}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: `params` returns the method's parameters for the tool's input.

    `verified`: the caller must be known by its tool call. `here`: the parameter that has the
    root of the project, or of its repository. `reads`: it changes nothing. `shown` returns what the
    model reads of the method's result.
    """

    name: str
    description: str
    method: str
    fields: Mapping[str, Json]
    required: tuple[str, ...] = ()
    params: Callable[[Json], Json] = dict
    verified: bool = False
    reads: bool = False
    here: str = ""
    shown: Callable[[Any], Any] = lambda result: result

    @property
    def schema(self) -> Json:
        """JSON Schema of the input."""
        return {
            "type": "object",
            "properties": dict(self.fields),
            "required": list(self.required),
            "additionalProperties": False,
        }


def _handover(given: Json) -> Json:
    names = ("summary", "lastAction", "nextSteps", "requiredFiles")
    return {
        "payload": {"requiredFiles": []} | {name: given[name] for name in names if name in given}
    }


def _explained(given: Json) -> Json:
    return {"tool": "Bash", "input": {"command": given["subject"]}}


def _folder(given: Json) -> Json:
    return {"taskDir": given["task"], **{key: one for key, one in given.items() if key != "task"}}


def _claimed(given: Json) -> Json:
    minutes = given.get("minutes", 30)
    rest = {key: one for key, one in given.items() if key != "minutes"}
    return {**rest, "seconds": 60 * minutes}


def _inbox(given: Json) -> Json:
    return {"limit": MAX_MAILS, **given}


def _mails(result: Json) -> list[Json]:
    """Return mail as a model reads it: framed, since another agent wrote it."""
    keys = ("id", "priority", "state", "createdAt", "framed")
    return [{key: one[key] for key in keys} for one in result["mail"]]


INBOX = "mail.inbox"
MAX_MAILS = 15
"""Mails of one answer: the newest; each has 2 kB at most."""

TOOLS = (
    Tool(
        "log",
        "Write a log entry of your effort: what is done, what is next. Do so every few calls.",
        "effort.log",
        {"text": TEXT},
        ("text",),
    ),
    Tool(
        "handover_save",
        "Save a handover for the next session: the state of the work and the next steps.",
        "handover.save",
        {"summary": TEXT, "lastAction": TEXT, "nextSteps": _TEXTS, "requiredFiles": _TEXTS},
        ("summary", "lastAction", "nextSteps"),
        _handover,
        verified=True,
    ),
    Tool(
        "handover_list",
        "List the handovers of this project, newest first.",
        "handover.list",
        {"limit": _LIMIT},
        reads=True,
        here="project",
    ),
    Tool(
        "send",
        "Send mail to another agent: its name, a session, @task or @all; or answer one: `replyTo`."
        " A call with the `key` of an earlier one sends nothing. If the result has `wake`, call the"
        " tool SendMessage with each `to` and `message` in it, unchanged: that wakes idle agents.",
        "mail.send",
        {"to": TEXT, "text": TEXT, "replyTo": _NUMBER, "priority": _PRIORITY, "key": TEXT},
        ("text",),
    ),
    Tool(
        "inbox",
        "Read the mail that waits for you; with `id` one mail in full, with `every` old ones, too.",
        INBOX,
        {"every": {"type": "boolean"}, "id": _NUMBER},
        (),
        _inbox,
        shown=_mails,
    ),
    Tool(
        "claim",
        "Claim files, globs or resource:NAME, so that other agents do not edit them meanwhile.",
        "claims.add",
        {"patterns": _TEXTS, "minutes": _NUMBER, "why": TEXT},
        ("patterns",),
        _claimed,
        verified=True,
    ),
    Tool(
        "release",
        "Release claims of yours, by pattern or number.",
        "claims.release",
        {"claims": _TEXTS, "all": {"type": "boolean"}},
        verified=True,
    ),
    Tool(
        "fleet", "Show what every agent and open session is doing.", "fleet.status", {}, reads=True
    ),
    Tool(
        "why",
        "Show an event with its decision: N is the number in a denial, (hookd #N).",
        "events.list",
        {"id": _NUMBER},
        ("id",),
        reads=True,
    ),
    Tool("task_list", "List tasks: folders of work.", "task.list", {"limit": _LIMIT}, reads=True),
    Tool(
        "effort_start",
        "Start an effort: a skill at work on a task, an absolute folder.",
        "effort.start",
        {"task": TEXT, "skill": TEXT, "title": TEXT},
        ("task", "skill"),
        _folder,
    ),
    Tool(
        "effort_resume", "Resume an effort by its number.", "effort.resume", {"effortId": _NUMBER}
    ),
    Tool(
        "effort_phase",
        "Enter a phase of your effort. The proof has what the phase before requires.",
        "effort.phase",
        {"phase": TEXT, "proof": {"type": "object"}, "reason": TEXT},
        ("phase",),
    ),
    Tool(
        "effort_list", "List efforts, newest first.", "effort.list", {"limit": _LIMIT}, reads=True
    ),
    Tool("effort_finish", "Finish your effort.", "effort.finish", {}),
    Tool(
        "work_add",
        "Add a work item that an agent of this project takes; it waits for the items of `after`."
        " A call with the `key` of an earlier one adds nothing.",
        "work.add",
        {
            "title": TEXT,
            "text": TEXT,
            "after": _NUMBERS,
            "before": _NUMBERS,
            "wanted": TEXT,
            "key": TEXT,
        },
        ("title",),
    ),
    Tool(
        "work_take",
        "Take a work item: yours, else the next ready item, or item `id`.",
        "work.take",
        {"id": _NUMBER, "another": {"type": "boolean"}},
    ),
    Tool(
        "work_done",
        "Finish your work item; the result is passed on to the agents that wait for it.",
        "work.done",
        {"id": _NUMBER, "result": TEXT},
        ("id",),
    ),
    Tool(
        "work_block",
        "Give a work item up until it is released, or until the items of `after` are done.",
        "work.block",
        {"id": _NUMBER, "why": TEXT, "after": _NUMBERS},
        ("id", "why"),
    ),
    Tool(
        "work_release",
        "Give a work item back, or open a blocked one.",
        "work.release",
        {"id": _NUMBER, "why": TEXT},
        ("id",),
    ),
    Tool(
        "work_list",
        "List the work items of this project, newest first.",
        "work.list",
        {"state": {"enum": ["open", "taken", "blocked", "done"]}, "limit": _LIMIT},
        reads=True,
        here="repository",
    ),
    Tool(
        "guard_explain",
        "Explain what the guards say of a shell command, without running it.",
        "guards.explain",
        {"subject": TEXT},
        ("subject",),
        _explained,
        reads=True,
    ),
)
"""Every tool. Tools whose method the daemon does not have are not offered."""

BY_NAME = {tool.name: tool for tool in TOOLS}
