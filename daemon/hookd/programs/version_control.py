"""Version control: git, hg, svn, jj, bzr, p4."""

from hookd.programs.model import DRY_RUN_FLAGS, Check, Program, Rule, Table

SHARED_BRANCHES = "main|master|trunk|develop|production|release*"
"""Names of branches that several people use, as a glob of a rule."""

_SHARED_REFS = f"update-ref refs/heads/{SHARED_BRANCHES.replace('|', '|refs/heads/')}"

_CHANGES = "discards uncommitted changes"
_SAVE = "`git stash push -u` saves uncommitted changes."
_LOOK = "`git log --oneline` and `git status` show what would be lost."
_MOVES = "moves a branch, whose commits may then be in none"
_UNCHECKED = "skips the hooks that check the project"
_FIX = "Run it without the flag, and fix what the hooks report."
_STORED = "prints the value of a stored secret"
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."

_GIT_HISTORY = Table(
    "history",
    (
        Rule("git.reset-hard", "reset", "ask", _CHANGES, _SAVE, flags="--hard --merge"),
        Rule(
            "git.clean",
            "clean",
            "ask",
            "deletes untracked files",
            "`git clean -n` shows what would be deleted.",
            flags="-f",
        ),
        Rule("git.switch-discard", "switch", "ask", _CHANGES, _SAVE, flags="-f --discard-changes"),
        Rule(
            "git.stash-drop",
            "stash drop|clear",
            "ask",
            "deletes stashed changes",
            "`git stash list` shows it.",
        ),
        Rule(
            "git.delete-branch",
            "branch",
            "ask",
            "deletes a branch that may not be merged",
            _LOOK,
            flags="-D",
        ),
        Rule(
            "git.rename-branch-force",
            "branch",
            "ask",
            "renames a branch, and overwrites the branch that has the new name",
            "`git branch -m` renames it if no branch has the new name.",
            flags="-M",
        ),
        Rule("git.delete-tag", "tag", "ask", "deletes a tag", flags="-d --delete"),
        Rule(
            "git.move-tag",
            "tag",
            "ask",
            "moves a tag that others may have",
            "A new tag leaves the old one as it is.",
            flags="-f --force",
        ),
        Rule(
            "git.reflog-expire",
            "reflog expire|delete",
            "ask",
            "deletes the log that finds lost commits",
            _LOOK,
        ),
        Rule(
            "git.gc-prune",
            "gc",
            "ask",
            "deletes commits that are in no branch",
            _LOOK,
            flags="--prune=*",
        ),
        Rule("git.prune", "prune", "ask", "deletes commits that are in no branch", _LOOK),
        Rule(
            "git.repack-delete",
            "repack",
            "ask",
            "deletes packed commits that are in no branch",
            "`git repack -A -d` keeps them as loose objects.",
            flags="-ad",
            unless="-k --keep-unreachable",
        ),
        Rule(
            "git.notes-prune",
            "notes prune",
            "ask",
            "deletes the notes of commits that are gone",
            "`git notes prune -n` lists them.",
            unless="-n",
        ),
        Rule(
            "git.separate-repository",
            "init",
            "ask",
            "moves the data of the repository to another folder",
            "`git rev-parse --git-dir` shows where it is.",
            flags="--separate-git-dir",
        ),
        Rule(
            "git.abort",
            "merge|rebase|cherry-pick|revert|am",
            "ask",
            "discards what is merged or replayed so far, with the conflicts that are resolved",
            "`git status` shows what would be discarded.",
            flags="--abort --skip",
        ),
        Rule(
            "git.rebase-choose",
            "rebase",
            "ask",
            "rewrites commits, and may drop some of them",
            "`git branch NAME` keeps the commits as they are.",
            flags="-i --interactive --onto --root",
            unless="--autosquash --continue --quit --edit-todo --show-current-patch",
        ),
        Rule(
            "git.skip-hooks",
            "commit|merge|am|rebase",
            "ask",
            _UNCHECKED,
            _FIX,
            flags="--no-verify",
        ),
        Rule("git.filter-branch", "filter-branch", "ask", "rewrites the history"),
        Rule("git.filter-repo", "filter-repo", "ask", "rewrites the history", unless="--analyze"),
        Rule(
            "git.recreate-shared-branch",
            f"switch {SHARED_BRANCHES}",
            "ask",
            "recreates a branch, and leaves its commits",
            _LOOK,
            flags="-C --force-create",
        ),
        Rule(
            "git.move-shared-branch",
            f"branch {SHARED_BRANCHES}",
            "ask",
            _MOVES,
            _LOOK,
            flags="-f",
        ),
        Rule("git.move-branch", "branch", "ask", _MOVES, _LOOK, flags="-f"),
        Rule("git.delete-ref", "update-ref", "ask", "deletes a ref", _LOOK, flags="-d --stdin"),
        Rule(
            "git.update-shared-ref",
            _SHARED_REFS,
            "ask",
            _MOVES,
            _LOOK,
        ),
        Rule(
            "git.delete-symbolic-ref",
            "symbolic-ref",
            "ask",
            "deletes a ref",
            _LOOK,
            flags="-d --delete",
        ),
        Rule(
            "git.worktree-remove-force",
            "worktree remove",
            "ask",
            "discards uncommitted changes in another worktree",
            _SAVE,
            flags="-f",
        ),
        Rule(
            "git.submodule-force",
            "submodule deinit|update",
            "ask",
            "discards uncommitted changes in a submodule",
            _SAVE,
            flags="-f",
        ),
        Rule(
            "git.rm-force",
            "rm",
            "ask",
            "deletes files with their changes",
            _SAVE,
            flags="-f",
            unless="--cached",
        ),
        Rule("git.mv-force", "mv", "ask", "overwrites a file", _SAVE, flags="-f"),
        Rule(
            "git.lfs-prune", "lfs prune", "ask", "deletes large files of older commits", unless="-d"
        ),
        Rule("git.lfs-migrate-import", "lfs migrate import|export", "ask", "rewrites the history"),
        Rule(
            "git.annex-drop-force",
            "annex drop|dropunused",
            "ask",
            "deletes the content of files",
            flags="-f",
        ),
        Rule("git.read-tree-reset", "read-tree", "ask", _CHANGES, _SAVE, flags="--reset"),
        Rule("git.checkout-index-force", "checkout-index", "ask", _CHANGES, _SAVE, flags="-f"),
    ),
)
_GIT_SECRETS = Table(
    "secrets",
    (
        Rule("git.credential-fill", "credential fill", "ask", _STORED, _IN_PLACE),
        Rule("git.credential-get", "credential-* get", "ask", _STORED, _IN_PLACE),
    ),
)
_HG_HISTORY = Table(
    "history",
    (
        Rule(
            "hg.push-force",
            "push",
            "deny",
            "pushes new heads over others",
            flags="-f --force",
            kind="force-push",
        ),
        Rule("hg.strip", "strip|debugstrip|prune|obsolete|rollback", "ask", "deletes commits"),
        Rule("hg.update-clean", "update|up|checkout|co", "ask", _CHANGES, flags="-C --clean"),
        Rule("hg.revert-all", "revert", "ask", _CHANGES, flags="-a --all -C --no-backup"),
        Rule("hg.purge", "purge|clean", "ask", "deletes untracked files", unless="-p --print"),
        Rule(
            "hg.shelve-delete",
            "shelve",
            "ask",
            "deletes shelved changes",
            flags="-d --delete --cleanup",
        ),
    ),
    harmless=("-n", *DRY_RUN_FLAGS),
)
_SVN_HISTORY = Table(
    "history",
    (
        Rule("svn.revert", "revert", "ask", _CHANGES),
        Rule(
            "svn.delete-force",
            "delete|del|remove|rm",
            "ask",
            "deletes files with their changes",
            flags="--force",
        ),
        Rule(
            "svn.cleanup-remove-unversioned",
            "cleanup",
            "ask",
            "deletes files",
            flags="--remove-unversioned --remove-ignored",
        ),
    ),
)
_JJ_HISTORY = Table(
    "history",
    (
        Rule(
            "jj.operation-abandon",
            "operation|op abandon",
            "ask",
            "deletes the log of earlier states",
        ),
        Rule(
            "jj.abandon",
            "abandon|restore",
            "ask",
            "discards commits or changes",
            "`jj show` and `jj diff` show what would be discarded.",
        ),
        Rule("jj.util-gc", "util gc", "ask", "deletes unreferenced commits"),
        Rule(
            "jj.git-push-deleted",
            "git push",
            "ask",
            "deletes a branch of the remote repository",
            flags="--deleted",
            kind="force-push",
        ),
    ),
)
_BZR_HISTORY = Table(
    "history",
    (
        Rule(
            "bzr.push-overwrite",
            "push",
            "deny",
            "overwrites the remote branch",
            flags="--overwrite",
            kind="force-push",
        ),
        Rule("bzr.revert-no-backup", "revert", "ask", _CHANGES, flags="--no-backup"),
        Rule("bzr.clean-tree", "clean-tree", "ask", "deletes untracked files"),
    ),
)
_P4_HISTORY = Table(
    "history",
    (
        Rule(
            "p4.obliterate-y", "obliterate", "deny", "deletes files with their history", flags="-y"
        ),
        Rule("p4.revert", "revert", "ask", _CHANGES, unless="-n -a"),
        Rule("p4.clean", "clean", "ask", _CHANGES, unless="-n"),
    ),
)
_GIT_CHECKS = (
    Check("git.push-force", "force-push", "overwrites the history of the remote repository"),
    Check("git.push-delete", "force-push", "deletes a branch of the remote repository"),
    Check("git.push-mirror", "force-push", "makes the remote repository a copy of this one"),
    Check("git.push-prune", "force-push", "deletes branches of the remote repository"),
    Check(
        "git.push-with-lease", "force-push", "overwrites the remote history as it was last fetched"
    ),
    Check(
        "git.push-unknown-flags", "force-push", "pushes with flags that are not known from the text"
    ),
    Check("git.push-setting", "force-push", "makes every later push overwrite history"),
    Check("git.fetch-force", "history", "overwrites a branch that is here"),
    Check("git.push-deploy", "publishes", "deploys by a push to a remote of that name"),
    Check("git.push-skip-hooks", "history", "skips the hooks that check the project"),
    Check("git.clean-setting", "history", "lets `git clean` delete files"),
    Check("git.expire-setting", "history", "lets git delete commits that are in no branch"),
    Check("git.unknown-force", "history", "forces something that is not known from the text"),
    Check("git.hooks-path", "outside", "makes git run the programs of another folder"),
    Check("git.checkout-discard", "history", "discards uncommitted changes"),
    Check("git.restore-discard", "history", "discards uncommitted changes in files"),
    Check("git.recreate-branch", "history", "recreates a shared branch, and leaves its commits"),
    Check("git.config-global", "outside", "changes the settings of git outside of the project"),
)

PROGRAMS = (
    Program(
        "git",
        "prints-names changes-tree takes-text",
        (_GIT_HISTORY, _GIT_SECRETS),
        checks=_GIT_CHECKS,
        folder="-C --work-tree",
    ),
    Program("yadm", tables=(_GIT_HISTORY,), checks=_GIT_CHECKS),
    Program("hg", "takes-text", (_HG_HISTORY,)),
    Program(
        "svn",
        "takes-text",
        (_SVN_HISTORY,),
        checks=(
            Check(
                "svn.delete-remote", "history", "deletes folders of the remote repository at once"
            ),
        ),
    ),
    Program("jj", "takes-text", (_JJ_HISTORY,)),
    Program("bzr brz", tables=(_BZR_HISTORY,)),
    Program("p4", tables=(_P4_HISTORY,)),
    Program(
        "git-filter-repo bfg",
        checks=(Check("git-filter-repo.rewrite", "history", "rewrites the history"),),
    ),
    Program("bd br", "takes-text"),
)
