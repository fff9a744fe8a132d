"""Presets: guard rules for a kind of project, in the short form that people write.

`hookd guard preset` adds them as ordinary rules, to be read, changed and removed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

_MAIN = {
    "id": "no-push-to-main",
    "protectedBranches": ["main", "master", "release/*"],
    "deny": "Push a branch and open a pull request.",
    "denies": ["git push origin main", {"call": "git push", "branch": "master"}],
    "allows": ["git push -u origin fix", {"call": "git push", "branch": "fix"}],
}
_NO_VERIFY = {
    "id": "no-skipped-hooks",
    "match": ["Bash(git commit --no-verify *)", "Bash(git push --no-verify *)"],
    "deny": "The hooks of git are part of the checks: fix what they report.",
    "denies": ["git commit -n -m x", "git push --no-verify"],
    "allows": ["git commit -m x", "git push -n"],
}

PRESETS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "node": (
        _MAIN,
        _NO_VERIFY,
        {
            "id": "node-lockfiles",
            "changes": ["package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock"],
            "ask": "A lock file is written by the package manager. Change it manually?",
            "asks": ["Edit(package-lock.json)", "sed -i s/a/b/ web/yarn.lock"],
            "allows": ["npm install", "cat yarn.lock"],
        },
        {
            "id": "node-tests-first",
            "match": "Bash(git commit *)",
            "after": {
                "command": "npm test",
                "edits": ["**/*.js", "**/*.jsx", "**/*.ts", "**/*.tsx", "package.json"],
            },
            "ask": "Commit before the tests have passed?",
            "asks": ["git commit -m x", "npm test; git commit -m x"],
            "allows": [
                {"call": "git commit -m x", "after": "npm test"},
                "npm test && git commit -m x",
            ],
        },
    ),
    "python": (
        _MAIN,
        _NO_VERIFY,
        {
            "id": "python-lockfiles",
            "changes": ["poetry.lock", "uv.lock", "Pipfile.lock", "pdm.lock"],
            "ask": "A lock file is written by the package manager. Change it manually?",
            "asks": ["Edit(uv.lock)", "rm poetry.lock"],
            "allows": ["uv lock", "cat uv.lock"],
        },
        {
            "id": "python-no-system-pip",
            "match": [
                "Bash(pip install --break-system-packages *)",
                "Bash(pip3 install --break-system-packages *)",
                "Bash(sudo pip install *)",
            ],
            "deny": "Install into a virtual environment: python -m venv .venv",
            "denies": ["pip install --break-system-packages x", "sudo pip install x"],
            "allows": [".venv/bin/pip install x"],
        },
        {
            "id": "python-tests-first",
            "match": "Bash(git commit *)",
            "after": {"command": "pytest *", "edits": ["**/*.py", "pyproject.toml"]},
            "ask": "Commit before the tests have passed?",
            "asks": ["git commit -m x", "pytest | tail; git commit -m x"],
            "allows": [
                {"call": "git commit -m x", "after": "pytest -q"},
                "pytest && git commit -m x",
            ],
        },
    ),
    "terraform": (
        _MAIN,
        _NO_VERIFY,
        {
            "id": "terraform-state",
            "changes": ["*.tfstate", "*.tfstate.backup", ".terraform.lock.hcl"],
            "deny": "Only terraform changes the state: ask the user to run terraform state.",
            "denies": ["rm terraform.tfstate", "Write(live/terraform.tfstate)"],
            "allows": ["terraform state list", "cat terraform.tfstate"],
        },
        {
            "id": "terraform-plan-first",
            "match": "Bash(terraform apply *)",
            "after": {"command": "terraform plan *", "edits": ["**/*.tf", "**/*.tfvars"]},
            "deny": "Plan first, and show the plan to the user.",
            "denies": "terraform apply",
            "allows": {"call": "terraform apply", "after": "terraform plan -out a"},
        },
        {
            "id": "terraform-apply",
            "match": ["Bash(terraform apply *)", "Bash(tofu apply *)", "Bash(terraform import *)"],
            "ask": "This changes real infrastructure. Has the plan been read?",
            "asks": ["terraform apply a", "tofu apply", "terraform import aws_s3_bucket.a a"],
            "allows": "terraform plan",
        },
        {
            "id": "terraform-no-auto-approve",
            "match": ["Bash(terraform -auto-approve *)", "Bash(tofu -auto-approve *)"],
            "deny": "A person approves the plan: leave -auto-approve out.",
            "denies": ["terraform apply -auto-approve", "tofu destroy -auto-approve"],
            "allows": "terraform apply a",
        },
    ),
}
"""The rules of each preset."""
