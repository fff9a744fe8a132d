"""Publishing: registries, releases, deployments.

Permanent publication is denied; what the next version can replace is asked about.
"""

from collections.abc import Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.programs.model import DRY_RUN_FLAGS
from hookd.risk.launchers import with_launchers
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import begins, call_risk, has_exact_flag, has_flag, rules_of, table_of

_IMAGE = "pushes an image to a registry"
_TRY = "If the program has `--dry-run`, it shows what would be published."
_FOR_GOOD = "publishes a version permanently"
_DEPLOYS = "deploys to production"


_TABLES = rules_of("publishes")
_SHORT = (*DRY_RUN_FLAGS, "-n")


def _vercel(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a production deployment; the first word may be `deploy`, or a folder."""
    if has_flag(call, "--prod", "--production") and not begins(
        call.items, "env|domains|pull|build"
    ):
        yield call_risk(call, "vercel.deploy", "ask", _DEPLOYS, _TRY)
    else:
        yield from _TABLES["vercel"](call)


def _skopeo(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a copy into a registry: the last word is its target."""
    if begins(call.items, "delete"):
        yield call_risk(call, "skopeo.push", "deny", "deletes an image of a registry")
    elif begins(call.items, "copy|sync") and call.items[-1].text.startswith("docker://"):
        yield call_risk(call, "skopeo.push", "ask", _IMAGE)


_GOAL = lazy_compile(
    r"(?>(?:[\w.-]+:)*)deploy(?:-file)?|site-deploy|release:perform|.+-staging:release"
)


def _maven(call: CommandCall) -> Iterator[Risk]:
    skipped = has_exact_flag(
        call, ("-Dmaven.deploy.skip=true", "-Dmaven.deploy.skip", *DRY_RUN_FLAGS)
    )
    if not skipped and any(_GOAL.fullmatch(item.text) for item in call.items):
        yield call_risk(
            call, "mvn.deploy", "deny", _FOR_GOOD, "`mvn install` stays on this machine."
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
        yield call_risk(call, "gradle.publish", "deny", _FOR_GOOD, local)


def _sbt(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a publishing command of sbt: it may be several words in one."""
    tasks = {
        word.rpartition("/")[2].lstrip("+") for item in call.items for word in item.text.split()
    }
    if tasks & {"publish", "publishSigned", "sonatypeBundleRelease", "sonatypeRelease", "release"}:
        local = "`publishLocal` stays on this machine."
        yield call_risk(call, "sbt.publish", "deny", _FOR_GOOD, local)


def _always(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a program that only publishes."""
    if not has_exact_flag(
        call, (*_SHORT, "-d", "-h", "--version", "-v", "--preview", "--no-publish")
    ):
        yield call_risk(call, "packages.publish", "deny", _FOR_GOOD, _TRY)


RULES: Mapping[str, RiskRule] = with_launchers(
    {
        **_TABLES,
        **table_of("np semantic-release release-it dput", _always),
        **table_of("mvn mvnw mvnd", _maven),
        **table_of("gradle gradlew", _gradle),
        "sbt": _sbt,
        "skopeo": _skopeo,
        **table_of("vercel vc", _vercel),
    }
)
