"""Publishing: registries, releases, deployments.

Permanent publication is denied; what the next version can replace is asked about.
"""

from collections.abc import Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.interpreters import with_launchers
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import (
    DRY_RUN_FLAGS,
    Row,
    begins,
    call_risk,
    has_exact_flag,
    has_flag,
    rule_of,
    table_of,
)

_TRY = "If the program has `--dry-run`, it shows what would be published."
_FOR_GOOD = "publishes a version permanently"
_RETRACTS = "withdraws a version that others may use"
_IMAGE = "pushes an image to a registry"
_DEPLOYS = "deploys to production"


def _for_good(*words: str, calm: tuple[str, ...] = DRY_RUN_FLAGS) -> RiskRule:
    rows = (Row(each, "deny", _FOR_GOOD, _TRY) for each in words)
    return rule_of("publishes", *rows, calm=calm)


def _deploys(*words: str, flags: str = "") -> RiskRule:
    return rule_of("publishes", *(Row(each, "ask", _DEPLOYS, _TRY, flags) for each in words))


_OWNERS = "changes who may publish, or see, a package"
_SHORT = (*DRY_RUN_FLAGS, "-n")

_PACKAGES = (
    Row("publish", "deny", _FOR_GOOD, _TRY),
    Row("npm publish", "deny", _FOR_GOOD, _TRY),
    Row("recursive|workspace|workspaces ** publish", "deny", _FOR_GOOD, _TRY),
    Row("unpublish", "deny", _RETRACTS),
    Row("deprecate", "ask", _RETRACTS),
    Row("dist-tag|dist-tags rm", "ask", _RETRACTS),
    Row("owner|author add|rm|remove", "ask", _OWNERS),
    Row("access grant|revoke|public|restricted|set|edit", "ask", _OWNERS),
)
_NPM = rule_of(
    "publishes",
    # It takes every unambiguous abbreviation.
    Row("pu|pub|publ|publi|publis", "deny", _FOR_GOOD, _TRY),
    Row("unp|unpu|unpub|unpubl|unpubli|unpublis", "deny", _RETRACTS),
    *_PACKAGES,
)
_CARGO = rule_of(
    "publishes",
    Row("publish", "deny", _FOR_GOOD, _TRY),
    Row("+* publish", "deny", _FOR_GOOD, _TRY),
    Row("yank", "ask", _RETRACTS, unless="--undo"),
    Row("owner", "ask", _OWNERS, flags="-a --add -r --remove"),
    Row("release", "deny", _FOR_GOOD, _TRY, flags="-x --execute"),
    Row("dist release", "ask", "makes a release"),
    calm=_SHORT,
)
_GEM = rule_of(
    "publishes",
    Row("push", "deny", _FOR_GOOD),
    Row("yank", "deny", _RETRACTS),
    Row("owner", "ask", "changes who may publish", flags="-a -r --add --remove"),
)
_IMAGES = rule_of(
    "publishes",
    Row("push", "ask", _IMAGE),
    Row("image|manifest|compose|plugin push", "ask", _IMAGE),
    Row("build|buildx|bake|compose", "ask", _IMAGE, flags="--push"),
    Row("image|builder build", "ask", _IMAGE, flags="--push"),
)
_GH = rule_of(
    "publishes",
    Row("release create", "ask", "makes a release", _TRY, unless="-d --draft --draft=true"),
    Row("release edit", "ask", "makes a release public", flags="--draft=false"),
    Row("extension", "ask", "makes a release", flags="--publish"),
)
_DOTNET = rule_of(
    "publishes",
    Row("nuget push", "deny", _FOR_GOOD),
    Row("nuget delete", "deny", _RETRACTS),
)
_NUGET = rule_of("publishes", Row("push", "deny", _FOR_GOOD), Row("delete", "deny", _RETRACTS))
_POD = rule_of(
    "publishes",
    Row("trunk push", "deny", _FOR_GOOD),
    Row("trunk delete|deprecate", "deny", _RETRACTS),
    Row("repo push", "ask", "publishes a specification"),
)
_VSCE = rule_of("publishes", Row("publish", "deny", _FOR_GOOD), Row("unpublish", "deny", _RETRACTS))
_GORELEASER = rule_of(
    "publishes",
    Row("release|r", "deny", "makes a release", unless="--snapshot --skip=publish --skip-publish"),
    Row("publish|continue", "deny", "makes a release"),
)
_CRANE = rule_of(
    "publishes",
    Row("push|copy|cp|append|tag|mutate|rebase", "ask", _IMAGE),
    Row("delete", "deny", "deletes an image of a registry"),
)
_VERCEL = rule_of(
    "publishes",
    Row("promote|rollback", "ask", _DEPLOYS),
    Row("redeploy", "ask", _DEPLOYS),
)
_HEX = rule_of(
    "publishes",
    Row("hex.publish", "deny", _FOR_GOOD),
    Row("hex.retire", "ask", _RETRACTS),
)
_CABAL = rule_of(
    "publishes",
    Row("upload", "deny", _FOR_GOOD, flags="--publish"),
    Row("upload", "ask", "publishes a candidate"),
)
_SNAP = rule_of(
    "publishes", Row("upload|push|upload-metadata|release|promote|close", "ask", "publishes a snap")
)
_CDK = rule_of(
    "publishes",
    Row("deploy", "ask", "deploys without a question", flags="--require-approval=never --force"),
)


