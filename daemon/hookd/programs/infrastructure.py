"""Infrastructure as code: terraform, pulumi, cdk, ansible, nomad, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Check, Program, Rule, Table

_GONE = "destroys resources with everything in them"
_PLAN = "A plan or a preview shows what would be destroyed."
_UNASKED = "changes resources without a question"
_STATE = "forgets resources that continue to run"
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."
_STORED = "prints the value of a stored secret"
_LIST = "The list command of the same program shows what would be deleted."

_TERRAFORM_CLOUD = Table(
    "cloud",
    (
        Rule("terraform.destroy", "destroy", "deny", _GONE, _PLAN),
        Rule(
            "terraform.apply-destroy",
            "apply",
            "deny",
            _GONE,
            _PLAN,
            flags="-destroy --destroy -destroy=true",
        ),
        Rule("terraform.run-destroy", "run|stack|run-all ** destroy", "deny", _GONE, _PLAN),
        Rule("terraform.run-all-destroy", "run-all destroy", "deny", _GONE, _PLAN),
        Rule("terraform.destroy-all", "destroy-all", "deny", _GONE, _PLAN),
        Rule(
            "terraform.apply-auto-approve",
            "apply",
            "ask",
            _UNASKED,
            _PLAN,
            flags="-auto-approve --auto-approve -auto-approve=true",
        ),
        Rule("terraform.apply-all", "apply-all", "ask", _UNASKED, _PLAN),
        Rule("terraform.apply", "apply", "ask", "changes resources", _PLAN),
        Rule(
            "terraform.taint",
            "taint",
            "ask",
            "marks a resource to be destroyed and created again",
            "`terraform plan` shows what depends on it.",
        ),
        Rule(
            "terraform.run-all-apply",
            "run-all|run|stack ** apply",
            "ask",
            _UNASKED,
            _PLAN,
        ),
        Rule(
            "terraform.state-rm",
            "state rm|push|replace-provider",
            "ask",
            _STATE,
            "`state list` shows the resources.",
        ),
        Rule("terraform.workspace-delete", "workspace delete", "ask", _STATE),
        Rule(
            "terraform.force-unlock",
            "force-unlock",
            "ask",
            "removes a lock that may be in use",
            "The error that names the lock says who holds it, and since when.",
        ),
    ),
    harmless=(*DRY_RUN_FLAGS, "-help", "-h"),
)
_TERRAFORM_SECRETS = Table(
    "secrets",
    (
        Rule(
            "terraform.output-raw",
            "output",
            "ask",
            "prints outputs that may be secrets",
            _IN_PLACE,
            flags="-raw -json",
        ),
        Rule(
            "terraform.show-json",
            "show",
            "ask",
            "prints outputs that may be secrets",
            _IN_PLACE,
            flags="-json",
        ),
        Rule(
            "terraform.state-pull",
            "state pull",
            "ask",
            "prints outputs that may be secrets",
            _IN_PLACE,
        ),
    ),
)
_PULUMI_CLOUD = Table(
    "cloud",
    (
        Rule("pulumi.destroy", "destroy|down|dn", "deny", _GONE, _PLAN, unless="--preview-only"),
        Rule("pulumi.stack-rm", "stack rm", "deny", "deletes a stack with its history"),
        Rule("pulumi.state-delete", "state delete", "ask", _STATE),
        Rule(
            "pulumi.up-yes", "up|update", "ask", _UNASKED, _PLAN, flags="-y --yes -f --skip-preview"
        ),
        Rule("pulumi.up", "up|update", "ask", "changes resources", _PLAN),
    ),
)
_PULUMI_SECRETS = Table(
    "secrets",
    (
        Rule(
            "pulumi.config-show-secrets",
            "config",
            "ask",
            _STORED,
            _IN_PLACE,
            flags="--show-secrets",
        ),
        Rule(
            "pulumi.stack-output-show-secrets",
            "stack output",
            "ask",
            _STORED,
            _IN_PLACE,
            flags="--show-secrets",
        ),
        Rule(
            "pulumi.stack-export-show-secrets",
            "stack export",
            "ask",
            _STORED,
            _IN_PLACE,
            flags="--show-secrets",
        ),
    ),
)
_CDK_PUBLISHES = Table(
    "publishes",
    (
        Rule(
            "cdk.deploy-require-approval-never",
            "deploy",
            "ask",
            "deploys without a question",
            "`cdk diff` shows what would be changed.",
            flags="--require-approval=never --force",
        ),
        Rule("cdk.deploy", "deploy", "ask", "deploys resources", "`cdk diff` shows the changes."),
    ),
)
_CDK_CLOUD = Table(
    "cloud",
    (
        Rule("cdk.destroy", "destroy", "deny", _GONE, _LIST),
        Rule("cdk.gc", "gc", "deny", _GONE, _LIST),
    ),
)
_ANSIBLE_PLAYBOOK_CLOUD = Table(
    "cloud",
    (
        Rule(
            "ansible-playbook.run",
            "*",
            "ask",
            "changes the hosts that its playbook names",
            "`--check --diff` shows the changes, `--syntax-check` reads the playbook.",
        ),
    ),
    harmless=(
        *DRY_RUN_FLAGS,
        "-C",
        "-h",
        "--check",
        "--list-hosts",
        "--list-tags",
        "--list-tasks",
        "--syntax-check",
        "--version",
    ),
)
_NOMAD_CLOUD = Table(
    "cloud",
    (
        Rule("nomad.job-stop-purge", "job stop", "ask", "stops a job", flags="-purge --purge"),
        Rule("nomad.stop-purge", "stop", "ask", "stops a job", flags="-purge --purge"),
        Rule("nomad.namespace-delete", "namespace|volume delete", "deny", _GONE),
        Rule("nomad.system-gc", "system gc", "ask", "deletes what has ended"),
    ),
)
_SERVERLESS_PUBLISHES = Table(
    "publishes",
    (
        Rule(
            "serverless.deploy",
            "deploy",
            "ask",
            "deploys to production",
            "If the program has `--dry-run`, it shows what would be published.",
        ),
    ),
)
_SERVERLESS_CLOUD = Table("cloud", (Rule("serverless.remove", "remove", "deny", _GONE, _LIST),))
_SST_PUBLISHES = Table(
    "publishes",
    (
        Rule(
            "sst.deploy",
            "deploy",
            "ask",
            "deploys to production",
            "`sst diff` shows what would be changed.",
        ),
    ),
)
_SST_CLOUD = Table("cloud", (Rule("sst.remove", "remove", "deny", _GONE, _LIST),))
_TERRAFORM_CHECKS = (
    Check("terraform.plan-destroy", "cloud", "stores a plan to destroy everything"),
    Check("terraform.apply-piped", "cloud", "changes resources without a question"),
)

PROGRAMS = (
    Program(
        "terraform tofu",
        "single-dash",
        (_TERRAFORM_CLOUD, _TERRAFORM_SECRETS),
        checks=_TERRAFORM_CHECKS,
    ),
    Program("terragrunt terramate", tables=(_TERRAFORM_CLOUD,), checks=_TERRAFORM_CHECKS),
    Program("pulumi", tables=(_PULUMI_CLOUD, _PULUMI_SECRETS)),
    Program("cdk", "prints-nothing", (_CDK_PUBLISHES, _CDK_CLOUD)),
    Program("cdktf", tables=(_CDK_CLOUD,)),
    Program(
        "ansible",
        "prints-nothing may-run",
        checks=(Check("ansible.absent", "deletes", "deletes files on several hosts"),),
    ),
    Program("ansible-playbook", "prints-nothing", (_ANSIBLE_PLAYBOOK_CLOUD,)),
    Program("ansible-lint", "prints-nothing"),
    Program("nomad", tables=(_NOMAD_CLOUD,)),
    Program("serverless sls", "prints-nothing", (_SERVERLESS_PUBLISHES, _SERVERLESS_CLOUD)),
    Program("sst", tables=(_SST_PUBLISHES, _SST_CLOUD)),
)
