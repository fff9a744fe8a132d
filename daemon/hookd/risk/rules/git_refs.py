"""The home of what git does to branches that are shared, and to those that it fetches into."""

import re
from collections.abc import Iterator

from hookd.risk.model import CommandCall, Risk
from hookd.risk.subcommands import danger, given
from hookd.shell.argv import Item

LOOK = "`git log --oneline` and `git status` show what would be lost."
_PUSH = "An ordinary push, or `git revert` of what was wrong, keeps what others have."
HEADS = "removes a branch of the remote repository"
_DRY = re.compile(r"-[fdxXqvru]*n[fdxXqvru]*")
_FLAGS = re.compile(r"(?i)opt|flag|arg|force")


def tries(call: CommandCall) -> bool:
    """Whether `-n` is among short flags, of which none takes a value."""
    return any(_DRY.fullmatch(flag) for flag, _ in call.words.flags)


def pushed(call: CommandCall) -> Iterator[Risk]:
    """Yield what a push may do to what others have."""
    # A place in the remote repository is behind the colon, what forces it is the first sign.
    refs = [_ref(item) for item in call.items[1:]]
    if tries(call):
        return
    if _hidden_flags(call):
        why = "pushes with flags that are not known from the text"
        yield Risk("force-push", "ask", why, _PUSH, certain=False, command=call.text)
    if given(call, "--mirror"):
        yield forced(call, "makes the remote repository a copy of this one, and removes the rest")
    elif given(call, "-d") or any(ref[:1] == ":" and ref != ":" for ref in refs):
        yield forced(call, HEADS)
    elif given(call, "--prune"):
        yield forced(call, "removes branches of the remote repository that are not here")
    elif given(call, "-f") or any(ref[:1] == "+" for ref in refs):
        yield forced(call, "overwrites the history of the remote repository")
    elif given(call, "--force-with-lease"):
        why = "overwrites the history of the remote repository as it was last fetched"
        yield danger(call, "force-push", "ask", why, _PUSH)


_PRINTED = re.compile(
    r"[\"\s]*(?:\$\(|`)\s*(?:echo|printf)\s+(?:-\w+\s+|[\"']?%s[\"']?\s+)*[\"']?(\S*)"
)


def _ref(item: Item) -> str:
    """Return a ref as far as it is known; what `echo` prints is."""
    if item.hole is None or item.hole.head:
        return item.text if item.hole is None else item.hole.head
    printed = _PRINTED.match(item.text)
    return printed[1] if printed else ""


def _hidden_flags(call: CommandCall) -> bool:
    """Whether a variable is likely to hold flags: by its name, or since it is all that follows."""
    rest = call.items[1:]
    many = [item for item in rest if item.hole is not None and item.hole.any]
    return bool(many) and (len(rest) == 1 or any(_FLAGS.search(item.text) for item in many))


def fetched(call: CommandCall) -> Iterator[Risk]:
    """Yield a danger where branches of this repository are overwritten."""
    refs = [item.text for item in call.items[2:] if ":" in item.text]
    own = [
        ref for ref in refs if not ref.partition(":")[2].startswith(("refs/remotes/", "refs/tags"))
    ]
    forced = given(call, "-f") or any(ref[:1] == "+" for ref in own)
    if own and forced:
        yield danger(call, "history", "ask", "overwrites a branch that is here", LOOK)


def forced(call: CommandCall, why: str) -> Risk:
    """Return the danger of a call that overwrites what is shared."""
    return danger(call, "force-push", "deny", why, _PUSH)
