"""Rules for git and its hosts: losses, against commands that resemble them."""

from dataclasses import replace

from hookd.risk.rules.version_control import RULES
from support.parametrize import parametrize_all
from support.risk_rules import PLACE, told
from support.risks import found, said

FORCED = [
    *["git push --force origin main", "git push -f", "git push -fu origin x", "git push --forc"],
    *["git push origin +main", "git push origin +HEAD:main", 'git push origin "+$BRANCH"'],
    *["git push --mirror", "git push --mirror backup", "git push --prune origin 'refs/heads/*'"],
    *[
        "git push origin --delete x",
        "git push -d origin x",
        "git push origin :x",
        "git push o :a/b",
    ],
    *["git -C ../x push --force", "git -c a.b=c push -f", "git --no-pager push -f origin x"],
    *["sudo git push -f", "sh -c 'git push -f'", "git send-pack --force origin x"],
    *["git push --force --no-verify", "git push -f --force-with-lease"],
    *["gh api repos/o/r/git/refs/heads/main -X PATCH -F force=true", "hg push --force"],
    *["bzr push --overwrite", "git -c remote.origin.push=+HEAD:main push"],
    *["git -c remote.origin.mirror=true push", 'git push origin "$(echo +main)"'],
]
LOST = [
    *["git reset --hard", "git reset --hard HEAD~3", "git reset --har", "git reset HEAD~ --hard"],
    *["git clean -f", "git clean -fdx", "git clean -xdf src", "git clean --force -d"],
    *["git -c clean.requireForce=false clean -d"],
    *["git checkout -- .", "git checkout .", "git checkout -- src/a.py", "git checkout HEAD a"],
    *[
        "git checkout main -- src",
        "git checkout -f",
        "git checkout --force main",
        "git checkout :/",
    ],
    *["git checkout src/app.ts", "git checkout ./x", "git checkout *.py", "git checkout -- $F"],
    *["git checkout --pathspec-from-file=x", "git ls-files -m | xargs git checkout --"],
    *["git switch -f main", "git switch --discard-changes main"],
    *[
        "git restore .",
        "git restore src/a.py",
        "git restore --staged --worktree .",
        "git restore -SW x",
    ],
    *["git restore -s HEAD~2 x", "git stash drop", "git stash drop stash@{1}", "git stash clear"],
    *[
        "git branch -D x",
        "git branch --delete --force x",
        "git branch -d -f x",
        "git branch -Dr o/x",
    ],
    *["git branch --merged | xargs git branch -D", "git tag -d v1", "git tag --delete v1"],
    *["git reflog expire --expire=now --all", "git reflog delete HEAD@{1}", "git gc --prune=now"],
    *["git prune", "git filter-branch --tree-filter 'x' HEAD", "git filter-repo --path x"],
    *["git-filter-repo --path x", "bfg --delete-files x", "git update-ref -d refs/heads/x"],
    *["git symbolic-ref -d HEAD", "git worktree remove --force ../x", "git worktree remove -f x"],
    *["git submodule deinit -f --all", "git submodule update --init --force", "git rm -rf src"],
    *[
        "git rm -f a.py",
        "git lfs prune",
        "git lfs migrate import --everything",
        "git $X --hard",
    ],
    *["git read-tree -u --reset HEAD", "git checkout-index -f -a", 'git "$1" -f'],
    *["gh release delete v1", "gh secret delete X", "gh issue delete 4", "gh run delete 1"],
    *["gh workflow disable ci.yml", "gh repo rename new", "gh -R o/r workflow disable 7"],
    *["gh pr merge 4 --admin", "gh repo edit --visibility public", "gh repo archive o/r"],
    *["gh api -X DELETE repos/o/r/issues/comments/1", "gh api --method DELETE /gists/1"],
    *["gh api graphql -f query='mutation { deleteIssue(input: {}) { id } }'", "glab mr delete 4"],
    *["gh -R o/r release delete v1 --yes", "gh release upload v1 x --clobber"],
    *["hg strip .", "hg update --clean", "hg up -C", "hg purge", "hg revert --all"],
    *["svn revert -R .", "svn rm --force x", "svn cleanup --remove-unversioned", "jj op abandon x"],
    *["p4 revert //...", "brz clean-tree", "jj abandon", "jj restore src", "jj abandon @-"],
    *["git merge --abort", "git rebase --abort", "git cherry-pick --abort", "git revert --abort"],
    *["git am --abort", "git rebase --skip", "git cherry-pick --skip", "git rebase -i HEAD~3"],
    *[
        "git rebase -i --root --autostash",
        "git rebase --interactive main",
        "git rebase --onto main x",
        "git rebase --root",
    ],
    *["git rebase -xmake -i main", "git branch -M main", "git branch -m -f x main"],
    *["git branch -f x y", "git branch --force main HEAD~5", "git tag -f v1", "git tag --force v1"],
    *["git commit --no-verify -m x", "git commit -n -m x", "git commit -anm x"],
    *["git push --no-verify", "git push --no-verify -u origin x", "git merge --no-verify x"],
    *["git repack -ad", "git repack -a -d", "git repack -adf", "git notes prune", "git mv -f a b"],
    *["git init --separate-git-dir=/tmp/g", "git init --separate-git-dir ../g"],
    *["git checkout --theirs .", "git checkout --ours -- .", "git checkout --theirs src/"],
    *["git checkout --ours -- '*.py'", "git checkout --theirs :/", "git restore --theirs ."],
]
GONE = [
    *[
        "gh repo delete o/r --yes",
        "glab repo delete o/r",
        "glab project delete o/r",
        "hub delete r",
    ],
    *["gh api -X DELETE repos/o/r", "gh api --method=delete /repos/o/r", "p4 obliterate -y //x"],
    *["gh api -X DELETE repos/o/r/git/refs/heads/main", "svn delete https://example.com/x -m y"],
]
HARMLESS = [
    *["git push", "git push origin main", "git push -u origin HEAD", "git push --dry-run -f"],
    *[
        "git push -nf origin main",
        "git push origin a:b",
        "git push --tags",
        "git push --follow-tags",
    ],
    *[
        'git push -u origin "$(git branch --show-current)"',
        "git push origin $BRANCH",
        "git push o :",
    ],
    *["git push --force-if-includes", "git push -o ci.skip", "git push --no-force-with-lease"],
    *["git fetch -f", "git fetch origin '+refs/heads/*:refs/remotes/origin/*'", "git pull --force"],
    *["git fetch --prune", "git remote prune origin", "git remote remove x", "git push --help -f"],
    *[
        "git reset",
        "git reset HEAD a.py",
        "git reset --soft HEAD~1",
        "git reset --mixed",
        "git reset --keep x",
    ],
    *["git clean -n", "git clean -nfd", "git clean --dry-run -fdx", "git clean", "git clean -d"],
    *["git checkout main", "git checkout -b x", "git checkout -b x origin/main", "git checkout -"],
    *[
        "git checkout v1.2.3",
        "git checkout release/2.1",
        "git checkout $BRANCH",
        "git checkout -B x y",
    ],
    *["git checkout --track origin/x", "git checkout --detach main", "git checkout main --"],
    *["git checkout --theirs -- a.py", "git checkout --ours a.py", "git checkout HEAD~2"],
    *[
        "git switch main",
        "git switch -c fix/clean-fdx",
        "git switch -C x",
        "git switch --detach v1",
    ],
    *["git restore --staged .", "git restore -S a.py", "git restore --theirs a.py"],
    *[
        "git stash",
        "git stash push -u -m 'drop it'",
        "git stash list",
        "git stash pop",
        "git stash show -p",
    ],
    *[
        "git branch -d x",
        "git branch -m main",
        "git branch -vv",
        "git branch --merged main",
    ],
    *["git tag v1", "git tag -a v1 -m 'delete -d'", "git tag -l", "git reflog", "git reflog show"],
    *["git gc", "git gc --auto", "git prune -n", "git worktree prune", "git worktree remove ../x"],
    *[
        "git submodule update --init --recursive",
        "git rm a.py",
        "git rm -r src",
        "git rm --cached -rf x",
    ],
    *[
        "git rebase main",
        "git rebase origin/main",
        "git rebase --continue",
        "GIT_SEQUENCE_EDITOR=: git rebase -i --autosquash origin/main",
        "git push production-docs main",
        "git rebase -i --edit-todo",
        "git commit --amend --no-edit",
        "git merge --continue",
        "git merge --no-ff x",
        "git merge -n x",
        "git commit -uno -m x",
        "git commit -m 'skip -n'",
        "git push -n --no-verify",
        "git notes remove HEAD",
        "git notes prune -n",
        "git repack",
        "git repack -A -d",
        "git repack -a -d -k",
        "git mv a b",
        "git init",
        "git stash branch x",
        "git bisect reset",
    ],
    *["git commit -m 'git reset --hard'", "git log --grep 'push --force'", "git revert HEAD"],
    *[
        "git cherry-pick x",
        "git status",
        "git diff -- .",
        "git show HEAD:a.py",
        "git add -A",
        "git",
    ],
    *[
        "git -C ../x status",
        'for d in *; do git -C "$d" pull; done',
        "git -C $d status",
        'git "$@"',
    ],
    *[
        "git update-ref refs/heads/x HEAD",
        "git lfs pull",
        "git lfs prune --dry-run",
        "git apply x.patch",
    ],
    *["git config clean.requireForce", "git filter-repo --analyze", "git-filter-repo --version"],
    *[
        "gh pr merge 4 --squash",
        "gh pr create --title 'delete repo'",
        "gh release list",
        "gh api repos/o/r",
    ],
    *[
        "gh api -X POST repos/o/r/issues -f title=DELETE",
        "gh repo view o/r",
        "gh run watch 1",
        "gh repo clone o/r",
    ],
    *["gh api graphql -f query='query { repository { id } }'", "glab mr list", "gh pr close 4"],
    *["gh issue comment 4 --body 'repo delete'", "gh secret list", "gh repo delete --help"],
    *[
        "hg update",
        "hg push",
        "hg commit -m strip",
        "hg purge --print",
        "svn rm x",
        "svn update",
        "svn status",
    ],
    *[
        "jj undo",
        "jj describe -m x",
        "jj git push",
        "p4 revert -n //...",
        "bzr push",
        "p4 obliterate //x",
    ],
]


