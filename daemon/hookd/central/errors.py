"""Errors of the central store, as the sync process and the commands report them."""


class CentralError(Exception):
    """The central store cannot be used: what is wrong, and the next step."""

    def __init__(self, sentence: str, step: str = "") -> None:
        super().__init__(sentence)
        self.step = step


class UnreachableError(CentralError):
    """No server answers, or the connection ended: a later attempt may succeed."""


class RefusedError(CentralError):
    """The server refuses this login: a person must act."""


class NewerSchemaError(CentralError):
    """The schema is newer than this hookd supports, or this hookd too old for it."""


class TooManyError(CentralError):
    """A limit of rows a minute or items an hour is reached: try again later."""


class BusyError(CentralError):
    """Another login holds a lock for too long: try again later."""


class RejectedError(CentralError):
    """The server rejects a row; `seq` is its number, None if the server named none."""

    def __init__(self, sentence: str, seq: int | None) -> None:
        super().__init__(sentence, "hookd fleet outbox")
        self.seq = seq
