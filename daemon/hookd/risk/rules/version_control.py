"""Version control and its hosts: git, gh, glab, hg, svn, jj, bzr, p4.

Local changes, commits, refs and shared branches that a command discards or overwrites.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hookd.lazy_pattern import lazy_compile
from hookd.programs.model import DRY_RUN_FLAGS
from hookd.programs.version_control import SHARED_BRANCHES
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.path_areas import FAR, area, area_of
from hookd.risk.quoting import quoted_word
from hookd.risk.subcommands import (
    begins,
    call_risk,
    has_exact_flag,
    has_flag,
    joined_rule,
    rules_of,
    table_of,
)
from hookd.shell.argv import Item
from hookd.shell.quoting import names

_PLATFORMS = names("azure clever dokku gigalixir heroku live prod production scalingo")
"""Names of remotes that deploy what is pushed."""

_SHOWN = "`git log REMOTE/BRANCH..` shows what would be deployed."
LOOK = "`git log --oneline` and `git status` show what would be lost."
_PUSH = "Use an ordinary push, or `git revert`."
_UNCHECKED = "skips the hooks that check the project"
_CHECKED = "Run it with the hooks, and fix what they report."
HEADS = "deletes a branch, or a tag, of the remote repository"
_LATER = "The user can delete it, once nothing needs it."
_DRY = lazy_compile(r"-[fdxXqvru]*n[fdxXqvru]*")
_FLAGS = lazy_compile(r"(?i)opt|flag|arg|force")


def is_dry_run(call: CommandCall) -> bool:
    """Return whether `-n` is among short flags, of which none takes a value."""
    return any(_DRY.fullmatch(flag) for flag, _ in call.words.flags)


def push_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of a push to others' commits."""
    # The remote ref follows the colon; a leading sign forces.
    refs = [_ref(item) for item in call.items[1:]]
    if is_dry_run(call):
        return
    if _hidden_flags(call):
        why = "pushes with flags that are not known from the text"
        yield replace(call_risk(call, "git.push-unknown-flags", "ask", why, _PUSH), certain=False)
    if has_flag(call, "--mirror"):
        why = "makes the remote repository a copy of this one, and deletes the rest"
        yield force_risk(call, "git.push-mirror", why)
    elif has_flag(call, "-d") or any(ref[:1] == ":" and ref != ":" for ref in refs):
        yield call_risk(call, "git.push-delete", "deny", _deleted(call, refs), _LATER)
    elif has_flag(call, "--prune"):
        why = "deletes branches of the remote repository that are not here"
        yield force_risk(call, "git.push-prune", why)
    elif has_flag(call, "-f") or any(ref[:1] == "+" for ref in refs):
        yield force_risk(call, "git.push-force", "overwrites the history of the remote repository")
    elif has_flag(call, "--force-with-lease"):
        why = "overwrites the history of the remote repository as it was last fetched"
        yield call_risk(call, "git.push-with-lease", "ask", why, _PUSH)
    elif call.items[1:2] and call.items[1].text in _PLATFORMS:
        why = f"deploys: {call.items[1].text} is the name of a platform"
        yield call_risk(call, "git.push-deploy", "ask", why, _SHOWN)
    elif has_flag(call, "--no-verify"):
        yield call_risk(call, "git.push-skip-hooks", "ask", _UNCHECKED, _CHECKED)


def _deleted(call: CommandCall, refs: list[str]) -> str:
    """Return what a push deletes: a name without a prefix may be a branch or a tag."""
    refs_given = refs[1:] if has_flag(call, "-d") else [ref for ref in refs if ref[:1] == ":"]
    kinds = {ref.lstrip(":").startswith("refs/tags/") for ref in refs_given}
    return "deletes a tag of the remote repository" if kinds == {True} else HEADS


_PRINTED = lazy_compile(
    r"[\"\s]*(?:\$\(|`)\s*(?:echo|printf)\s+(?:-\w+\s+|[\"']?%s[\"']?\s+)*[\"']?(\S*)"
)


