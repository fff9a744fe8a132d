"""Clouds, clusters, remote machines and HTTP APIs: destruction of resources.

Deletion of data or of a whole system is denied; what can be recreated is asked about. Requests to a
server on this machine are development; an unknown address is taken for one. Deletion of a whole
index or store is asked about there, too.
"""

import re
from collections.abc import Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.interpreters import with_launchers
from hookd.risk.model import CommandCall, Risk, RiskRule, Severity
from hookd.risk.subcommands import (
    DRY_RUN_FLAGS,
    Row,
    begins,
    call_risk,
    has_exact_flag,
    joined_rule,
    rule_of,
    table_of,
)
from hookd.shell.quoting import names

_ADDRESS = lazy_compile(
    r"(?:https?://)?(?:[^/@\s]*@)?(?P<host>\[[^\]]*\]|[^:/\s?#]*)(?::\d*)?(?P<path>/[^?#]*)?.*",
    re.DOTALL,
)
_LOCAL_HOST = lazy_compile(
    r"|localhost|.+\.(?:localhost|local|test)|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]"
    r"|host\.docker\.internal"
)
_ALL = lazy_compile(r"/(?:_all|\*|[\w-]*\*)/?")
_REPOSITORY = lazy_compile(r"/(?:api/v\d/)?(?:repos/[^/]+/[^/]+|projects/[^/]+|orgs/[^/]+)/?")
_QUERY = lazy_compile(r"/.*_delete_by_query/?")
_METHOD = ("-X", "--request", "--method")
_BY_WORD = names("http https xh xhs")
"""Programs that take the method as their first word."""

_INSTEAD = "A GET of the same address shows what would be deleted."


def request_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield what a request deletes on a server."""
    method = next((item.text.upper() for item in call.values(*_METHOD)), "")
    words = list(call.items)
    if call.program in _BY_WORD and words and words[0].text.upper() in ("DELETE", "POST"):
        method = words.pop(0).text.upper()
    addresses = [_ADDRESS.fullmatch(item.text) for item in words if _is_address(item.text)]
    for address in addresses:
        if address and (risk := _said(call, method, address["host"], address["path"] or "/")):
            yield risk
            return


def _is_address(text: str) -> bool:
    """Return whether a word is an address, not a value: with a scheme, or a host and a path."""
    return text.startswith(("http://", "https://")) or (
        re.match(r"(?:localhost|[\w-]+(?:\.[\w-]+)+)?(?::\d+)?/", text) is not None
    )


def _said(call: CommandCall, method: str, host: str, path: str) -> Risk | None:
    if method != "DELETE" and not _QUERY.fullmatch(path):
        return None
    if _REPOSITORY.fullmatch(path) and _LOCAL_HOST.fullmatch(host) is None and "." in host:
        return call_risk(call, "cloud", "deny", "deletes a repository with everything in it")
    if _ALL.fullmatch(path) or _QUERY.fullmatch(path):
        return call_risk(call, "cloud", "ask", "deletes everything in a store", _INSTEAD)
    if _LOCAL_HOST.fullmatch(host) or re.search(r"[$`]", host):
        return None
    return call_risk(call, "cloud", "ask", f"deletes data on {host}", _INSTEAD)


_ZEROED = lazy_compile(r"[\"']?replicas[\"']?\s*:\s*0\b|finalizers[\"']?\s*:\s*(?:null|\[\s*\])")


def patch_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield that a patch stops a workload, or removes the finalizers that protect its data."""
    texts = (item.text for item in call.values("-p", "--patch"))
    if begins(call.items, "patch") and any(map(_ZEROED.search, texts)):
        yield call_risk(call, "cloud", "ask", "stops a workload, or removes what protects its data")


