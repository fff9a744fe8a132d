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
    Program(
        (
            "task invoke inv mage ant grunt gulp turbo moon bazel bazelisk buck buck2 pants doit"
            " tusk lefthook husky pre-commit lint-staged"
        ),
        "local-tool",
    ),
    Program(
        (
            "nvm n sdk jenv goenv tfenv tfswitch phpenv frum fnm proto rvm chruby jabba gvm ghcup"
            " juliaup swiftly xcodes pixi spack scoop choco krew vcpkg bower pecl cpan cpanm raco"
            " guix emerge"
        ),
        "local-tool",
    ),
    Program(
        (
            "zellij byobu tmuxinator tmuxp zoxide autojump atuin chezmoi stow ghq gt wt git-lfs"
            " ccache sccache jupyter ng nest vue storybook cypress playwright adb avdmanager"
            " sdkmanager timew act"
        ),
        "local-tool",
    ),
    Program(
        "rga ast-grep comby semgrep mdq xq htmlq pup fx gron mlr xsv qsv csvgrep csvsql espeak-ng",
        "takes-text",
    ),
)