def _ref(item: Item) -> str:
    """Return a ref as far as it is known; the output of `echo` is."""
    if item.hole is None or item.hole.head:
        return item.text if item.hole is None else item.hole.head
    printed = _PRINTED.match(item.text)
    return printed[1] if printed else ""


def _hidden_flags(call: CommandCall) -> bool:
    """Return whether a variable probably contains flags: by its name, or as only argument."""
    rest = call.items[1:]
    many = [item for item in rest if item.hole is not None and item.hole.any]
    return bool(many) and (len(rest) == 1 or any(_FLAGS.search(item.text) for item in many))


def fetch_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield the branches of this repository that a fetch overwrites."""
    refs = [item.text for item in call.items[2:] if ":" in item.text]
    local = [
        ref for ref in refs if not ref.partition(":")[2].startswith(("refs/remotes/", "refs/tags"))
    ]
    forced = has_flag(call, "-f") or any(ref[:1] == "+" for ref in local)
    if local and forced:
        yield call_risk(call, "git.fetch-force", "ask", "overwrites a branch that is here", LOOK)


def force_risk(call: CommandCall, rule: str, why: str) -> Risk:
    """Return the risk of a call that overwrites shared commits."""
    return call_risk(call, rule, "deny", why, _PUSH)


_TABLES = rules_of("history")
_SAVE = "`git stash push -u` saves uncommitted changes."
_OWN_HOOKS = "Keep the project's hooks in the project."
_UNTRACKED = "`git clean -n` shows what would be deleted."
_CHANGES = "discards uncommitted changes"
_RESETS = "recreates a branch, and leaves its commits"
_ONE_SIDE = "takes one side of every conflict in these files, and discards the other"
_FILE_BY_FILE = "Name the files of which one side is to be taken."


_TRIED = ("clean", "rm", "prune", "reflog")
_FORCEFUL = ("-f", "--hard", "-D", "--mirror", "--discard-changes")
_NAMELY_A_FILE = lazy_compile(r"(?:\.{1,2}|:.*|\.{0,2}/.*|.*/|.*\.[A-Za-z]\w{0,5})", re.DOTALL)
_NEW_BRANCH = ("-b", "-B", "--orphan", "-t", "--track", "--detach")


def _git(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of git; a command after its own flags is a call of its own."""
    words = call.command.words
    if len(words) < 2:
        return
    if words[1].startswith("-"):
        yield from _by_own_flags(call, words)
    elif not call.verb:
        if has_flag(call, *_FORCEFUL):
            why = "forces something that is not known from the text"
            yield replace(call_risk(call, "git.unknown-force", "ask", why), certain=False)
    elif not has_exact_flag(call, DRY_RUN_FLAGS):
        yield from _VERBS.get(call.verb, _HERE)(call)


def _by_own_flags(call: CommandCall, words: tuple[str, ...]) -> Iterator[Risk]:
    """Yield the risks of settings that precede the subcommand."""
    if any(re.fullmatch(r"(?i)clean\.requireforce=(?:false|no|off|0|)", w) for w in words):
        yield call_risk(
            call, "git.clean-setting", "ask", "lets `git clean` delete files", _UNTRACKED
        )
    settings = [word.removeprefix("-c") for word in words]
    if "push" in words and any(map(_FORCES.match, settings)):
        why = "overwrites the history of the remote repository by a setting"
        yield force_risk(call, "git.push-force", why)
    if "gc" in words and any(map(_EXPIRES.match, settings)):
        yield call_risk(
            call, "git.expire-setting", "ask", "deletes commits that are in no branch", LOOK
        )
    if any(re.match(r"(?i)(?:-c)?core\.hookspath=(?:/(?!dev/null$)|~|\$|\.\.)", w) for w in words):
        why = "makes git run the programs of another folder"
        yield call_risk(call, "git.hooks-path", "ask", why, _OWN_HOOKS)


def _elsewhere(call: CommandCall) -> Iterator[Risk]:
    if not (call.verb in _TRIED and is_dry_run(call)):
        yield from _TABLES["git"](call)


