"""Package managers and registries of other languages: cargo, gem, maven, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Check, Launch, Program, Rule, Table

_FOR_GOOD = "publishes a version permanently"
_TRY = "If the program has `--dry-run`, it shows what would be published."
_RETRACTS = "withdraws a version that others may use"
_RESET = "drops or empties the database of the project"
_WHICH = "The project's settings name the database: make a backup of it first."
_DEPLOYS = "deploys to production"

_CARGO_PUBLISHES = Table(
    "publishes",
    (
        Rule("cargo.publish", "publish", "deny", _FOR_GOOD, _TRY),
        Rule("cargo.publish-with-toolchain", "+* publish", "deny", _FOR_GOOD, _TRY),
        Rule("cargo.yank", "yank", "ask", _RETRACTS, unless="--undo"),
        Rule(
            "cargo.owner-add",
            "owner",
            "ask",
            "changes who may publish, or see, a package",
            flags="-a --add -r --remove",
        ),
        Rule("cargo.release-execute", "release", "deny", _FOR_GOOD, _TRY, flags="-x --execute"),
        Rule("cargo.dist-release", "dist release", "ask", "makes a release"),
    ),
    harmless=(*DRY_RUN_FLAGS, "-n"),
)
_GEM_PUBLISHES = Table(
    "publishes",
    (
        Rule("gem.push", "push", "deny", _FOR_GOOD),
        Rule("gem.yank", "yank", "deny", _RETRACTS),
        Rule(
            "gem.owner-add", "owner", "ask", "changes who may publish", flags="-a -r --add --remove"
        ),
    ),
)
_RAKE_PUBLISHES = Table(
    "publishes",
    (
        Rule("rake.release", "release", "deny", _FOR_GOOD, _TRY),
        Rule("rake.release-rubygem_push", "** release:rubygem_push", "deny", _FOR_GOOD, _TRY),
    ),
)
_LEIN_PUBLISHES = Table("publishes", (Rule("lein.deploy", "deploy", "deny", _FOR_GOOD, _TRY),))
_DOTNET_PUBLISHES = Table(
    "publishes",
    (
        Rule("dotnet.nuget-push", "nuget push", "deny", _FOR_GOOD),
        Rule("dotnet.nuget-delete", "nuget delete", "deny", _RETRACTS),
    ),
)
_DOTNET_DATABASE = Table(
    "database",
    (
        Rule("dotnet.ef-database-drop", "ef database drop", "ask", _RESET, _WHICH),
        Rule("dotnet.ef-database-revert", "ef database update 0", "ask", _RESET, _WHICH),
    ),
)
_NUGET_PUBLISHES = Table(
    "publishes",
    (
        Rule("nuget.push", "push", "deny", _FOR_GOOD),
        Rule("nuget.delete", "delete", "deny", _RETRACTS),
    ),
)
_CABAL_PUBLISHES = Table(
    "publishes",
    (
        Rule("cabal.upload-publish", "upload", "deny", _FOR_GOOD, flags="--publish"),
        Rule("cabal.upload", "upload", "ask", "publishes a candidate"),
    ),
)
_STACK_PUBLISHES = Table("publishes", (Rule("stack.upload", "upload", "deny", _FOR_GOOD, _TRY),))
_MIX_PUBLISHES = Table(
    "publishes",
    (
        Rule("mix.hex-publish", "hex.publish", "deny", _FOR_GOOD),
        Rule("mix.hex-retire", "hex.retire", "ask", _RETRACTS),
    ),
)
_MIX_DATABASE = Table(
    "database",
    (
        Rule("mix.ecto-drop", "ecto.drop|ecto.reset", "ask", _RESET, _WHICH),
        Rule("mix.do-ecto-drop", "do ** ecto.drop*|ecto.reset*", "ask", _RESET, _WHICH),
        Rule("mix.ash-reset", "ash.reset", "ask", _RESET, _WHICH),
        Rule(
            "mix.ecto-rollback",
            "ecto.rollback|ash.rollback",
            "ask",
            "reverts migrations, with the tables and columns that they created",
            "`mix ecto.migrations` shows the migrations.",
        ),
    ),
)
_REBAR3_PUBLISHES = Table(
    "publishes", (Rule("rebar3.hex-publish", "hex publish", "deny", _FOR_GOOD, _TRY),)
)
_DART_PUBLISHES = Table(
    "publishes",
    (
        Rule("dart.pub-publish", "pub publish", "deny", _FOR_GOOD, _TRY),
        Rule("dart.pub-lish", "pub lish", "deny", _FOR_GOOD, _TRY),
    ),
    harmless=(*DRY_RUN_FLAGS, "-n"),
)
_POD_PUBLISHES = Table(
    "publishes",
    (
        Rule("pod.trunk-push", "trunk push", "deny", _FOR_GOOD),
        Rule("pod.trunk-delete", "trunk delete|deprecate", "deny", _RETRACTS),
        Rule("pod.repo-push", "repo push", "ask", "publishes a specification"),
    ),
)
_LUAROCKS_PUBLISHES = Table(
    "publishes", (Rule("luarocks.upload", "upload", "deny", _FOR_GOOD, _TRY),)
)
_ELM_PUBLISHES = Table("publishes", (Rule("elm.publish", "publish", "deny", _FOR_GOOD, _TRY),))
_ANSIBLE_GALAXY_PUBLISHES = Table(
    "publishes",
    (
        Rule("ansible-galaxy.collection-publish", "collection publish", "deny", _FOR_GOOD, _TRY),
        Rule("ansible-galaxy.role-import", "role import", "deny", _FOR_GOOD, _TRY),
    ),
)
_GORELEASER_PUBLISHES = Table(
    "publishes",
    (
        Rule(
            "goreleaser.release",
            "release|r",
            "deny",
            "makes a release",
            unless="--snapshot --skip=publish --skip-publish",
        ),
        Rule("goreleaser.publish", "publish|continue", "deny", "makes a release"),
    ),
)
_CRANE_PUBLISHES = Table(
    "publishes",
    (
        Rule(
            "crane.push",
            "push|copy|cp|append|tag|mutate|rebase",
            "ask",
            "pushes an image to a registry",
        ),
        Rule("crane.delete", "delete", "deny", "deletes an image of a registry"),
    ),
)
_ORAS_PUBLISHES = Table(
    "publishes", (Rule("oras.push", "push|cm-push", "ask", "pushes it to a registry"),)
)
_CAP_PUBLISHES = Table(
    "publishes", (Rule("cap.production-deploy", "production deploy*", "ask", _DEPLOYS, _TRY),)
)
_FASTLANE_PUBLISHES = Table(
    "publishes",
    (
        Rule("fastlane.deliver", "** deliver", "ask", _DEPLOYS, _TRY),
        Rule("fastlane.supply", "** supply", "ask", _DEPLOYS, _TRY),
        Rule("fastlane.release", "** release", "ask", _DEPLOYS, _TRY),
        Rule("fastlane.beta", "** beta", "ask", _DEPLOYS, _TRY),
    ),
)
_DEPLOYCTL_PUBLISHES = Table(
    "publishes", (Rule("deployctl.deploy-prod", "deploy", "ask", _DEPLOYS, _TRY, flags="--prod"),)
)

PROGRAMS = (
    Program("cargo", tables=(_CARGO_PUBLISHES,), runs="-s --shell"),
    Program("gem", tables=(_GEM_PUBLISHES,)),
    Program("rake", tables=(_RAKE_PUBLISHES,)),
    Program("bundle", "wraps passes-words runs-after-verb"),
    Program("rbenv", launch=Launch("exec", "")),
    Program("composer", launch=Launch("exec", "-d --working-dir --timeout")),
    Program(
        "mvn mvnw mvnd",
        checks=(Check("mvn.deploy", "publishes", "publishes a version permanently"),),
    ),
    Program(
        "gradle gradlew",
        checks=(Check("gradle.publish", "publishes", "publishes a version permanently"),),
    ),
    Program("sbt", checks=(Check("sbt.publish", "publishes", "publishes a version permanently"),)),
    Program("lein", tables=(_LEIN_PUBLISHES,)),
    Program("dotnet", tables=(_DOTNET_PUBLISHES, _DOTNET_DATABASE)),
    Program("nuget", tables=(_NUGET_PUBLISHES,)),
    Program("cabal", tables=(_CABAL_PUBLISHES,)),
    Program("stack", tables=(_STACK_PUBLISHES,)),
    Program("mix", tables=(_MIX_PUBLISHES, _MIX_DATABASE)),
    Program("rebar3", tables=(_REBAR3_PUBLISHES,)),
    Program("dart flutter", tables=(_DART_PUBLISHES,)),
    Program("pod", tables=(_POD_PUBLISHES,)),
    Program("luarocks conan fez", tables=(_LUAROCKS_PUBLISHES,)),
    Program("elm nimble opam mcp-publisher", tables=(_ELM_PUBLISHES,)),
    Program("ansible-galaxy", tables=(_ANSIBLE_GALAXY_PUBLISHES,)),
    Program("goreleaser", tables=(_GORELEASER_PUBLISHES,)),
    Program("crane", tables=(_CRANE_PUBLISHES,)),
    Program(
        "skopeo",
        checks=(Check("skopeo.push", "publishes", "pushes or deletes an image of a registry"),),
    ),
    Program("oras", tables=(_ORAS_PUBLISHES,)),
    Program("cap", tables=(_CAP_PUBLISHES,)),
    Program("fastlane", tables=(_FASTLANE_PUBLISHES,)),
    Program("deployctl", tables=(_DEPLOYCTL_PUBLISHES,)),
)
