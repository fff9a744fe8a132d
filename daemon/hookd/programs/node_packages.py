"""Package managers and registries of JavaScript: npm, pnpm, yarn, bun, npx, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Launch, Program, Rule, Table

_FOR_GOOD = "publishes a version permanently"
_TRY = "If the program has `--dry-run`, it shows what would be published."
_MOVES_TAG = "changes the version that users install"
_TAGS = "`npm dist-tag ls` shows the tags."
_RETRACTS = "withdraws a version that others may use"
_OWNERS = "changes who may publish, or see, a package"
_DEPLOYS = "deploys to production"

_NPM_PUBLISHES = Table(
    "publishes",
    (
        # npm takes every unambiguous abbreviation.
        Rule("npm.publish-abbreviated", "pu|pub|publ|publi|publis", "deny", _FOR_GOOD, _TRY),
        Rule(
            "npm.unpublish-abbreviated", "unp|unpu|unpub|unpubl|unpubli|unpublis", "deny", _RETRACTS
        ),
        Rule("npm.token-revoke", "token revoke|delete|rm", "ask", "withdraws a token"),
        Rule("npm.publish", "publish", "deny", _FOR_GOOD, _TRY),
        Rule("npm.yarn-npm-publish", "npm publish", "deny", _FOR_GOOD, _TRY),
        Rule(
            "npm.recursive-publish",
            "recursive|workspace|workspaces ** publish",
            "deny",
            _FOR_GOOD,
            _TRY,
        ),
        Rule("npm.unpublish", "unpublish", "deny", _RETRACTS),
        Rule("npm.deprecate", "deprecate", "ask", _RETRACTS),
        Rule("npm.dist-tag-add", "dist-tag|dist-tags add", "ask", _MOVES_TAG, _TAGS),
        Rule("npm.dist-tag-rm", "dist-tag|dist-tags rm", "ask", _RETRACTS),
        Rule("npm.owner-add", "owner|author add|rm|remove", "ask", _OWNERS),
        Rule("npm.access-grant", "access grant|revoke|public|restricted|set|edit", "ask", _OWNERS),
    ),
)
_NPM_SECRETS = Table(
    "secrets",
    (
        Rule(
            "npm.token-create",
            "token create",
            "ask",
            "prints a token",
            "Pass the value to the program by a pipe that prints nothing.",
        ),
    ),
)
_PNPM_PUBLISHES = Table(
    "publishes",
    (
        Rule("pnpm.publish", "publish", "deny", _FOR_GOOD, _TRY),
        Rule("pnpm.npm-publish", "npm publish", "deny", _FOR_GOOD, _TRY),
        Rule(
            "pnpm.recursive-publish",
            "recursive|workspace|workspaces ** publish",
            "deny",
            _FOR_GOOD,
            _TRY,
        ),
        Rule("pnpm.unpublish", "unpublish", "deny", _RETRACTS),
        Rule("pnpm.deprecate", "deprecate", "ask", _RETRACTS),
        Rule("pnpm.dist-tag-add", "dist-tag|dist-tags add", "ask", _MOVES_TAG, _TAGS),
        Rule("pnpm.dist-tag-rm", "dist-tag|dist-tags rm", "ask", _RETRACTS),
        Rule("pnpm.owner-add", "owner|author add|rm|remove", "ask", _OWNERS),
        Rule("pnpm.access-grant", "access grant|revoke|public|restricted|set|edit", "ask", _OWNERS),
    ),
)
_LERNA_PUBLISHES = Table("publishes", (Rule("lerna.publish", "publish", "deny", _FOR_GOOD, _TRY),))
_NX_PUBLISHES = Table(
    "publishes",
    (Rule("nx.release", "release", "deny", _FOR_GOOD, _TRY),),
    harmless=(*DRY_RUN_FLAGS, "-d", "--skip-publish"),
)
_GH_PAGES_PUBLISHES = Table(
    "publishes", (Rule("gh-pages.dist", "", "ask", _DEPLOYS, flags="-d --dist"),)
)
_VSCE_PUBLISHES = Table(
    "publishes",
    (
        Rule("vsce.publish", "publish", "deny", _FOR_GOOD),
        Rule("vsce.unpublish", "unpublish", "deny", _RETRACTS),
    ),
)
_WEB_EXT_PUBLISHES = Table(
    "publishes", (Rule("web-ext.sign", "sign", "ask", "publishes an extension in its store"),)
)
_EXPO_PUBLISHES = Table(
    "publishes",
    (
        Rule("expo.submit", "submit", "ask", _DEPLOYS, _TRY),
        Rule("expo.publish", "publish", "ask", _DEPLOYS, _TRY),
        Rule("expo.update", "update", "ask", _DEPLOYS, _TRY),
        Rule("expo.deploy", "deploy", "ask", _DEPLOYS, _TRY),
        Rule("expo.upload", "upload", "ask", _DEPLOYS, _TRY),
    ),
)

PROGRAMS = (
    Program(
        "npm",
        "installs",
        (_NPM_PUBLISHES, _NPM_SECRETS),
        launch=Launch("exec x", "-c --call -p --package -w --workspace --prefix -C --loglevel"),
    ),
    Program("pnpm yarn", "wraps passes-words runs-first-word runs-after-verb", (_PNPM_PUBLISHES,)),
    Program(
        "bun",
        tables=(_PNPM_PUBLISHES,),
        launch=Launch("x run", "--cwd --env-file --config -r --preload"),
        language="js",
    ),
    Program("cnpm", tables=(_PNPM_PUBLISHES,)),
    Program("lerna changeset jsr", tables=(_LERNA_PUBLISHES,)),
    Program("nx", tables=(_NX_PUBLISHES,)),
    Program("np semantic-release release-it"),
    Program("npx bunx", "wraps passes-words runs-first-word runs-after-verb has-no-verbs"),
    Program("corepack", launch=Launch("", "")),
    Program("volta", launch=Launch("run", "--node --npm --yarn --pnpm")),
    Program("nodenv", launch=Launch("exec", "")),
    Program("gh-pages", tables=(_GH_PAGES_PUBLISHES,)),
    Program("vsce ovsx", tables=(_VSCE_PUBLISHES,)),
    Program("web-ext", tables=(_WEB_EXT_PUBLISHES,)),
    Program("expo eas", "service", (_EXPO_PUBLISHES,)),
)
