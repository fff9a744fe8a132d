"""Kubernetes and its tools: kubectl, helm, eksctl, flux, argocd, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Check, Program, Rule, Table

_GONE = "destroys resources with everything in them"
_TOKEN = "prints a token"  # noqa: S105
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."
_LIST = "The list command of the same program shows what would be deleted."

_KUBECTL_CLOUD = Table(
    "cloud",
    (
        Rule(
            "kubectl.delete-namespace",
            (
                "delete namespace*|ns|ns/*|pv*|persistentvolume*|crd*|customresourcedef*|node*|no/*"
                "|all|all/*"
            ),
            "deny",
            _GONE,
            "`kubectl get` shows what would be deleted.",
        ),
        Rule(
            "kubectl.delete-project",
            "delete project*",
            "deny",
            _GONE,
            "`kubectl get` shows what would be deleted.",
        ),
        Rule(
            "kubectl.delete-all-namespaces",
            "delete",
            "deny",
            _GONE,
            "`kubectl get` shows them.",
            flags="-A --all-namespaces",
        ),
        Rule(
            "kubectl.delete",
            "delete",
            "ask",
            "deletes resources of a cluster",
            "`--dry-run=client` shows which.",
        ),
        Rule(
            "kubectl.drain",
            "drain",
            "ask",
            "moves all workloads away from a node",
            "`--dry-run=client` shows what.",
        ),
        Rule(
            "kubectl.replace-force",
            "replace",
            "ask",
            "deletes resources and recreates them",
            flags="--force",
        ),
        Rule(
            "kubectl.scale-to-zero",
            "scale",
            "ask",
            "stops every copy of a workload",
            flags="--replicas=0",
        ),
        Rule(
            "kubectl.apply-prune",
            "apply",
            "ask",
            "deletes resources that are not in the files",
            flags="--prune",
        ),
    ),
    harmless=(*DRY_RUN_FLAGS, "--dry-run=client", "--dry-run=server"),
)
_KUBECTL_SECRETS = Table(
    "secrets",
    (
        Rule("kubectl.config-view-raw", "config view", "ask", _TOKEN, _IN_PLACE, flags="--raw"),
        Rule("kubectl.create-token", "create token", "ask", _TOKEN, _IN_PLACE),
    ),
)
_OC_SECRETS = Table(
    "secrets",
    (
        Rule("oc.whoami-show-token", "whoami", "ask", _TOKEN, _IN_PLACE, flags="-t --show-token"),
        Rule("oc.config-view-raw", "config view", "ask", _TOKEN, _IN_PLACE, flags="--raw"),
        Rule("oc.create-token", "create token", "ask", _TOKEN, _IN_PLACE),
        Rule("oc.extract", "extract", "ask", _TOKEN, _IN_PLACE),
    ),
)
_EKSCTL_CLOUD = Table("cloud", (Rule("eksctl.delete", "delete", "deny", _GONE, _LIST),))
_KIND_CLOUD = Table(
    "cloud",
    (
        Rule("kind.delete", "delete", "ask", _GONE, _LIST),
        Rule("kind.resource-delete", "** delete", "ask", _GONE, _LIST),
    ),
)
_KUBEADM_CLOUD = Table("cloud", (Rule("kubeadm.reset", "reset", "deny", _GONE, _LIST),))
_TALOSCTL_CLOUD = Table(
    "cloud",
    (
        Rule("talosctl.reset", "reset", "deny", _GONE, _LIST),
        Rule("talosctl.cluster-destroy", "cluster destroy", "deny", _GONE, _LIST),
    ),
)
_HELM_PUBLISHES = Table(
    "publishes", (Rule("helm.push", "push|cm-push", "ask", "pushes it to a registry"),)
)
_HELM_CLOUD = Table(
    "cloud",
    (
        Rule(
            "helm.uninstall",
            "uninstall|un|del|delete",
            "ask",
            "deletes a release",
            "`helm list` shows them.",
        ),
    ),
)
_HELMFILE_CLOUD = Table(
    "cloud",
    (
        Rule("helmfile.destroy", "destroy", "deny", _GONE, _LIST),
        Rule("helmfile.delete", "delete", "deny", _GONE, _LIST),
    ),
)
_FLUX_CLOUD = Table(
    "cloud",
    (
        Rule("flux.uninstall", "uninstall", "deny", _GONE),
        Rule("flux.delete", "delete", "ask", "deletes resources of a cluster"),
    ),
)
_ARGOCD_CLOUD = Table(
    "cloud",
    (
        Rule(
            "argocd.app-delete",
            "app|appset|cluster|proj delete|rm",
            "deny",
            _GONE,
            "`argocd app list` shows them.",
        ),
    ),
)
_ISTIOCTL_CLOUD = Table("cloud", (Rule("istioctl.uninstall", "uninstall", "ask", _GONE, _LIST),))
_KUBECTL_CHECKS = (
    Check("kubectl.patch", "cloud", "stops a workload, or removes what protects its data"),
    Check("kubectl.production", "cloud", "changes what runs in production"),
    Check("kubectl.get-secret", "secrets", "prints the values of the cluster's secrets"),
)

PROGRAMS = (
    Program(
        "kubectl",
        "prints-nothing writes-nothing wraps passes-words container",
        (_KUBECTL_CLOUD, _KUBECTL_SECRETS),
        checks=_KUBECTL_CHECKS,
        values="-n -l -f -c",
    ),
    Program(
        "oc",
        "wraps passes-words container",
        (_KUBECTL_CLOUD, _OC_SECRETS),
        checks=_KUBECTL_CHECKS,
        values="-n -l -f -c",
    ),
    Program("k", tables=(_KUBECTL_CLOUD,), checks=_KUBECTL_CHECKS[:2], values="-n -l -f -c"),
    Program("eksctl kops", tables=(_EKSCTL_CLOUD,)),
    Program("kind k3d minikube", "prints-nothing", (_KIND_CLOUD,)),
    Program("kubeadm", tables=(_KUBEADM_CLOUD,)),
    Program("talosctl", tables=(_TALOSCTL_CLOUD,)),
    Program(
        "helm",
        "prints-nothing",
        (_HELM_PUBLISHES, _HELM_CLOUD),
        checks=_KUBECTL_CHECKS[1:2],
        values="-n -f",
    ),
    Program("helmfile", tables=(_HELMFILE_CLOUD,)),
    Program("flux", tables=(_FLUX_CLOUD,)),
    Program("argocd", tables=(_ARGOCD_CLOUD,)),
    Program("istioctl", tables=(_ISTIOCTL_CLOUD,)),
    Program("kubeseal", "prints-nothing"),
)
