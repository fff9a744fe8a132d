"""The table of all faults: what each is called, what brings it about, how long it may take."""

from collections.abc import Callable
from dataclasses import dataclass

from faults import (
    claims,
    database,
    disk,
    homes,
    hung,
    mails,
    sockets,
    start,
    unanswered,
    worlds,
)
from faults.scene import Scene, Told


@dataclass(frozen=True)
class Fault:
    """One way of failing. `bring` brings it about and sees what comes of it; its docstring is the
    promise. Those that are `slow` are left to `make faults`."""

    group: str
    name: str
    bring: Callable[[Scene], Told]
    slow: bool = False

    @property
    def promise(self) -> str:
        """The expected outcome."""
        return " ".join((self.bring.__doc__ or "").split())


START, FOUND, DISK = "start and sudden end", "socket, lock and number", "disk"
DATABASE, TIME, PLACE = "database", "hung, or slow", "version, clock and place"
ALONE = "no verdict, secrets, waiting texts"

FAULTS = (
    Fault(START, "10 cold hooks at once", start.ten_cold, slow=True),
    Fault(START, "50 cold hooks at once", start.fifty_cold, slow=True),
    Fault(START, "200 cold hooks at once", start.two_hundred_cold, slow=True),
    Fault(START, "kill -9, idle", start.killed_idle, slow=True),
    Fault(START, "kill -9, a call in flight", start.killed_with_a_call_in_flight),
    Fault(
        START, "kill -9, a user's hook runs", start.killed_while_a_hook_of_the_users_runs, slow=True
    ),
    Fault(START, "kill -9, as it starts", start.killed_while_it_starts, slow=True),
    Fault(START, "kill -9, as it migrates", start.killed_while_it_migrates, slow=True),
    Fault(START, "kill -9, as it ends", start.killed_while_it_ends, slow=True),
    Fault(START, "kill -9, with ten hooks waiting", start.killed_before_waiting_hooks, slow=True),
    Fault(START, "kill -9, agents claim the same", claims.killed_in_a_claim, slow=True),
    Fault(START, "kill -9, agents release", claims.killed_in_a_release, slow=True),
    Fault(
        START,
        "kill -9 of the hook that starts it",
        start.shim_killed_while_it_starts_one,
        slow=True,
    ),
    Fault(START, "kill -9, mail is sent", mails.killed_while_mail_is_sent, slow=True),
    Fault(START, "kill -9, mail is delivered", mails.killed_while_mail_is_delivered, slow=True),
    Fault(FOUND, "socket deleted", sockets.socket_deleted, slow=True),
    Fault(FOUND, "socket's folder deleted", sockets.folder_deleted, slow=True),
    Fault(FOUND, "lock deleted", sockets.lock_deleted, slow=True),
    Fault(FOUND, "lock and socket deleted", sockets.lock_and_socket_deleted, slow=True),
    Fault(FOUND, "number deleted", sockets.number_deleted, slow=True),
    Fault(FOUND, "number is another process's", sockets.number_of_another, slow=True),
    Fault(FOUND, "stale socket, lock and number", sockets.stale_files, slow=True),
    Fault(FOUND, "stale mark of a start", sockets.stale_start, slow=True),
    Fault(FOUND, "stale mark with a foreign process id", sockets.stale_start_of_another, slow=True),
    Fault(FOUND, "a foreign file in the socket's place", sockets.file_in_its_place, slow=True),
    Fault(FOUND, "a folder in the socket's place", sockets.folder_in_its_place, slow=True),
    Fault(FOUND, "a dead socket in its place", sockets.socket_replaced, slow=True),
    Fault(
        FOUND,
        "a foreign program listens, answers nonsense",
        sockets.foreign_program_with_nonsense,
        slow=True,
    ),
    Fault(
        FOUND, "a foreign program listens, in silence", sockets.silent_foreign_program, slow=True
    ),
    Fault(
        FOUND, "200 connections that say nothing", sockets.connections_that_say_nothing, slow=True
    ),
    Fault(DISK, "disk full", disk.full),
    Fault(DISK, "disk full before it starts", disk.full_before_it_starts, slow=True),
    Fault(DISK, "files cannot grow", disk.file_cannot_grow, slow=True),
    Fault(DISK, "disk read-only", disk.read_only, slow=True),
    Fault(DISK, "no descriptor left", disk.out_of_descriptors, slow=True),
    Fault(DATABASE, "locked by another program", database.locked, slow=True),
    Fault(DATABASE, "locked before it starts", database.locked_before_it_starts, slow=True),
    Fault(DATABASE, "header overwritten", database.header_overwritten, slow=True),
    Fault(DATABASE, "middle overwritten", database.middle_overwritten, slow=True),
    Fault(DATABASE, "overwritten while it serves", database.damaged_while_it_serves, slow=True),
    Fault(DATABASE, "write-ahead log overwritten", database.log_overwritten, slow=True),
    Fault(DATABASE, "emptied", database.emptied, slow=True),
    Fault(DATABASE, "deleted while it serves", database.deleted_while_it_serves, slow=True),
    Fault(DATABASE, "of a newer hookd", database.from_tomorrow, slow=True),
    Fault(TIME, "hung (SIGSTOP)", hung.hung),
    Fault(TIME, "hung, failing closed", hung.hung_and_closed, slow=True),
    Fault(TIME, "hung, under ten hooks", hung.hung_under_ten_hooks, slow=True),
    Fault(
        TIME,
        "hung, under fifty registered hooks",
        hung.hung_under_fifty_registered_hooks,
        slow=True,
    ),
    Fault(TIME, "hung, and reported afterwards", hung.hung_and_told, slow=True),
    Fault(TIME, "hung as it starts", hung.hung_while_it_starts, slow=True),
    Fault(TIME, "a user's hook takes 3 s", hung.slow_hook, slow=True),
    Fault(TIME, "a user's hook outlasts the deadline", hung.hook_past_the_deadline, slow=True),
    Fault(TIME, "hung for good", unanswered.hung_for_good, slow=True),
    Fault(ALONE, "no daemon can be started", unanswered.no_program, slow=True),
    Fault(ALONE, "no verdict, failing closed", unanswered.every_closed_event, slow=True),
    Fault(ALONE, "secrets at every end", unanswered.secrets_at_every_end, slow=True),
    Fault(ALONE, "a text waits, hung", unanswered.texts_while_hung, slow=True),
    Fault(ALONE, "a text waits, kill -9", unanswered.texts_of_a_lost_answer, slow=True),
    Fault(PLACE, "daemon older than the client", worlds.older, slow=True),
    Fault(PLACE, "daemon newer than the client", worlds.newer, slow=True),
    Fault(PLACE, "clock jumps back an hour", worlds.clock_back_an_hour, slow=True),
    Fault(PLACE, "clock jumps back to 1970", worlds.clock_back_to_1970, slow=True),
    Fault(PLACE, "clock a day ahead, then right", worlds.clock_right_again, slow=True),
    Fault(PLACE, "two users", homes.two_users, slow=True),
    Fault(PLACE, "no $XDG_RUNTIME_DIR", homes.no_runtime_folder, slow=True),
    Fault(
        PLACE,
        "$XDG_RUNTIME_DIR names no folder",
        homes.runtime_folder_that_is_not_there,
        slow=True,
    ),
    Fault(PLACE, "home not writable", homes.unwritable_home, slow=True),
    Fault(PLACE, "no /proc, no /dev/fd", homes.no_proc, slow=True),
    Fault(PLACE, "home on a network file system", worlds.network_disk, slow=True),
)

LIMIT = 120
"""Seconds that one fault may take before it is given up."""
