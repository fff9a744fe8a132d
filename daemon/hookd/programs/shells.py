"""Shells and their builtins: bash, eval, cd, export, read, ..."""

from hookd.programs.model import Check, Options, Program

PROGRAMS = (
    Program("sh bash zsh dash ksh ash mksh rbash lksh yash fish", "shell"),
    Program(
        ": test [ [[ true false return exit type which whereis", "prints-nothing plain takes-text"
    ),
    Program(". source", "evaluates sets-names"),
    Program("eval", "prints-nothing writes-nothing evaluates may-start sets-names"),
    Program("exec", "prints-nothing evaluates", wraps=Options(values="a", flags="cl")),
    Program("builtin", "prints-nothing prefix", wraps=Options()),
    Program(
        "command",
        "prints-nothing plain takes-text narrow-wrapper prefix",
        wraps=Options(flags="pvV"),
    ),
    Program("- noglob nocorrect", "prefix", wraps=Options()),
    Program("cd chdir pushd popd", "prints-nothing plain changes-folder"),
    Program("dirs shopt break continue fg bg disown umask ulimit times tput clear reset", "plain"),
    Program("z", "prints-nothing changes-folder"),
    Program("pwd unalias", "prints-nothing plain"),
    Program("set", "prints-nothing prints-variables plain is-subcommand"),
    Program("unset", "prints-nothing plain sets-variables"),
    Program(
        "export declare typeset readonly",
        "prints-nothing prints-variables plain takes-text sets-variables assigns",
    ),
    Program("local", "prints-nothing plain takes-text sets-variables assigns"),
    Program("read let trap", "prints-nothing plain takes-text sets-variables"),
    Program("readarray mapfile", "prints-nothing wraps sets-variables"),
    Program("getopts vared float integer", "sets-variables"),
    Program("alias", "prints-nothing plain sets-names"),
    Program("wait", "plain sets-variables"),
    Program("shift", "prints-nothing"),
    Program("hash", "prints-nothing plain takes-text sets-names"),
    Program("enable autoload emulate", "sets-names"),
    Program(
        "history",
        "prints-variables plain takes-text",
        checks=(Check("history.delete", "deletes", "deletes commands from the shell's history"),),
    ),
    Program("fc", "prints-variables plain takes-text"),
    Program("whatis", "takes-text"),
    Program("bind", "wraps"),
    Program("compgen complete", "prints-nothing wraps"),
    Program("jobs", "plain wraps"),
    Program("repeat", "prefix", wraps=Options(operands=1)),
    Program("coproc", "wraps narrow-wrapper prefix"),
    Program("time", "writes-nothing wraps narrow-wrapper prefix"),
)
