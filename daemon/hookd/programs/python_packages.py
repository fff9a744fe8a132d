"""Package managers and registries of Python: pip, uv, poetry, twine, ..."""

from hookd.programs.model import Launch, Program, Rule, Table

_FOR_GOOD = "publishes a version permanently"
_TRY = "If the program has `--dry-run`, it shows what would be published."
_DEPLOYS = "deploys to production"

_UV_PUBLISHES = Table("publishes", (Rule("uv.publish", "publish", "deny", _FOR_GOOD, _TRY),))
_FLIT_PUBLISHES = Table("publishes", (Rule("flit.publish", "publish", "deny", _FOR_GOOD, _TRY),))
_HATCH_PUBLISHES = Table("publishes", (Rule("hatch.publish", "publish", "deny", _FOR_GOOD, _TRY),))
_TWINE_PUBLISHES = Table("publishes", (Rule("twine.upload", "upload", "deny", _FOR_GOOD, _TRY),))
_MATURIN_PUBLISHES = Table(
    "publishes",
    (
        Rule("maturin.publish", "publish", "deny", _FOR_GOOD, _TRY),
        Rule("maturin.upload", "upload", "deny", _FOR_GOOD, _TRY),
    ),
)
_SETUP_PY_PUBLISHES = Table(
    "publishes", (Rule("setuptools.upload", "** upload", "deny", _FOR_GOOD, _TRY),)
)
_HUGGINGFACE_CLI_PUBLISHES = Table(
    "publishes",
    (
        Rule("huggingface-cli.upload", "upload", "ask", _DEPLOYS, _TRY),
        Rule("huggingface-cli.upload-large-folder", "upload-large-folder", "ask", _DEPLOYS, _TRY),
    ),
)
_HUGGINGFACE_CLI_DATABASE = Table(
    "database",
    (Rule("huggingface-cli.repo-delete", "repo delete", "deny", "deletes a repository"),),
)
_MKDOCS_PUBLISHES = Table(
    "publishes", (Rule("mkdocs.gh-deploy", "gh-deploy", "ask", _DEPLOYS, _TRY),)
)

PROGRAMS = (
    Program("pip pip3 virtualenv easy_install", "installs"),
    Program(
        "pipx", "installs", launch=Launch("run", "--spec --python --pip-args --index-url -i --with")
    ),
    Program("uv poetry pdm", "wraps passes-words runs-after-verb installs", (_UV_PUBLISHES,)),
    Program("uvx", "wraps passes-words runs-first-word runs-after-verb has-no-verbs"),
    Program("twine", tables=(_TWINE_PUBLISHES,)),
    Program("flit", tables=(_FLIT_PUBLISHES,)),
    Program("hatch rye", "wraps passes-words runs-after-verb", (_HATCH_PUBLISHES,)),
    Program("maturin", tables=(_MATURIN_PUBLISHES,)),
    Program("setup.py", tables=(_SETUP_PY_PUBLISHES,)),
    Program("pipenv", "wraps passes-words runs-after-verb"),
    Program("pyenv", launch=Launch("exec", "")),
    Program(
        "huggingface-cli hf", "service", (_HUGGINGFACE_CLI_PUBLISHES, _HUGGINGFACE_CLI_DATABASE)
    ),
    Program("mkdocs", tables=(_MKDOCS_PUBLISHES,)),
)