def plan_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield that a plan to destroy is stored to be applied, or that a pipe answers the question."""
    if has_exact_flag(call, (*DRY_RUN_FLAGS, "-help", "-h")):
        return
    if begins(call.items, "plan") and call.has("-destroy") and call.values("-out"):
        why = "stores a plan to destroy everything, which is applied without a question"
        yield call_risk(
            call, "cloud", "ask", why, "Without -out it only shows what would be destroyed."
        )
    elif begins(call.items, "apply") and (call.command.piped_input or call.command.stdin):
        why = "changes resources without a question"
        yield call_risk(call, "cloud", "ask", why, "`terraform plan` shows the changes.")


_GONE = "destroys resources with everything in them"
_PLAN = "A plan or a preview shows what would be destroyed."
_LIST = "The list command of the same program shows what would be deleted."
_UNASKED = "changes resources without a question"
_OBJECTS = "deletes objects of a store"
_MACHINE = "destroys a machine"
_STATE = "forgets resources that continue to run"
_SECRET = "deletes a key or a secret"  # noqa: S105
_STOPS = "stops a service that users need"
_WHO = "changes permissions"
_ENDS = "delete|destroy|terminate|purge"


def _table(*rows: Row, calm: tuple[str, ...] = DRY_RUN_FLAGS) -> RiskRule:
    return rule_of("cloud", *rows, calm=calm)


def _gone(*words: str, weight: Severity = "deny") -> RiskRule:
    return _table(*(Row(each, weight, _GONE, _LIST) for each in words))


_HELP = (*DRY_RUN_FLAGS, "-help", "-h")

_TERRAFORM = _table(
    Row("destroy", "deny", _GONE, _PLAN),
    Row("apply", "deny", _GONE, _PLAN, flags="-destroy --destroy -destroy=true"),
    Row("run|stack|run-all ** destroy", "deny", _GONE, _PLAN),
    Row("run-all destroy", "deny", _GONE, _PLAN),
    Row("destroy-all", "deny", _GONE, _PLAN),
    Row("apply", "ask", _UNASKED, _PLAN, flags="-auto-approve --auto-approve -auto-approve=true"),
    Row("run-all|apply-all", "ask", _UNASKED, _PLAN, "--terragrunt-non-interactive"),
    Row("state rm|push|replace-provider", "ask", _STATE, "`state list` shows the resources."),
    Row("workspace delete", "ask", _STATE),
    Row("force-unlock", "ask", "removes a lock that may be in use"),
    calm=_HELP,
)
_PULUMI = _table(
    Row("destroy|down|dn", "deny", _GONE, _PLAN, unless="--preview-only"),
    Row("stack rm", "deny", "deletes a stack with its history"),
    Row("state delete", "ask", _STATE),
    Row("up|update", "ask", _UNASKED, _PLAN, flags="-y --yes -f --skip-preview"),
)
_AWS = _table(
    Row("organizations leave-organization|close-account", "deny", "closes an account"),
    Row("account close*", "deny", "closes an account"),
    Row("* stop-instances|stop-db-*", "ask", _STOPS, _LIST),
    Row(
        "ecs|autoscaling|application-autoscaling|eks update-*",
        "ask",
        _STOPS,
        flags="--desired-count=0 --desired-capacity=0 --max-size=0 --max-capacity=0",
    ),
    Row("iam attach-*-policy|put-*-policy|update-assume-role-policy", "ask", _WHO),
    Row("s3api put-bucket-policy|put-bucket-acl|put-public-access-block", "ask", _WHO),
    Row("s3api put-bucket-lifecycle*", "ask", "may let objects expire"),
    Row("ec2 authorize-security-group-*", "ask", _WHO, flags="--cidr=0.0.0.0/0"),
    Row("route53 change-resource-record-sets", "ask", "changes the address of a name"),
    Row("kms disable-key", "ask", "makes data that a key has encrypted unreadable"),
    Row("* admin-delete-*", "ask", _GONE, _LIST),
    Row("s3 rb", "deny", "deletes a bucket", "`aws s3 ls` shows its content."),
    Row("s3 rm", "deny", _OBJECTS, "`--dryrun` shows which.", flags="--recursive"),
    Row("s3 rm", "ask", _OBJECTS, "`--dryrun` shows which."),
    Row("s3 sync", "ask", _OBJECTS, "`--dryrun` shows which.", flags="--delete"),
    Row(
        "* delete-message*|delete-tags|delete-object*|delete-item|remove-*|deregister-*"
        "|batch-delete-*|delete-log-stream|reset-*|release-*|revoke-*",
        "ask",
        "deletes a part of a resource",
        _LIST,
    ),
    Row(
        "* delete-*|terminate-*|purge-*|schedule-key-deletion|force-delete-*|empty-*",
        "deny",
        _GONE,
        _LIST,
    ),
    calm=(*DRY_RUN_FLAGS, "--dryrun", "--generate-cli-skeleton"),
)
_GCLOUD = _table(
    Row("** config configurations delete", "ask", "deletes a configuration"),
    Row("** storage rm", "deny", _OBJECTS, _LIST, flags="-r -R --recursive"),
    Row("** storage rm", "ask", _OBJECTS, _LIST),
    Row("** storage rsync", "ask", _OBJECTS, flags="--delete-unmatched-destination-objects"),
    Row("** images|tags|versions|revisions|tasks|jobs|messages delete", "ask", _GONE, _LIST),
    Row(f"** {_ENDS}", "deny", _GONE, _LIST),
    Row("** bulk-delete", "deny", _GONE, _LIST),
    Row("** instances|versions stop", "ask", _STOPS, _LIST),
    Row("** resize", "ask", _STOPS, flags="--num-nodes=0 --size=0"),
    Row("** services disable", "ask", _STOPS, _LIST),
    Row("sql instances|backups restore*", "ask", "overwrites a database", kind="database"),
    Row("** remove-iam-policy-binding|set-iam-policy|add-iam-policy-binding", "ask", _WHO),
)
_GSUTIL = _table(
    Row("rm", "deny", _OBJECTS, "`gsutil ls` shows which.", flags="-r -R -a"),
    Row("rm", "ask", _OBJECTS, "`gsutil ls` shows which."),
    Row("rb", "deny", "deletes a bucket"),
    Row("rsync", "ask", _OBJECTS, "`-n` shows which.", flags="-d", unless="-n"),
)
_BQ = _table(
    Row("rm", "deny", "deletes tables", _LIST, flags="-r -f --recursive --force"),
    Row("rm", "ask", "deletes a table", _LIST),
)
_AZ = _table(
    Row(
        "** deployment ** create",
        "ask",
        _GONE,
        "`what-if` shows it.",
        flags="--mode=complete --mode=Complete",
    ),
    Row(f"** {_ENDS}|delete-batch", "deny", _GONE, _LIST),
    Row("** deallocate", "ask", _STOPS, _LIST),
    Row("role assignment create", "ask", _WHO),
    Row("** remove", "ask", "deletes a part of a resource", _LIST),
)
_MANY_KINDS = (
    "namespace*|ns|ns/*|pv*|persistentvolume*|crd*|customresourcedef*|node*|no/*|all|all/*"
)
_KUBECTL = _table(
    Row(f"delete {_MANY_KINDS}", "deny", _GONE, "`kubectl get` shows what would be deleted."),
    Row("delete project*", "deny", _GONE, "`kubectl get` shows what would be deleted."),
    Row("delete", "deny", _GONE, "`kubectl get` shows them.", flags="-A --all-namespaces"),
    Row("delete", "ask", "deletes resources of a cluster", "`--dry-run=client` shows which."),
    Row("drain", "ask", "moves all workloads away from a node", "`--dry-run=client` shows what."),
    Row("replace", "ask", "deletes resources and recreates them", flags="--force"),
    Row("scale", "ask", "stops every copy of a workload", flags="--replicas=0"),
    Row("apply", "ask", "deletes resources that are not in the files", flags="--prune"),
    Row("config delete-*|unset", "ask", "removes the access to a cluster"),
    calm=(*DRY_RUN_FLAGS, "--dry-run=client", "--dry-run=server"),
)
_HELM = _table(
    Row("uninstall|un|del|delete", "ask", "deletes a release", "`helm list` shows them."),
)
_HEROKU = _table(
    Row("apps:destroy|apps:delete|destroy|pg:reset|addons:destroy", "deny", _GONE),
    Row("pipelines:destroy|domains:clear|domains:remove|config:unset", "ask", "deletes a setting"),
    Row("pg:copy|pg:push|pg:backups:restore", "ask", "overwrites a database", kind="database"),
    Row("ps:scale *=0", "ask", "stops every copy of a program"),
)
_FLY = _table(
    Row("apps|postgres|pg|mpg|redis|volumes|volume|vol destroy|delete", "deny", _GONE),
    Row("destroy", "deny", _GONE),
    Row("machine|machines|m destroy|remove|rm", "deny", _MACHINE),
    Row("scale count 0", "ask", "stops every copy of a program"),
    Row("secrets unset", "ask", _SECRET),
)
_VERCEL = _table(
    Row("remove|rm", "deny", "deletes deployments"),
    Row("project|projects rm|remove", "deny", _GONE),
    Row("env|domains|dns|alias|secrets|certs rm|remove", "ask", "deletes a setting"),
)
_WRANGLER = _table(
    Row("secret delete", "ask", _SECRET),
    Row("kv|kv:key|r2|queues ** key|object delete", "ask", _OBJECTS),
    Row("kv:key|kv:bulk delete", "ask", _OBJECTS),
    Row("delete", "deny", _GONE),
    Row("** delete", "deny", _GONE),
)
_FIREBASE = _table(
    Row("firestore:delete|database:remove|projects:delete", "deny", _GONE),
    Row("functions:delete|hosting:disable|hosting:channel:delete|apps:delete", "ask", _GONE),
)
_SUPABASE = _table(
    Row("projects delete", "deny", _GONE),
    Row("branches|functions delete", "ask", _GONE),
    Row("secrets unset", "ask", _SECRET),
)
_VIRSH = _table(
    Row("undefine|destroy|vol-delete|vol-wipe|pool-delete|snapshot-delete", "ask", _MACHINE, _LIST),
)
_MULTIPASS = _table(
    Row("delete", "ask", _MACHINE, _LIST, flags="-p --purge --all"),
    Row("purge", "ask", _MACHINE, _LIST),
)
_RCLONE = _table(
    Row("purge|delete", "deny", _OBJECTS, "`--dry-run` shows which."),
    Row("sync|deletefile|rmdirs|cleanup", "ask", _OBJECTS, "`--dry-run` shows which."),
    calm=("-n", *DRY_RUN_FLAGS),
)
_BUCKETS = _table(
    Row("rb|del|rm|delete-bucket|remove", "deny", _OBJECTS, flags="-r --recursive --force --all"),
    Row("rb|delete-bucket", "deny", _OBJECTS),
    Row("sync|mirror", "ask", _OBJECTS, flags="--delete --delete-removed --remove"),
    Row("del|rm|remove", "ask", _OBJECTS),
)
_BACKUPS = _table(
    Row("forget|prune|delete", "ask", "deletes backups", "`--dry-run` shows which."),
    Row("backup|snapshot delete", "ask", "deletes backups"),
    calm=("-n", *DRY_RUN_FLAGS),
)
_FLUX = _table(
    Row("uninstall", "deny", _GONE),
    Row("delete", "ask", "deletes resources of a cluster"),
)
_ARGOCD = _table(
    Row("app|appset|cluster|proj delete|rm", "deny", _GONE, "`argocd app list` shows them."),
)
_NOMAD = _table(
    Row("job stop", "ask", "stops a job", flags="-purge --purge"),
    Row("stop", "ask", "stops a job", flags="-purge --purge"),
    Row("namespace|volume delete", "deny", _GONE),
    Row("system gc", "ask", "deletes what has ended"),
)


_HERE = ("http://localhost", "http://127.0.0.1", "http://[::1]", "http://localstack")


def _aws(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of aws, unless its endpoint is an emulator on this machine."""
    if not any(item.text.startswith(_HERE) for item in call.values("--endpoint-url")):
        yield from _AWS(call)


