"""Path of a session's transcript, for a client that does not name it in each payload."""

from hookd import paths
from hookd.clients.contract import Adapter, Json


def with_transcript(client: Adapter, payload: Json) -> Json:
    """Return a payload in the names of `events/` with the path of its session's transcript.

    The path is where the client would write it; a path that the payload has stays.
    """
    if client.transcript_place is None or payload.get("transcript_path"):
        return payload
    place = client.transcript_place(payload.get("session_id"))
    if place is None:
        return payload
    return payload | {"transcript_path": str(paths.client_folder(client.name) / place)}
