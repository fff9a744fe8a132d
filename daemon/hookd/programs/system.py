"""Processes, services, accounts and settings of the machine: kill, systemctl, ..."""

from hookd.programs.model import SIMULATION_FLAGS, Check, Program, Rule, Table

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
    harmless=SIMULATION_FLAGS,
)
_GRUB_INSTALL_OUTSIDE = Table(
    "outside",
    (Rule("grub-install.install", "*", "ask", "changes how the machine boots"),),
    harmless=SIMULATION_FLAGS,
)
_KILL_CHECKS = (
    Check("kill.many", "kills", "ends processes that the text does not name"),
    Check("kill.all", "kills", "ends every process, or the first of the system"),
)
_PKILL_CHECKS = (Check("pkill.by-name", "kills", "ends processes by a name that many have"),)
_SERVICE_CHECKS = (Check("service.stop", "kills", "stops a service"),)
_SHUTDOWN_CHECKS = (Check("shutdown.machine", "kills", "ends or restarts the machine"),)
_CRONTAB_CHECKS = (
    Check("crontab.delete", "deletes", "deletes all jobs of the user's crontab"),
    Check("crontab.replace", "outside", "replaces the user's crontab"),
)
_PASSWD_CHECKS = (Check("passwd.account", "permissions", "changes accounts, passwords or groups"),)

PROGRAMS = (
    Program("kill", "writes-nothing is-subcommand", checks=_KILL_CHECKS),
    Program("pkill killall", "writes-nothing", checks=_PKILL_CHECKS),
    Program("killall5 xkill slay fkill taskkill", checks=_PKILL_CHECKS),
    Program("skill stop-process", "is-subcommand", checks=_PKILL_CHECKS),
    Program("pgrep pidof", "plain lists-processes"),
    Program("lsof", "writes-nothing lists-processes"),
    Program("fuser", "lists-processes"),
    Program("ps top htop free uptime uname hostname id whoami groups printenv", "plain"),
    Program(
        "journalctl",
        "plain",
        checks=(Check("journalctl.vacuum", "deletes", "deletes logs of the machine"),),
    ),
    Program("getent", "plain looks-up"),
    Program(
        "systemctl",
        "prints-nothing writes-nothing",
        (_SYSTEMCTL_SECRETS,),
        checks=(Check("systemctl.stop", "kills", "stops a unit, or the machine"),),
    ),
    Program("service", "prints-nothing writes-nothing is-subcommand", checks=_SERVICE_CHECKS),
    Program("rc-service initctl supervisorctl update-rc.d chkconfig pm2", checks=_SERVICE_CHECKS),
    Program("launchctl", "prints-nothing writes-nothing", checks=_SERVICE_CHECKS),
    Program("loginctl", "writes-nothing", checks=(Check("loginctl.end", "kills", "ends a login"),)),
    Program("shutdown reboot halt poweroff init", "is-subcommand", checks=_SHUTDOWN_CHECKS),
    Program("telinit", checks=_SHUTDOWN_CHECKS),
    Program("crontab", "writes-nothing may-start", checks=_CRONTAB_CHECKS),
    Program(
        "sysctl modprobe rmmod insmod",
        checks=(Check("sysctl.kernel", "outside", "changes the kernel"),),
    ),
    Program("visudo", "prints-nothing", checks=_PASSWD_CHECKS),
    Program(
        "passwd usermod userdel deluser useradd adduser groupmod groupdel gpasswd chsh dscl",
        checks=_PASSWD_CHECKS,
    ),
    Program("chpasswd", "prints-nothing keeps-input", checks=_PASSWD_CHECKS),
    Program(
        "setcap",
        checks=(Check("setcap.rights", "permissions", "gives a program rights of the system"),),
    ),
    Program(
        "setenforce spctl csrutil",
        checks=(
            Check("csrutil.protection", "permissions", "changes the protection of the system"),
        ),
    ),
    Program("defaults", "sets-preferences", (_DEFAULTS_DELETES,)),
    Program("grub-install grub2-install", tables=(_GRUB_INSTALL_OUTSIDE,)),
    Program(
        "efibootmgr", checks=(Check("efibootmgr.boot", "disk", "changes how the machine boots"),)
    ),
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
