"""Domain errors: each has a code for programs and a sentence for people."""

CODES = {
    "NOT_FOUND": -32001,
    "ALREADY_ENDED": -32002,
    "UNKNOWN_PHASE": -32003,
    "ALREADY_FINISHED": -32004,
    "NO_ACTIVE_EFFORT": -32005,
    "EFFORT_FINISHED": -32006,
    "INVALID_RULE": -32007,
    "QUERY_FAILED": -32008,
    "FILE_FAILED": -32009,
    "UNREADABLE": -32010,
    "PHASE_NOT_SEQUENTIAL": -32011,
    "PROOF_MISSING": -32012,
    "INVALID_HANDOVER": -32013,
    "EFFORT_OWNED": -32014,
    "INVALID_AGENT": -32015,
    "STALE": -32016,
    "INVALID_PAUSE": -32017,
    "UNKEPT": -32018,
    "PERSON_ONLY": -32019,
    "NOT_ALLOWABLE": -32020,
    "INVALID_TIME": -32021,
    "FAILED": -32022,
    "SESSION_OPEN": -32024,
    "NOT_PENDING": -32025,
    "GUARD_DENIES": -32026,
    "INVALID_CLAIM": -32030,
    "CLAIMED": -32031,
    "NOT_YOURS": -32032,
    "TOO_MANY": -32033,
    "TOO_SLOW": -32034,
    "NO_RECIPIENT": -32027,
    "MAIL_REFUSED": -32028,
    "NOT_HELD": -32029,
    "NOT_A_SESSION": -32040,
    "NOT_OWNER": -32041,
    "NOT_READY": -32042,
    "DEPENDENCY_CYCLE": -32043,
    "INVALID_ITEM": -32044,
    "JOINED_ALREADY": -32050,
    "NOT_JOINED": -32051,
    "ROWS_WAIT": -32052,
}
"""The JSON-RPC number of each code, in the range that the specification reserves for servers."""


class DomainError(Exception):
    """A rejected request: `code` is a key of CODES. The transaction is rolled back."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.number = CODES[code]
