"""Branches that a call pushes to: by `git push`, its refspecs and flags, and by tools of MCP."""

from collections.abc import Iterator
from dataclasses import replace

from hookd.events.tool_pattern import ToolCall
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.risk.execution import PlacedCommand, placed_commands
from hookd.risk.model import CallContext, CommandCall
from hookd.shell.argv import Item
from hookd.shell.commands import Command, read
from hookd.shell.success_chain import chains

_VALUES = ("-o", "--push-option", "--repo", "--receive-pack", "--exec", "--prefix", "-P")
_CURRENT = lazy_compile(
    r"\"?(?:\$\(|`)\s*git\s+(?:branch\s+--show-current|rev-parse\s+--abbrev-ref\s+(?:HEAD|@)"
    r"|symbolic-ref\s+(?:-q\s+)?--short\s+(?:-q\s+)?HEAD)\s*[)`]\"?"
)
_HEADS = ("refs/heads/", "heads/")
_PUSHING_TOOL = lazy_compile(r"(?i)(?:^|[_-])(?:push|commit|create_or_update|update|delete|write)")
_BRANCH_FIELDS = ("branch", "ref", "target_branch", "branch_name")


@dataclass(frozen=True, slots=True)
class Push:
    """What one command pushes to: a branch, as a name or a glob of names.

    `branch` None: the current branch of one of `folders`, of which None is unknown. Where the text
    itself changes the branch first, `switched` are those that it may be then; `surely`: it is one
    of them. `certain` is False if the branch is only the known beginning of an unknown word.
    """

    text: str
    branch: str | None
    certain: bool = True
    folders: tuple[str | None, ...] = ()
    switched: tuple[str, ...] = ()
    surely: bool = False


EVERY = "*"
"""The glob for all branches."""


def pushes(call: ToolCall, place: CallContext) -> Iterator[Push]:
    """Yield what a call pushes to; a command that cannot be parsed yields nothing."""
    if call.name == "Bash":
        if any(_is_git(command) for command in call.shell.commands):
            yield from _by_commands(call, place)
    elif any(map(_is_pushing_tool, call.names)):
        named = (call.input.get(field) for field in _BRANCH_FIELDS)
        for branch in named:
            if isinstance(branch, str) and branch:
                yield Push(call.name, _bare(branch))


def _is_pushing_tool(name: str) -> bool:
    tool = name.rpartition("__")[2]
    return name.startswith("mcp__") and _PUSHING_TOOL.search(tool) is not None


def _by_commands(call: ToolCall, place: CallContext) -> Iterator[Push]:
    before: list[PlacedCommand] = []
    for placed in placed_commands(call.shell, place):
        one = CommandCall(placed.command, place)
        if one.program == "git" and one.verb in ("push", "send-pack", "subtree"):
            switched = tuple(name for earlier in before for name in _switches(earlier, place))
            surely = bool(switched) and _depends(call.primary or "", one.text)
            for push in _of_command(one, placed):
                now = replace(push, switched=switched[-1:] if surely else switched, surely=surely)
                yield now if push.branch is None else push
        before.append(placed)


def switches_in(call: ToolCall, place: CallContext) -> tuple[str, ...]:
    """Return the branches that a Bash call changes to, in order; EVERY if it does not say which."""
    if call.name != "Bash" or not any(_is_git(command) for command in call.shell.commands):
        return ()
    runs = placed_commands(call.shell, place)
    return tuple(name for placed in runs for name in _switches(placed, place))


def _is_git(command: Command) -> bool:
    return command.argv.name == "git"


def _switches(placed: PlacedCommand, place: CallContext) -> Iterator[str]:
    """Yield the branch that a command changes to; EVERY if the text does not say."""
    call = CommandCall(placed.command, place)
    if call.program != "git" or call.verb not in ("checkout", "switch"):
        return
    new = call.values("-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan")
    words = new or call.items[1:2]
    files = "--" in call.command.words or len(call.items) > 2
    if call.verb == "checkout" and files and not new:
        return
    for item in words[:1]:
        yield EVERY if item.unknown or item.text == "-" else item.text


def _depends(text: str, push: str) -> bool:
    """Return whether a push runs only if the change of the branch before it succeeded."""
    for chain in chains(text):
        at = next((at for at, one in enumerate(chain) if _runs(one, push)), None)
        if at is not None:
            return any(_changes_branch(one) for one in chain[:at])
    return False


def _runs(text: str, line: str) -> bool:
    return any(one.line == line for one in read(text).commands)


def _changes_branch(text: str) -> bool:
    return any(
        one.words[:2] in (("git", "checkout"), ("git", "switch")) for one in read(text).commands
    )


def _of_command(call: CommandCall, placed: PlacedCommand) -> Iterator[Push]:
    skipped = {item.place for item in call.values(*_VALUES)}
    words = [item for item in call.items[1:] if item.place not in skipped]
    if call.verb == "subtree":
        if not words or words[0].text != "push":
            return
        words = words[1:]
    if call.has("-n", "--dry-run"):
        return
    if call.has("--all", "--branches", "--mirror"):
        yield Push(call.text, EVERY)
        return
    repo = bool(call.values("--repo"))
    refs = words if repo else words[1:]
    if any(item.many for item in words):
        yield Push(call.text, EVERY, certain=False)
    elif not refs and not call.has("--tags"):
        yield Push(call.text, None, folders=placed.folders)
    tags = False
    for item in refs:
        yield from () if tags else _refspec(item, call, placed)
        tags = item.text == "tag" and not item.unknown


def _refspec(item: Item, call: CommandCall, placed: PlacedCommand) -> Iterator[Push]:
    """Yield what one refspec pushes to: `x`, `x:main`, `+main`, `:main`, `HEAD`, `:`."""
    text = item.text.lstrip("+")
    if text.startswith("^") or (text == "tag" and not item.unknown):
        return
    source, colon, target = text.partition(":")
    if item.unknown and _CURRENT.fullmatch(text):
        yield Push(call.text, None, folders=placed.folders)
    elif item.unknown:
        yield from _unknown(item, call)
    elif text == ":":
        yield Push(call.text, EVERY)
    elif (name := target if colon else source) in ("HEAD", "@"):
        yield Push(call.text, None, folders=placed.folders)
    elif not name.startswith("refs/") or name.startswith("refs/heads/"):
        yield Push(call.text, _bare(name))


def _unknown(item: Item, call: CommandCall) -> Iterator[Push]:
    """Yield a push to a branch of which only the beginning, or nothing, is known."""
    colon = item.text.rfind(":")
    if colon >= 0 and "$" not in item.text[colon:] and "`" not in item.text[colon:]:
        name = item.text[colon + 1 :]
        if name and (not name.startswith("refs/") or name.startswith("refs/heads/")):
            yield Push(call.text, _bare(name))
        return
    head = (item.hole.head if item.hole else "").lstrip("+").rpartition(":")[2]
    if not head.startswith("refs/") or head.startswith("refs/heads/"):
        yield Push(call.text, f"{_bare(head)}*", certain=False)


def _bare(name: str) -> str:
    return next((name.removeprefix(head) for head in _HEADS if name.startswith(head)), name)
