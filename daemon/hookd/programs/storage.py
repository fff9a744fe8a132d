"""Object stores and backups: rclone, s3cmd, mc, restic, borg, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Program, Rule, Table

_OBJECTS = "deletes objects of a store"


def _objects(program: str) -> Table:
    """Return the rules of a client of object stores."""
    return Table(
        "cloud",
        (
            Rule(
                f"{program}.rb-recursive",
                "rb|del|rm|delete-bucket|remove",
                "deny",
                _OBJECTS,
                flags="-r --recursive --force --all",
            ),
            Rule(f"{program}.rb", "rb|delete-bucket", "deny", _OBJECTS),
            Rule(
                f"{program}.sync-delete",
                "sync|mirror",
                "ask",
                _OBJECTS,
                flags="--delete --delete-removed --remove",
            ),
            Rule(f"{program}.del", "del|rm|remove", "ask", _OBJECTS),
        ),
    )


_MC_CLOUD = _objects("mc")
_RCLONE_CLOUD = Table(
    "cloud",
    (
        Rule("rclone.purge", "purge|delete", "deny", _OBJECTS, "`--dry-run` shows which."),
        Rule(
            "rclone.sync",
            "sync|deletefile|rmdirs|cleanup",
            "ask",
            _OBJECTS,
            "`--dry-run` shows which.",
        ),
    ),
    harmless=("-n", *DRY_RUN_FLAGS),
)
_RESTIC_CLOUD = Table(
    "cloud",
    (
        Rule(
            "restic.forget",
            "forget|prune|delete",
            "ask",
            "deletes backups",
            "`--dry-run` shows which.",
        ),
        Rule("restic.backup-delete", "backup|snapshot delete", "ask", "deletes backups"),
    ),
    harmless=("-n", *DRY_RUN_FLAGS),
)

PROGRAMS = (
    Program("s3cmd", "sends", (_objects("s3cmd"),), uploads=("put", "sync")),
    Program("s5cmd b2 azcopy", tables=(_objects("s5cmd"),)),
    Program("mcli", tables=(_MC_CLOUD,)),
    Program("mc", tables=(_MC_CLOUD,), uploads=("cp", "mirror")),
    Program(
        "rclone", "sends", (_RCLONE_CLOUD,), uploads=("copy", "copyto", "move", "moveto", "sync")
    ),
    Program("restic borg kopia velero duplicity", tables=(_RESTIC_CLOUD,)),
)
