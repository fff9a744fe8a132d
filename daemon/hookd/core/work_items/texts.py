"""Texts about work items for models and people."""

from collections.abc import Iterable

from hookd.core.mail.frame import clean_text
from hookd.core.work_items.model import WorkItem

_MAX_QUOTED_CHARS = 1_500
"""Characters of an agent's text that mail about an item has."""

_MAX_OWN = 10
"""Items of its own that a session is reminded of by their titles."""


def one_line(text: str) -> str:
    r"""Return a text on one line, without control characters.

    >>> one_line("Parse \n\x1b[31mdates")
    'Parse [31mdates'
    """
    return " ".join(clean_text(text).split())


def quoted(text: str, show: str) -> str:
    """Return an agent's text, cut: `show` is the command that prints the rest."""
    text = clean_text(text).strip()
    if len(text) <= _MAX_QUOTED_CHARS:
        return text
    return f"{text[:_MAX_QUOTED_CHARS]} ... ({show} prints the rest)"


def own_items(items: Iterable[WorkItem]) -> str:
    """Return the line that reminds a session of its items."""
    every = tuple(items)
    named = [f"{one.id} ({one_line(one.title)})" for one in every[:_MAX_OWN]]
    if more := len(every) - len(named):
        named.append(f"{more} more (hookd work list --state taken)")
    told = "; ".join(named)
    return (
        f"[hookd:work-items] You have taken these work items: {told}. When one is finished:"
        " hookd work done N --result TEXT. To give one back: hookd work release N"
    )


def finished(item: WorkItem, by: str, result: str | None, ready: Iterable[int]) -> str:
    """Return the mail for the agents that wait for an item that is done."""
    name = one_line(by)
    lines = [f"{name} has finished work item {item.id}: {one_line(item.title)}."]
    if numbers := ", ".join(map(str, ready)):
        lines.append(f"Ready now: {numbers}.")
    if result:
        told = quoted(result, f"hookd work show {item.id}")
        lines += (f"Its result, in the words of {name}:", told)
    return "\n".join(lines)


def blocked(item: WorkItem, by: str, why: str, after: Iterable[int]) -> str:
    """Return the mail for the agents that wait for an item that its owner has given up."""
    name, numbers = one_line(by), ", ".join(map(str, after))
    state = f"waits for {numbers}" if numbers else "is blocked"
    step = "" if numbers else f" To open it: hookd work release {item.id}."
    told = quoted(why, f"hookd work show {item.id}")
    return (
        f"Work item {item.id} ({one_line(item.title)}) {state}.{step}\n"
        f"The reason, in the words of {name}:\n{told}"
    )


def went_back(item: WorkItem, why: str) -> str:
    """Return the mail for an owner and the agents that wait, about an item that went back."""
    return (
        f"Work item {item.id} ({one_line(item.title)}) is open again: {why}."
        f" To take it: hookd work take {item.id}"
    )