PREFIXES = [
    'git --git-dir="$D"',
    "git --git-dir=$D/.git --work-tree=$D",
    'git --work-tree="$W"',
    'git -C"$D"',
    'git -C "$D" --no-pager',
    'git -c "core.editor=$E"',
    'git -c user.name="$N" -c user.email=$E',
    "git $FLAGS",
    "git ${FLAGS[@]}",
    'git "${FLAGS[@]}"',
    "git --unknown-flag",
    "git --unknown-flag=$X",
    "git -Z",
    'git --exec-path="$P" -p',
    'command git --git-dir "$D"',
]
"""Flags of git itself, before the subcommand: with unknown values, or unknown themselves."""


@parametrize_all("prefix", PREFIXES)
@parametrize_all(
    "rest",
    ["reset --hard", "clean -fdx", "checkout -- .", "stash drop", "branch -D x", "restore ."],
)
def test_flags_of_git_itself_hide_no_subcommand(prefix: str, rest: str) -> None:
    assert "history ask" in told(RULES, f"{prefix} {rest}")


@parametrize_all("prefix", PREFIXES)
@parametrize_all("rest", ["status", "commit -m 'reset --hard'", "checkout -b x", "stash", "push"])
def test_flags_of_git_itself_are_no_risk(prefix: str, rest: str) -> None:
    assert told(RULES, f"{prefix} {rest}") == set()


