"""The result of `stats.summary`."""

from hookd.core.model.method import Wire


class Totals(Wire):
    """`calls` are tool calls; those `granted` were asked about, and then they ran.

    `blocked` are other events that were blocked, such as a stop. `injected` are answers with a text
    for the model, `injectedChars` its characters. `usd` is the cost, `sessions` the sessions whose
    last event it was, and `contextMean` and `contextMost` the share of the context window that they
    used in the end; null if it is unknown.
    """

    events: int
    calls: int
    denied: int
    asked: int
    granted: int
    blocked: int
    injected: int
    injected_chars: int
    compactions: int
    usd: float
    sessions: int
    context_mean: float | None
    context_most: float | None


class Day(Totals):
    """The totals of a day, such as 2026-01-31."""

    day: str


class Project(Totals):
    """The totals of a project; null: of events without one."""

    project: str | None


class Agent(Totals):
    """The totals of an AGENT_ID; null: of events without one."""

    agent: str | None


class Client(Wire):
    """A client's name, null if unknown, and the number of its events."""

    client: str | None
    events: int


class Class(Wire):
    """Events that took up to so many microseconds, but longer than the class before; null: more."""

    up_to_us: int | None
    events: int


class RuleCount(Wire):
    """The opinions of a policy, guard rule or user hook: how many of each.

    `told` are texts without a verdict, `passed` calls that an allow rule let pass. `granted` are
    questions after which the call ran. `kinds` are the kinds of risk that it found.
    """

    rule: str
    denied: int
    asked: int
    granted: int
    allowed: int
    told: int
    passed: int
    kinds: list[str]


class SilentRule(Wire):
    """A guard rule that never fired; `source` is its rules file, null: set by `hookd guard`."""

    rule: str
    scope: str
    project: str | None
    source: str | None


class Loosened(Wire):
    """A call or rule that was asked about three times or more, and always granted.

    `line` is the command that loosens it; `call` is the call, "" for all calls of a guard rule.
    """

    rule: str
    call: str
    project: str | None
    asked: int
    line: str


class Damaged(Wire):
    """An event that cannot be read completely."""

    event: int
    problem: str


class Result(Wire):
    """The summary until now.

    `since` is as requested; events are counted since `countedSince`, null: none are. `uncounted`
    is the number of recorded events that are still to be counted. `damagedCount` is the number of
    events that could not be read completely, `damaged` names the last ten. `hours` are the calls of
    each hour with some. `silentKinds` are the kinds of risk that no call had.
    """

    now: str
    since: str
    counted_since: str | None
    uncounted: int
    damaged_count: int
    damaged: list[Damaged]
    totals: Totals
    hours: dict[str, int]
    days: list[Day]
    projects: list[Project]
    agents: list[Agent]
    clients: list[Client]
    durations: list[Class]
    rules: list[RuleCount]
    silent_rules: list[SilentRule]
    silent_kinds: list[str]
    loosen: list[Loosened]
