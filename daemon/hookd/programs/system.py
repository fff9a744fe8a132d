"""Processes, services, accounts and settings of the machine: kill, systemctl, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Program, Rule, Table

_SYSTEMCTL_SECRETS = Table(
    "secrets",
    (
        Rule(
            "systemctl.show-environment",
            "show-environment",
            "ask",
            "prints variables of the deployment with their values",
            "Pass the value to the program by a pipe that prints nothing.",
        ),
    ),
)
_DEFAULTS_DELETES = Table(
    "deletes",
    (
        Rule(
            "defaults.delete",
            "delete|remove",
            "ask",
            "deletes settings of programs",
            "`defaults export` makes a copy.",
        ),
    ),
    harmless=(
        *DRY_RUN_FLAGS,
        "-s",
        "--simulate",
        "--just-print",
        "--assume-no",
        "--assumeno",
        "-n",
        "-p",
    ),
)
_GRUB_INSTALL_OUTSIDE = Table(
    "outside",
    (Rule("grub-install.install", "*", "ask", "changes how the machine boots"),),
    harmless=(
        *DRY_RUN_FLAGS,
        "-s",
        "--simulate",
        "--just-print",
        "--assume-no",
        "--assumeno",
        "-n",
        "-p",
    ),
)

PROGRAMS = (
    Program("kill", "writes-nothing is-subcommand"),
    Program("pkill killall loginctl", "writes-nothing"),
    Program(
        "killall5 xkill slay fkill taskkill rc-service initctl supervisorctl update-rc.d"
        " chkconfig pm2 telinit sysctl modprobe rmmod insmod passwd usermod userdel deluser"
        " useradd adduser groupmod groupdel gpasswd chsh dscl setcap setenforce spctl csrutil"
        " efibootmgr"
    ),
    Program("skill stop-process shutdown reboot halt poweroff init", "is-subcommand"),
    Program("pgrep pidof", "plain lists-processes"),
    Program("lsof", "writes-nothing lists-processes"),
    Program("fuser", "lists-processes"),
    Program("ps top htop free uptime uname hostname id whoami groups journalctl printenv", "plain"),
    Program("getent", "plain looks-up"),
    Program("systemctl", "prints-nothing writes-nothing", (_SYSTEMCTL_SECRETS,)),
    Program("service", "prints-nothing writes-nothing is-subcommand"),
    Program("launchctl", "prints-nothing writes-nothing"),
    Program("crontab", "writes-nothing may-start"),
    Program("visudo", "prints-nothing"),
    Program("chpasswd", "prints-nothing keeps-input"),
    Program("defaults", "sets-preferences", (_DEFAULTS_DELETES,)),
    Program("grub-install grub2-install", tables=(_GRUB_INSTALL_OUTSIDE,)),
    Program("plistbuddy profiles reg", "sets-preferences"),
    Program("man", "prints-nothing plain may-start takes-text", runs="-P --pager"),
    Program("info tldr say", "plain takes-text"),
    Program(
        (
            "apropos cheat explainshell write espeak dialog whiptail zenity kdialog gum toilet"
            " banner xsel"
        ),
        "takes-text",
    ),
    Program("logger wall figlet cowsay", "prints-words takes-text"),
    Program("notify-send", "prints-words plain takes-text"),
    Program("pbcopy", "keeps-input takes-text"),
    Program("xclip wl-copy", "shows keeps-input takes-text"),
)