@parametrize_all(
    ("text", "expected"),
    [
        ("git --work-tree=$HOME clean -fdx", "deny history"),
        ("git --work-tree=/ checkout -- .", "deny history"),
        ("git --work-tree ~ reset --hard", "deny history"),
        ("git --git-dir=/srv/x.git --work-tree=/srv/x checkout -f", "deny history"),
        ("git --work-tree=sub checkout -- .", "ask history"),
        ("git --work-tree=/tmp/x checkout -- .", ""),
    ],
)
def test_the_work_tree_is_where_changes_are_lost(text: str, expected: str) -> None:
    assert said(text) == expected


GLUED = [
    "git checkout -bfeature",
    "git checkout -bfix/force",
    "git checkout -Bfeature",
    "git switch -cfeature",
    "git switch -Cfeature",
    "git commit -mfix",
    "git commit -amnote",
    "git commit -Fnotes.txt",
    "git tag -mdelete v1",
    "git tag -a -mfix v1",
    "git worktree add -bfeature ../x",
    "git stash push -mfix",
    "git fetch -jf4",
    "git merge -mfix x",
    "git rebase -Xours main",
    "git branch -uorigin/fix",
    "git push -oforce",
]
"""Flags with their values joined, whose letters are no flags."""


@parametrize_all("text", GLUED)
def test_a_value_that_is_joined_to_its_flag_is_no_flag(text: str) -> None:
    assert told(RULES, text) == set()


