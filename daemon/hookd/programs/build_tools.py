"""Build tools, tests, linters and watchers: make, pytest, eslint, entr, ..."""

from hookd.programs.model import Program

PROGRAMS = (
    Program("make gmake", "prints-nothing", runs="--eval -E"),
    Program(
        (
            "just ninja dotenv-linter fswatch watchman inotifywait foreman honcho overmind"
            " hivemind packer"
        ),
        "prints-nothing",
    ),
    Program("cmake eslint prettier biome markdownlint"),
    Program("go", "single-dash", runs="-exec -toolexec"),
    Program("java", "single-dash"),
    Program(
        "jest vitest mocha ava rspec phpunit pytest tox nox ctest shfmt bashate checkbashisms",
        "takes-text",
    ),
    Program("shellcheck", "plain takes-text"),
    Program("yamllint", "prints-nothing plain"),
    Program("jsonlint actionlint hadolint tokei cloc scc", "plain"),
    Program("nodemon entr", "prints-nothing wraps"),
    Program("watchexec concurrently hyperfine multitime", "wraps"),
    Program("cpp", "shows"),
)