def _placed(rule: RiskRule) -> RiskRule:
    """Return the rule, harmless in a scratch folder, denied in one outside of the project.

    `outside` means a folder that is certainly no part of the project.
    """

    def placed(call: CommandCall) -> Iterator[Risk]:
        where = area_of(call.context.cwd, call.context) if call.context.cwd else "unknown"
        if where != "scratch":
            for risk in rule(call):
                yield replace(risk, severity="deny") if where in FAR else risk

    return placed


_FORCES = lazy_compile(r"(?i)remote\.[^=\s]*\.(?:push[=\s]\+|mirror(?:$|[=\s](?:true|yes|on|1)$))")
_EXPIRES = lazy_compile(r"(?i)gc\.(?:reflog|prune)expire\w*[=\s](?:now|all|0|.*\.ago)")
"""Settings that make a push force or a garbage collection delete at once."""


def _settings(call: CommandCall) -> Iterator[Risk]:
    """Yield the effects of settings on a later push or garbage collection."""
    yield from _hooks(call)
    setting = " ".join(item.text for item in call.items[1:] if item.text not in ("set", "add"))
    if _FORCES.match(setting) and not has_exact_flag(call, ("--unset", "--get", "--unset-all")):
        yield call_risk(
            call, "git.push-setting", "ask", "makes every later push overwrite history", LOOK
        )
    if _EXPIRES.match(setting):
        yield call_risk(
            call, "git.expire-setting", "ask", "lets git delete commits that are in no branch", LOOK
        )


def _remote(call: CommandCall) -> Iterator[Risk]:
    """Yield that a remote repository becomes a mirror: a push deletes everything else in it."""
    if any(flag in ("--mirror", "--mirror=push") for flag, _ in call.words.flags):
        yield call_risk(
            call, "git.push-setting", "ask", "makes every later push overwrite history", LOOK
        )
    else:
        yield from _HERE(call)


def _hooks(call: CommandCall) -> Iterator[Risk]:
    """Yield that git is configured to run the programs of a folder outside of the project."""
    words = [item.text for item in call.items]
    at = next((at for at, word in enumerate(words) if word.lower() == "core.hookspath"), -1)
    for item in call.items[at + 1 : at + 2] if at > 0 else ():
        if area(item, call.context) not in ("inside", "rebuildable", "repository"):
            why = f"makes git run the programs in {quoted_word(item.text)} from now on"
            yield call_risk(call, "git.hooks-path", "ask", why, _OWN_HOOKS)


def _checkout(call: CommandCall) -> Iterator[Risk]:
    """Yield the files that a checkout overwrites; a branch switch keeps changed files."""
    if any(begins((item,), SHARED_BRANCHES) for item in call.values("-B")):
        yield call_risk(call, "git.recreate-branch", "ask", _RESETS, LOOK)
    dashes = next((place for flag, place in call.words.flags if flag == "--"), None)
    rest = call.items[1:]
    if has_flag(call, "-f"):
        yield call_risk(call, "git.checkout-discard", "ask", _CHANGES, _SAVE)
    elif has_exact_flag(call, _SIDES):
        yield from _one_side(call, "git.checkout-discard")
    elif (
        has_flag(call, "--pathspec-from-file")
        or (dashes is not None and any(item.place > dashes for item in rest))
        or (dashes is None and not has_flag(call, *_NEW_BRANCH) and _paths(call))
    ):
        yield call_risk(call, "git.checkout-discard", "ask", f"{_CHANGES} in these files", _SAVE)


def _paths(call: CommandCall) -> bool:
    """Return whether the words after `checkout` are files: a second one, or no branch's name."""
    rest = call.items[1:]
    sure = [item for item in rest if not item.optional]
    return len(sure) > 1 or any(
        (item.hole is None and _NAMELY_A_FILE.fullmatch(item.text) is not None)
        or (item.hole is not None and item.hole.spread == "glob")
        for item in rest
    )