@parametrize_all(
    ("text", "expected"),
    [
        *[(f"gh workflow run {name}", True) for name in ("deploy.yml", "Release", "cd-prod.yaml")],
        *[(f"gh workflow run {name}", True) for name in ("publish.yml", "db-migrate", "rollback")],
        ("gh workflow run deploy.yml -f env=prod", True),
        ("gh -R o/r workflow run deploy.yml --ref main", True),
        *[(f"gh workflow run {name}", False) for name in ("test.yml", "lint", "ci.yml")],
        ("gh workflow view deploy.yml", False),
        ("gh workflow list", False),
        ("gh run list --workflow deploy.yml", False),
    ],
)
def test_a_workflow_that_deploys_is_asked_about(text: str, expected: bool) -> None:
    assert (said(text) == "ask publishes") is expected


@parametrize_all("remote", ["heroku", "dokku", "production", "live"])
def test_a_push_to_a_platform_deploys(remote: str) -> None:
    assert said(f"git push {remote} HEAD:main") == "ask publishes"
    assert said(f"git push origin {remote}") == ""
    assert said(f"git push -n {remote} main") == ""


@parametrize_all(
    ("text", "expected"),
    [
        ("git push origin :refs/tags/v1", "deletes a tag of the remote repository"),
        ("git push -d origin refs/tags/v1", "deletes a tag of the remote repository"),
        ("git push origin :main", "deletes a branch, or a tag, of the remote repository"),
        (
            "git push origin :main :refs/tags/v1",
            "deletes a branch, or a tag, of the remote repository",
        ),
    ],
)
def test_a_reason_says_what_a_push_deletes(text: str, expected: str) -> None:
    assert found(text)[0].reason == expected


def test_no_advice_leads_around_the_hooks_of_the_project() -> None:
    for text in ("git -c core.hooksPath=/x commit", "git config core.hooksPath /x"):
        assert all("--no-verify" not in risk.alternative for risk in found(text))


@parametrize_all("text", FORCED)
def test_loss_of_shared_history_is_denied(text: str) -> None:
    assert told(RULES, text) == {"force-push deny"}


@parametrize_all("text", LOST)
def test_loss_of_local_work_is_asked_about(text: str) -> None:
    assert told(RULES, text) == {"history ask"}


@parametrize_all("text", GONE)
def test_deletion_of_a_repository_is_denied(text: str) -> None:
    assert told(RULES, text) == {"history deny"}


@parametrize_all("text", HARMLESS)
def test_commands_that_lose_nothing_pass(text: str) -> None:
    assert told(RULES, text) == set()


@parametrize_all("text", ["git push --force-with-lease", "git push --force-with-lease=x:y"])
def test_a_forced_push_with_lease_is_asked_about(text: str) -> None:
    assert told(RULES, text) == {"force-push ask"}


def test_in_a_scratch_folder_only_risks_to_others_count() -> None:
    scratch = replace(PLACE, cwd="/tmp/clone")
    for text in ("git reset --hard", "git checkout .", "git restore .", "git clean -fdx"):
        assert told(RULES, text, scratch) == set()
    assert told(RULES, "git push -f", scratch) == {"force-push deny"}


def test_a_risk_has_an_alternative() -> None:
    from hookd.risk.model import CommandCall
    from hookd.shell.commands import read

    call = CommandCall(read("git reset --hard").commands[0], PLACE)
    assert "git stash" in next(iter(RULES["git"](call))).alternative