_TABLE: Mapping[str, RiskRule] = {
    **table_of("terraform tofu terragrunt terramate", joined_rule(_TERRAFORM, plan_risks)),
    "pulumi": _PULUMI,
    **table_of("cdk cdktf", _gone("destroy", "gc")),
    "aws": _aws,
    "gcloud": _GCLOUD,
    "gsutil": _GSUTIL,
    "bq": _BQ,
    "az": _AZ,
    **table_of("doctl vultr-cli civo", _gone(f"** {_ENDS}|del|remove|rm|rebuild")),
    **table_of("linode-cli hcloud", _gone(f"** {_ENDS}|rm|rebuild|remove")),
    **table_of("scw oci openstack ovhcloud upctl exo ibmcloud", _gone(f"** {_ENDS}|*-delete")),
    **table_of("neonctl neon pscale turso atlas mongocli confluent", _gone(f"** {_ENDS}")),
    "aliyun": _gone("* Delete*|Release*"),
    "cf": _gone("delete|delete-*|d|ds"),
    "heroku": _HEROKU,
    **table_of("fly flyctl", _FLY),
    **table_of("vercel vc", _VERCEL),
    **table_of("netlify ntl", _gone("sites:delete")),
    "wrangler": _WRANGLER,
    "firebase": _FIREBASE,
    "supabase": _SUPABASE,
    "railway": _gone("down", "delete", "environment delete", "volume delete"),
    **table_of("kubectl oc k", joined_rule(_KUBECTL, patch_risks)),
    **table_of("eksctl kops", _gone("delete")),
    **table_of("kind k3d minikube", _gone("delete", "** delete", weight="ask")),
    "kubeadm": _gone("reset"),
    "talosctl": _gone("reset", "cluster destroy"),
    "helm": _HELM,
    "helmfile": _gone("destroy", "delete"),
    "flux": _FLUX,
    "argocd": _ARGOCD,
    "istioctl": _gone("uninstall", weight="ask"),
    "nomad": _NOMAD,
    **table_of("copilot sam amplify", _gone("** delete")),
    **table_of("serverless sls sst", _gone("remove")),
    "eb": _gone("terminate"),
    **table_of("vagrant limactl colima", _gone("destroy", "delete", weight="ask")),
    "multipass": _MULTIPASS,
    "virsh": _VIRSH,
    **table_of("lxc incus", _gone("delete|rm", "* delete|rm", weight="ask")),
    **table_of("vboxmanage prlctl", _gone("unregistervm|closemedium|delete", weight="ask")),
    **table_of("qm pct", _gone("destroy")),
    "rclone": _RCLONE,
    **table_of("s3cmd s5cmd b2 azcopy mc mcli", _BUCKETS),
    **table_of("restic borg kopia velero duplicity", _BACKUPS),
    **table_of("curl wget wget2 http https xh xhs", request_risks),
}

RULES: Mapping[str, RiskRule] = with_launchers(_TABLE)
