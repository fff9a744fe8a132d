"""Programs that run another one: sudo, env, xargs, timeout, tmux, ..."""

from hookd.programs.model import Check, Options, Program, Rule, Table

_CONFIGURED = "prints variables of the deployment with their values"
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."

_TMUX_SECRETS = Table(
    "secrets",
    (
        Rule("tmux.show-environment", "show-environment", "ask", _CONFIGURED, _IN_PLACE),
        Rule("tmux.showenv", "showenv", "ask", _CONFIGURED, _IN_PLACE),
    ),
)

PROGRAMS = (
    Program(
        "sudo",
        "isolates",
        folder="-D",
        wraps=Options(
            values="ugpChTUrtDR",
            flags="ABbEeHiKklnPSsVv",
            names=(
                "--user --group --prompt --chdir --host --chroot --role --type --close-from"
                " --other-user"
            ),
            assigns=True,
        ),
    ),
    Program("doas", "isolates", wraps=Options(values="uCa", flags="Lns", assigns=True)),
    Program(
        "env",
        "plain assigns",
        folder="-C",
        wraps=Options(values="uCP", flags="i0v", names="--unset --chdir", assigns=True),
    ),
    Program("genv", folder="-C"),
    Program("nohup", "writes-nothing", wraps=Options()),
    Program("nice", wraps=Options(values="n", flags="0123456789", names="--adjustment")),
    Program(
        "ionice",
        wraps=Options(values="cnpPu", flags="t", names="--class --classdata --pid --pgid --uid"),
    ),
    Program("stdbuf", wraps=Options(values="ioe", names="--input --output --error")),
    Program("setsid", wraps=Options(flags="cfw")),
    Program(
        "timeout",
        "writes-nothing",
        wraps=Options(values="ks", flags="vfp", names="--kill-after --signal", operands=1),
    ),
    Program(
        "gtimeout",
        wraps=Options(values="ks", flags="vfp", names="--kill-after --signal", operands=1),
    ),
    Program("chroot", "isolates", wraps=Options(operands=1)),
    Program("busybox toybox", wraps=Options()),
    Program(
        (
            "coreutils strace ltrace taskset chrt systemd-run systemd-inhibit pkexec run0"
            " fakeroot xvfb-run dbus-run-session dbus-launch setarch linux32 linux64 arch"
            " caffeinate unbuffer rlwrap numactl gosu su-exec setpriv capsh prlimit cpulimit"
            " torsocks proxychains proxychains4 ts chronic ifne softlimit daemonize"
            " start-stop-daemon runcon sem rush choom catchsegv ld-linux-x86-64.so.2"
            " ld-linux-aarch64.so.1 ld-linux.so.2 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1"
        ),
        "wraps",
    ),
    Program("unshare nsenter su runuser", "wraps runs-input isolates"),
    Program("flock script", "wraps opens-own-file"),
    Program("xargs", "narrows writes-nothing runs-listed may-start"),
    Program("gxargs", "writes-nothing runs-listed"),
    Program("parallel", "writes-nothing wraps runs-input runs-listed may-start"),
    Program("proot bwrap firejail", "wraps isolates"),
    Program(
        "tmux",
        "writes-nothing wraps may-start",
        (_TMUX_SECRETS,),
        checks=(Check("tmux.kill-server", "kills", "ends all windows of tmux"),),
    ),
    Program("screen", "writes-nothing wraps may-start"),
    Program("perf valgrind", "wraps passes-words"),
    Program("gdb", "wraps passes-words may-run"),
    Program("lldb", "may-run"),
    Program("sg newgrp", "wraps runs-input"),
    Program("at batch", "writes-nothing wraps runs-input may-start"),
    Program("watch", "writes-nothing may-start"),
    Program("sleep", "prints-nothing plain"),
    Program("systemd-nspawn", "isolates", mounts="--bind"),
    Program("fakechroot", "isolates"),
)
