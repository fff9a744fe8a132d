"""Hosts of code: gh, glab, tea, hub; trackers of issues."""

from hookd.programs.model import Check, Program, Rule, Table

_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."
_LIST = "The list command of the same program shows what would be deleted."
_TOKEN = "prints a token"  # noqa: S105

_GH_HISTORY = Table(
    "history",
    (
        Rule(
            "gh.repo-delete",
            "repo|project delete",
            "deny",
            "deletes the repository with everything in it",
            "Only its owner should delete it; `gh repo archive` keeps it.",
        ),
        Rule(
            "gh.repo-sync-force",
            "repo sync",
            "ask",
            "overwrites the branch",
            "Without `--force` it only adds commits.",
            flags="--force",
        ),
        Rule(
            "gh.repo-archive",
            "repo archive",
            "ask",
            "archives the repository",
            "`gh repo unarchive` reverts it.",
        ),
        Rule(
            "gh.repo-rename",
            "repo rename",
            "ask",
            "changes the address of the repository",
            "`gh repo view` shows the present one.",
        ),
        Rule(
            "gh.repo-edit-visibility",
            "repo edit",
            "ask",
            "changes who can see the repository",
            "Look for secrets in all of its history first; the user can change it.",
            flags="--visibility",
        ),
        Rule(
            "gh.release-delete",
            "release delete|delete-asset",
            "ask",
            "deletes a release",
            "`gh release view` shows it, `gh release download` keeps its files.",
        ),
        Rule(
            "gh.release-upload-clobber",
            "release upload",
            "ask",
            "overwrites a release",
            "A file with a new name leaves the old one as it is.",
            flags="--clobber",
        ),
        Rule(
            "gh.pr-merge-admin",
            "pr merge",
            "ask",
            "merges without the checks of the repository",
            "`--auto` merges once the checks have passed.",
            flags="--admin",
        ),
        Rule(
            "gh.workflow-disable",
            "workflow disable",
            "ask",
            "stops a workflow of the repository",
            "`gh workflow view` shows what it does.",
        ),
        Rule(
            "gh.issue-delete",
            (
                "issue|pr|mr|run|ci|gist|snippet|secret|variable|label|milestone|codespace|cs|ssh-key|gpg-key|deploy-key|token|runner|schedule"
                " delete|remove|rm"
            ),
            "ask",
            "deletes data at the host",
            _LIST,
        ),
        Rule(
            "gh.repo-deploy-key-delete",
            "repo|project deploy-key delete",
            "ask",
            "deletes a key",
            _LIST,
        ),
    ),
)
_LIVE_WORKFLOWS = "|".join(
    f"*[{word[0]}{word[0].upper()}]{word[1:]}*"
    for word in (
        "deploy",
        "release",
        "publish",
        "prod",
        "promote",
        "rollback",
        "migrate",
        "destroy",
        "terraform",
    )
)
_GH_PUBLISHES = Table(
    "publishes",
    (
        Rule(
            "gh.release-create",
            "release create",
            "ask",
            "makes a release",
            "If the program has `--dry-run`, it shows what would be published.",
            unless="-d --draft --draft=true",
        ),
        Rule(
            "gh.release-edit-draft-false",
            "release edit",
            "ask",
            "makes a release public",
            flags="--draft=false",
        ),
        Rule("gh.extension-publish", "extension", "ask", "makes a release", flags="--publish"),
        Rule(
            "gh.workflow-run-deploy",
            f"workflow run {_LIVE_WORKFLOWS}",
            "ask",
            "starts a workflow that deploys or publishes",
            "`gh workflow view` shows what it does.",
        ),
    ),
)
_GH_SECRETS = Table(
    "secrets",
    (
        Rule("gh.auth-token", "auth token", "ask", _TOKEN, _IN_PLACE),
        Rule(
            "gh.auth-status-show-token",
            "auth status",
            "ask",
            _TOKEN,
            _IN_PLACE,
            flags="--show-token -t",
        ),
    ),
)
_GLAB_SECRETS = Table(
    "secrets",
    (
        Rule(
            "glab.auth-status-show-token",
            "auth status",
            "ask",
            _TOKEN,
            _IN_PLACE,
            flags="--show-token -t",
        ),
        Rule("glab.config-get-token", "config get token", "ask", _TOKEN, _IN_PLACE),
    ),
)
_HUB_HISTORY = Table(
    "history", (Rule("hub.delete", "delete", "deny", "deletes the repository at the host", _LIST),)
)
_GH_CHECKS = (
    Check("gh.api-delete", "history", "deletes data at the host"),
    Check("gh.api-visibility", "history", "changes permissions, or the visibility of a repository"),
    Check("gh.api-force", "force-push", "overwrites a branch at the host"),
)

PROGRAMS = (
    Program(
        "gh",
        "plain takes-text service",
        (_GH_HISTORY, _GH_PUBLISHES, _GH_SECRETS),
        checks=_GH_CHECKS,
        uploads=("gist create", "release upload", "release create"),
    ),
    Program(
        "glab",
        "plain takes-text service",
        (_GH_HISTORY, _GH_PUBLISHES, _GLAB_SECRETS),
        checks=_GH_CHECKS,
        uploads=("snippet create",),
    ),
    Program("tea", "takes-text", (_GH_HISTORY,), checks=_GH_CHECKS),
    Program("hub", "takes-text", (_HUB_HISTORY,)),
    Program("jira linear", "takes-text service"),
)
