"""Amazon Web Services: aws, copilot, sam, amplify, eb."""

from hookd.programs.agents import COPILOT_PERMISSIONS
from hookd.programs.model import DRY_RUN_FLAGS, Program, Rule, Table

_STOPS = "stops a service that users need"
_LIST = "The list command of the same program shows what would be deleted."
_WHO = "changes permissions"
_GONE = "destroys resources with everything in them"
_OBJECTS = "deletes objects of a store"
_STORED = "prints the value of a stored secret"
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."
_TOKEN = "prints a token"  # noqa: S105
_DEPLOYS = "deploys to production"
_TRY = "If the program has `--dry-run`, it shows what would be published."

_AWS_CLOUD = Table(
    "cloud",
    (
        Rule(
            "aws.organizations-leave-organization",
            "organizations leave-organization|close-account",
            "deny",
            "closes an account",
        ),
        Rule("aws.account-close", "account close*", "deny", "closes an account"),
        Rule("aws.stop-instances", "* stop-instances|stop-db-*", "ask", _STOPS, _LIST),
        Rule(
            "aws.scale-to-zero",
            "ecs|autoscaling|application-autoscaling|eks update-*",
            "ask",
            _STOPS,
            flags="--desired-count=0 --desired-capacity=0 --max-size=0 --max-capacity=0",
        ),
        Rule(
            "aws.iam-policy",
            "iam attach-*-policy|put-*-policy|update-assume-role-policy",
            "ask",
            _WHO,
        ),
        Rule(
            "aws.s3api-put-bucket-policy",
            "s3api put-bucket-policy|put-bucket-acl|put-public-access-block",
            "ask",
            _WHO,
        ),
        Rule(
            "aws.s3api-put-bucket-lifecycle",
            "s3api put-bucket-lifecycle*",
            "ask",
            "may let objects expire",
        ),
        Rule(
            "aws.ec2-open-security-group",
            "ec2 authorize-security-group-*",
            "ask",
            _WHO,
            flags="--cidr=0.0.0.0/0",
        ),
        Rule(
            "aws.route53-change-resource-record-sets",
            "route53 change-resource-record-sets",
            "ask",
            "changes the address of a name",
        ),
        Rule(
            "aws.kms-disable-key",
            "kms disable-key",
            "ask",
            "makes data that a key has encrypted unreadable",
        ),
        Rule("aws.admin-delete", "* admin-delete-*", "ask", _GONE, _LIST),
        Rule("aws.s3-rb", "s3 rb", "deny", "deletes a bucket", "`aws s3 ls` shows its content."),
        Rule(
            "aws.s3-rm-recursive",
            "s3 rm",
            "deny",
            _OBJECTS,
            "`--dryrun` shows which.",
            flags="--recursive",
        ),
        Rule("aws.s3-rm", "s3 rm", "ask", _OBJECTS, "`--dryrun` shows which."),
        Rule(
            "aws.s3-sync-delete",
            "s3 sync",
            "ask",
            _OBJECTS,
            "`--dryrun` shows which.",
            flags="--delete",
        ),
        Rule(
            "aws.delete-message",
            (
                "* delete-message*|delete-tags|delete-object*|delete-item|remove-*|deregister-*"
                "|batch-delete-*|delete-log-stream|reset-*|release-*|revoke-*"
            ),
            "ask",
            "deletes a part of a resource",
            _LIST,
        ),
        Rule(
            "aws.delete",
            "* delete-*|terminate-*|purge-*|schedule-key-deletion|force-delete-*|empty-*",
            "deny",
            _GONE,
            _LIST,
        ),
    ),
    harmless=(*DRY_RUN_FLAGS, "--dryrun", "--generate-cli-skeleton"),
)
_AWS_SECRETS = Table(
    "secrets",
    (
        Rule(
            "aws.secretsmanager-get-secret-value",
            "secretsmanager get-secret-value",
            "ask",
            _STORED,
            _IN_PLACE,
        ),
        Rule(
            "aws.secretsmanager-batch-get-secret-value",
            "secretsmanager batch-get-secret-value",
            "ask",
            _STORED,
            _IN_PLACE,
        ),
        Rule(
            "aws.ssm-get-parameter-with-decryption",
            "ssm get-parameter*",
            "ask",
            _STORED,
            _IN_PLACE,
            flags="--with-decryption",
        ),
        Rule("aws.kms-decrypt", "kms decrypt", "ask", _STORED, _IN_PLACE),
        Rule("aws.sts-get-session-token", "sts get-session-token", "ask", _TOKEN, _IN_PLACE),
        Rule("aws.sts-assume-role", "sts assume-role*", "ask", _TOKEN, _IN_PLACE),
        Rule("aws.sts-get-federation-token", "sts get-federation-token", "ask", _TOKEN, _IN_PLACE),
        Rule(
            "aws.configure-export-credentials",
            "configure export-credentials",
            "ask",
            _TOKEN,
            _IN_PLACE,
        ),
        Rule("aws.iam-create-access-key", "iam create-access-key", "ask", _TOKEN, _IN_PLACE),
        Rule("aws.ecr-get-login-password", "ecr get-login-password", "ask", _TOKEN, _IN_PLACE),
        Rule(
            "aws.ecr-public-get-login-password",
            "ecr-public get-login-password",
            "ask",
            _TOKEN,
            _IN_PLACE,
        ),
        Rule(
            "aws.codeartifact-get-authorization-token",
            "codeartifact get-authorization-token",
            "ask",
            _TOKEN,
            _IN_PLACE,
        ),
        Rule(
            "aws.rds-generate-db-auth-token", "rds generate-db-auth-token", "ask", _TOKEN, _IN_PLACE
        ),
        Rule("aws.eks-get-token", "eks get-token", "ask", _TOKEN, _IN_PLACE),
        Rule(
            "aws.ecr-get-authorization-token",
            "ecr get-authorization-token",
            "ask",
            _TOKEN,
            _IN_PLACE,
        ),
    ),
)
_COPILOT_PUBLISHES = Table(
    "publishes",
    (
        Rule("copilot.deploy", "deploy", "ask", _DEPLOYS, _TRY),
        Rule("copilot.svc-deploy", "svc deploy", "ask", _DEPLOYS, _TRY),
    ),
)
_COPILOT_CLOUD = Table("cloud", (Rule("copilot.delete", "** delete", "deny", _GONE, _LIST),))
_SAM_CLOUD = Table("cloud", (Rule("sam.delete", "** delete", "deny", _GONE, _LIST),))
_AMPLIFY_CLOUD = Table("cloud", (Rule("amplify.delete", "** delete", "deny", _GONE, _LIST),))
_SAM_PUBLISHES = Table("publishes", (Rule("sam.deploy", "deploy", "ask", _DEPLOYS, _TRY),))
_AMPLIFY_PUBLISHES = Table(
    "publishes",
    (
        Rule("amplify.publish", "publish", "ask", _DEPLOYS, _TRY),
        Rule("amplify.push", "push", "ask", _DEPLOYS, _TRY),
    ),
)
_EB_PUBLISHES = Table("publishes", (Rule("eb.deploy", "deploy", "ask", _DEPLOYS, _TRY),))
_EB_CLOUD = Table("cloud", (Rule("eb.terminate", "terminate", "deny", _GONE, _LIST),))
_EB_SECRETS = Table(
    "secrets",
    (
        Rule(
            "eb.printenv",
            "printenv",
            "ask",
            "prints variables of the deployment with their values",
            _IN_PLACE,
        ),
    ),
)

PROGRAMS = (
    Program(
        "aws",
        "may-run",
        (_AWS_CLOUD, _AWS_SECRETS),
        uploads=("s3 cp", "s3 mv", "s3 sync", "s3api put-object"),
    ),
    Program("aws-vault", "wraps"),
    # GitHub's client for coding has the same name.
    Program("copilot", "client", (_COPILOT_PUBLISHES, _COPILOT_CLOUD, COPILOT_PERMISSIONS)),
    Program("sam", "prints-nothing", (_SAM_PUBLISHES, _SAM_CLOUD)),
    Program("amplify", tables=(_AMPLIFY_PUBLISHES, _AMPLIFY_CLOUD)),
    Program("eb", "may-run", (_EB_PUBLISHES, _EB_CLOUD, _EB_SECRETS)),
)
