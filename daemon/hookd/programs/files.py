"""Programs for files and folders: cp, mv, ln, rsync, dd, chmod, ls, ..."""

from hookd.programs.model import Check, Program

_MV_CHECKS = (
    Check("mv.away", "outside", "moves files away from outside of the project"),
    Check("mv.repository", "history", "moves a repository away"),
    Check("mv.lose", "deletes", "moves files to /dev/null, or the project to a temporary folder"),
)
_RSYNC_CHECKS = (
    Check("rsync.delete", "deletes", "deletes files at the target, or moves the sources"),
    Check("rsync.delete-remote", "deletes", "deletes files on another host"),
)
_CHMOD_CHECKS = (
    Check("chmod.mode", "permissions", "changes permissions widely, or outside of the project"),
    Check("chmod.setuid", "permissions", "lets all users run a program with its owner's rights"),
)
_CHOWN_CHECKS = (
    Check("chown.owner", "permissions", "changes the owner of files outside of the project"),
)
_CHATTR_CHECKS = (
    Check("chattr.attributes", "permissions", "changes attributes of files outside of the project"),
)

PROGRAMS = (
    Program("cp gcp", "copies copies-files"),
    Program("mv gmv", "copies links replaces", checks=_MV_CHECKS),
    Program("ln gln", "copies links replaces"),
    Program("link", "links replaces is-subcommand"),
    Program(
        "install",
        "copies copies-files replaces is-subcommand",
        values="-m -o -g --mode --owner --group",
    ),
    Program("ginstall", "copies", values="-m -o -g --mode --owner --group"),
    Program(
        "rsync",
        "copies replaces",
        checks=_RSYNC_CHECKS,
        values="-e -f --rsh --exclude --include --filter --files-from",
        opens="--log-file --backup-dir --partial-dir -T --temp-dir",
        runs="-e --rsh --rsync-path",
    ),
    Program("scp", "copies", values="-i -P -F -J -c -l -o -S", runs="-S"),
    Program("sftp", "may-run sends", runs="-S"),
    Program(
        "touch mktemp fallocate sponge patch chflags xattr la md5 sha384sum open xdg-open",
        "prints-nothing",
    ),
    Program("mkdir", "prints-nothing makes-folders changes-in-place"),
    Program("mkfifo", "changes-in-place"),
    Program("mknod gtee"),
    Program("dd dcfldd gdd", checks=(Check("dd.device", "disk", "overwrites a device"),)),
    Program("rename prename file-rename mmv zmv qmv", "renames"),
    Program("tee", "repeats prints-nothing takes-text"),
    Program("split", "shows", runs="--filter"),
    Program("csplit", "shows", saves="-f --prefix"),
    Program(
        "chmod", "prints-nothing sets-modes changes-in-place changes-tree", checks=_CHMOD_CHECKS
    ),
    Program("gchmod", checks=_CHMOD_CHECKS),
    Program(
        "chown chgrp",
        "prints-nothing sets-modes changes-in-place changes-tree",
        checks=_CHOWN_CHECKS,
    ),
    Program("gchown gchgrp", checks=_CHOWN_CHECKS),
    Program(
        "chattr", "prints-nothing sets-modes changes-in-place changes-tree", checks=_CHATTR_CHECKS
    ),
    Program(
        "setfacl",
        "prints-nothing sets-modes changes-in-place changes-tree",
        checks=(
            Check(
                "setfacl.rights",
                "permissions",
                "changes permissions widely, or outside of the project",
            ),
        ),
    ),
    Program("setfattr", "changes-tree"),
    Program(
        (
            "getfacl ll lsd stat file du df ncdu md5sum sha1sum sha224sum sha256sum sha512sum"
            " shasum b2sum cksum sum"
        ),
        "prints-nothing plain",
    ),
    Program("icacls", checks=_CHATTR_CHECKS),
    Program("lsattr mdfind", "plain"),
    Program("ls", "prints-words prints-nothing prints-names plain takes-text"),
    Program("exa eza tree realpath readlink", "prints-nothing plain takes-text"),
    Program("basename dirname", "prints-words prints-nothing plain takes-text"),
    Program("locate", "prints-nothing prints-names plain takes-text"),
)