_SIDES = ("--ours", "--theirs")
_MANY_FILES = lazy_compile(r"(?:.*/)?\.{1,2}/?|.*/|:/.*|:\(top\).*|.*[*?].*", re.DOTALL)
"""A folder, or a pattern of files."""


def _one_side(call: CommandCall, rule: str) -> Iterator[Risk]:
    """Yield that one side of a merge is taken for more than the files that are named."""
    if any(_MANY_FILES.fullmatch(item.text) for item in call.items[1:]):
        yield call_risk(call, rule, "ask", _ONE_SIDE, _FILE_BY_FILE)


def _restore(call: CommandCall) -> Iterator[Risk]:
    staged = has_flag(call, "-S", "--staged") and not has_flag(call, "-W", "--worktree")
    if has_exact_flag(call, _SIDES):
        yield from _one_side(call, "git.restore-discard")
    elif not staged:
        yield call_risk(call, "git.restore-discard", "ask", f"{_CHANGES} in these files", _SAVE)


_HERE = _placed(_elsewhere)
_VERBS: dict[str, RiskRule] = {
    "push": push_risks,
    "fetch": _placed(fetch_risks),
    "pull": _placed(fetch_risks),
    "config": _settings,
    "remote": _remote,
    "send-pack": push_risks,
    "checkout": _placed(_checkout),
    "restore": _placed(_restore),
}


_REPOSITORY = lazy_compile(r"/?(?:repos/[^/]+/[^/]+|projects/[^/]+|orgs/[^/]+)/?")

_OPENS = lazy_compile(
    r"/(?:protection|rulesets|collaborators|keys|hooks|invitations)\b"
    r"|\b(?:private=false|archived=true|visibility=public)\b"
)
_CHANGES_IT = lazy_compile(r"(?i)(?:^|[\s=X])(?:PUT|PATCH|POST)(?:\s|$)")


_GET = "A GET of the same address shows it as it is now."


def _api(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of `gh api` and `glab api`."""
    if not begins(call.items, "api"):
        return
    texts = [item.text for item in call.items[1:]]
    values = [*texts, *(flag for flag, _ in call.words.flags)]
    removes = any(re.fullmatch(r"(?:-X|--method=)?DELETE", text, re.IGNORECASE) for text in values)
    refs = any("git/refs" in text for text in texts)
    if removes and (refs or any(_REPOSITORY.fullmatch(text) for text in texts)):
        why = "deletes a repository at the host, or a branch of it"
        yield call_risk(call, "gh.api-delete", "deny", why, _LATER)
    elif not removes and _OPENS.search(" ".join(values)) and _CHANGES_IT.search(" ".join(values)):
        why = "changes permissions, or the visibility of a repository"
        yield call_risk(call, "gh.api-visibility", "ask", why, _GET)
    elif removes or any("delete" in text.partition("mutation")[2] for text in values):
        yield call_risk(call, "gh.api-delete", "ask", "deletes data at the host", _GET)
    elif refs and any(text.endswith("force=true") for text in values):
        yield force_risk(call, "gh.api-force", "overwrites a branch at the host")


def _svn(call: CommandCall) -> Iterator[Risk]:
    texts = [item.text for item in call.items]
    if begins(call.items, "delete|del|remove|rm") and any("://" in text for text in texts):
        yield call_risk(
            call, "svn.delete-remote", "deny", "deletes folders of the remote repository at once"
        )
    else:
        yield from _TABLES["svn"](call)


def _rewrites(call: CommandCall) -> Iterator[Risk]:
    if not has_exact_flag(call, (*DRY_RUN_FLAGS, "--analyze", "--version", "-h")):
        yield call_risk(call, "git-filter-repo.rewrite", "ask", "rewrites the history")


RULES: Mapping[str, RiskRule] = {
    **_TABLES,
    **table_of("git yadm", _git),
    **table_of("gh glab tea", joined_rule(_TABLES["gh"], _api)),
    "svn": _svn,
    **table_of("git-filter-repo bfg", _rewrites),
}