def _vercel(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a production deployment; the first word may be `deploy`, or a folder."""
    if has_flag(call, "--prod", "--production") and not begins(
        call.items, "env|domains|pull|build"
    ):
        yield call_risk(call, "publishes", "ask", _DEPLOYS, _TRY)
    else:
        yield from _VERCEL(call)


def _skopeo(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a copy into a registry: the last word is its target."""
    if begins(call.items, "delete"):
        yield call_risk(call, "publishes", "deny", "deletes an image of a registry")
    elif begins(call.items, "copy|sync") and call.items[-1].text.startswith("docker://"):
        yield call_risk(call, "publishes", "ask", _IMAGE)


_GOAL = lazy_compile(
    r"(?:[\w.-]+:)*+deploy(?:-file)?|site-deploy|release:perform|.+-staging:release"
)


def _maven(call: CommandCall) -> Iterator[Risk]:
    skipped = has_exact_flag(
        call, ("-Dmaven.deploy.skip=true", "-Dmaven.deploy.skip", *DRY_RUN_FLAGS)
    )
    if not skipped and any(_GOAL.fullmatch(item.text) for item in call.items):
        yield call_risk(
            call, "publishes", "deny", _FOR_GOOD, "`mvn install` stays on this machine."
        )


def _gradle(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a publishing task; those for the local repository publish nothing."""
    tasks = (item.text.rpartition(":")[2] for item in call.items)
    publishing = [
        task
        for task in tasks
        if (task.startswith("publish") and not task.endswith(("MavenLocal", "ToLocalRepository")))
        or task in ("uploadArchives", "bintrayUpload", "jreleaserFullRelease", "jreleaserRelease")
        or task.startswith("closeAndRelease")
    ]
    if publishing and not has_exact_flag(call, ("-m", *DRY_RUN_FLAGS)):
        local = "`publishToMavenLocal` stays on this machine."
        yield call_risk(call, "publishes", "deny", _FOR_GOOD, local)


def _sbt(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a publishing command of sbt: it may be several words in one."""
    tasks = {
        word.rpartition("/")[2].lstrip("+") for item in call.items for word in item.text.split()
    }
    if tasks & {"publish", "publishSigned", "sonatypeBundleRelease", "sonatypeRelease", "release"}:
        local = "`publishLocal` stays on this machine."
        yield call_risk(call, "publishes", "deny", _FOR_GOOD, local)


def _always(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a program that only publishes."""
    if not has_exact_flag(
        call, (*_SHORT, "-d", "-h", "--version", "-v", "--preview", "--no-publish")
    ):
        yield call_risk(call, "publishes", "deny", _FOR_GOOD, _TRY)


_TABLE: Mapping[str, RiskRule] = {
    "npm": _NPM,
    **table_of("pnpm yarn bun cnpm", rule_of("publishes", *_PACKAGES)),
    **table_of("lerna changeset jsr deno", _for_good("publish")),
    "nx": _for_good("release", calm=(*DRY_RUN_FLAGS, "-d", "--skip-publish")),
    **table_of("np semantic-release release-it dput", _always),
    "cargo": _CARGO,
    "twine": _for_good("upload"),
    **table_of("poetry uv flit hatch pdm rye", _for_good("publish")),
    "maturin": _for_good("publish", "upload"),
    "setup.py": _for_good("** upload"),
    "gem": _GEM,
    "rake": _for_good("release", "** release:rubygem_push"),
    **table_of("mvn mvnw mvnd", _maven),
    **table_of("gradle gradlew", _gradle),
    "sbt": _sbt,
    "lein": _for_good("deploy"),
    "dotnet": _DOTNET,
    "nuget": _NUGET,
    "cabal": _CABAL,
    "stack": _for_good("upload"),
    "mix": _HEX,
    "rebar3": _for_good("hex publish"),
    **table_of("dart flutter", _for_good("pub publish", "pub lish", calm=_SHORT)),
    "pod": _POD,
    **table_of("luarocks conan fez", _for_good("upload")),
    **table_of("elm nimble opam mcp-publisher", _for_good("publish")),
    "ansible-galaxy": _for_good("collection publish", "role import"),
    **table_of("docker podman nerdctl buildah", _IMAGES),
    "docker-compose": _IMAGES,
    **table_of(
        "helm oras", rule_of("publishes", Row("push|cm-push", "ask", "pushes it to a registry"))
    ),
    "crane": _CRANE,
    "skopeo": _skopeo,
    "goreleaser": _GORELEASER,
    **table_of("gh glab", _GH),
    **table_of("vsce ovsx", _VSCE),
    "web-ext": rule_of("publishes", Row("sign", "ask", "publishes an extension in its store")),
    **table_of("expo eas", _deploys("submit", "publish", "update", "deploy", "upload")),
    "fastlane": _deploys(*(f"** {lane}" for lane in ("deliver", "supply", "release", "beta"))),
    **table_of("serverless sls sst", _deploys("deploy")),
    **table_of("vercel vc", _vercel),
    **table_of("netlify ntl", _deploys("deploy", flags="-p --prod --prod-if-unlocked")),
    "firebase": _deploys("deploy", "hosting:clone", "appdistribution:distribute"),
    **table_of("fly flyctl", _deploys("deploy")),
    "heroku": _deploys("container:release", "releases:rollback", "rollback", "pipelines:promote"),
    "wrangler": _deploys("deploy", "publish", "pages deploy", "pages publish"),
    "gcloud": _deploys("** app|run|functions deploy", "** builds submit"),
    **table_of("eb sam", _deploys("deploy")),
    "cdk": _CDK,
    "copilot": _deploys("deploy", "svc deploy"),
    "amplify": _deploys("publish", "push"),
    **table_of("kamal dokku", _deploys("deploy", "redeploy", "rollback")),
    "cap": _deploys("production deploy*"),
    "railway": _deploys("up", "redeploy"),
    "deployctl": _deploys("deploy", flags="--prod"),
    "mkdocs": _deploys("gh-deploy"),
    "gh-pages": rule_of("publishes", Row("", "ask", _DEPLOYS, flags="-d --dist")),
    "snapcraft": _SNAP,
    **table_of("huggingface-cli hf", _deploys("upload", "upload-large-folder")),
}

RULES: Mapping[str, RiskRule] = with_launchers(_TABLE)
