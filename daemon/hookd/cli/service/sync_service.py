"""Service of the sync process, beside the daemon's: of a host in a fleet of many hosts."""

from hookd import paths
from hookd.cli.fleet.sync_process import end_sync, start_sync
from hookd.cli.install import settings_file
from hookd.cli.service import managers, unit_files
from hookd.cli.service.managers import Host, ManagerError
from hookd.cli.service.units import Standing, standing

_BASE = "hookd-sync"


def sync_host(kind: str | None = None) -> Host:
    """Return the service manager of the sync process."""
    return managers.host(kind, _BASE)


def install_sync(kind: str | None = None) -> bool:
    """Install the service and start it, if this host is in a fleet; return whether it is.

    Raise ManagerError if the service manager refuses, Problem for a file that is not hookd's.
    """
    places = paths.paths()
    if not places.credential.exists():
        return False
    draft = unit_files.sync_draft(sync_host(kind))
    draft.check()
    draft.write()
    end_sync(places)  # begun by `hookd start`
    draft.host.enable(renewed=draft.differs)
    draft.host.start(renewed=draft.differs)
    return True


def remove_sync(kind: str | None = None) -> bool:
    """End the service, and remove its file; return whether there was one of hookd's."""
    draft = unit_files.sync_draft(sync_host(kind))
    if draft.standing is not Standing.OURS:
        return False
    try:
        draft.host.disable()
    except ManagerError:
        end_sync(paths.paths())
    draft.remove()
    return True


def begin_sync() -> None:
    """Start the sync process of a host in a fleet: by its service, else in the background."""
    host = sync_host()
    if _is_ours(host):
        try:
            if not host.look().active:
                host.start(renewed=False)
        except ManagerError:
            pass
        else:
            return
    start_sync(paths.paths())


def follow_membership(*, joined: bool) -> None:
    """Begin to send after a join, by a service if the daemon has one; end that after leaving."""
    if not joined:
        remove_sync()  # first: a service would start the process again
        end_sync(paths.paths())
        return
    end_sync(paths.paths())
    if _is_ours(managers.host()):
        try:
            install_sync()
        except ManagerError:
            start_sync(paths.paths())
        return
    start_sync(paths.paths())


def _is_ours(host: Host) -> bool:
    return standing(settings_file.contents(host.file)) is Standing.OURS
