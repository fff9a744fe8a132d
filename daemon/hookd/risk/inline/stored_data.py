"""Calls in code that delete stored data or resources: of a database, a cloud, a cluster.

`db.drop_all()`, `User.objects.all().delete()`, `boto3.client("ec2").terminate_instances(...)`.
Which rows, or which account, they affect is decided when they run, so they are asked about.
"""

from collections.abc import Iterator
from typing import NamedTuple

from hookd.lazy_pattern import lazy_compile
from hookd.programs.model import RiskKind
from hookd.risk.inline.snippets import Snippet


class StoredData(NamedTuple):
    """A deletion in code: the rule's id, its kind, what happens, and a safe way."""

    rule: str
    kind: RiskKind
    why: str
    instead: str


_HINTS = (
    "drop",
    "delete",
    "destroy",
    "truncate",
    "force",
    "terminate",
    "flush",
    "command",
    "prune",
    "purge",
    "remove",
    "deregister",
)
_DROPS = lazy_compile(
    r"(?:\.|->|::)(?:drop_all|dropAll\w*|drop_tables?|dropTables?(?:IfExists)?|drop_(?:database|db|collection|index(?:es)?|schema|keyspace)"
    r"|drop(?:Database|Collection|Schema|Index(?:es)?)|delete_database|deleteDatabase|reset_db|recreate_db)\s*\("
    r"|\bindices\.delete\s*\(|\bdelete_by_query\s*\(|\b(?:sequelize|mongoose|connection)\.drop\w*\s*\("
    r"|\.sync\s*\(\s*\{[^{}]{0,80}force\s*:\s*true|\.drop\s*\(\s*(?:\)|engine\b|checkfirst|bind\b)"
)
_ROWS = lazy_compile(
    r"(?<![\w.)])[A-Z]\w*+(?>(?:::\w++)*)(?>(?:\.(?:unscoped|all))?)\.(?:delete_all|destroy_all)\b"
    r"|\bRepo\.delete_all\s*\(?"
    r"|\.objects\.(?>(?:all\(\)\.)?)(?:delete|_raw_delete)\s*\("
    r"|\.query\([^()]{0,80}+\)\.delete\s*\(|\.query\.delete\s*\("
    r"|\.(?:delete_many|deleteMany|deleteAll|delete_all)\s*\(\s*\)"
    r"|\.(?:delete_many|deleteMany|remove|destroy|deleteAll|delete_all)\s*\(\s*(?:\{\s*\}\s*\)"
    r"|\{\s*(?:where\s*:\s*\{\s*\}|truncate\s*:\s*true)[^{}]{0,40}+\})"
    r"|::(?:truncate|query\(\)->(?:delete|forceDelete|truncate))\s*\("
    r"|\bDB::table\([^()]{0,80}+\)->(?:delete|truncate)\s*\(|::all\(\)->each->(?:delete|forceDelete)\b"
    r"|\bdelete\(\s*[A-Z]\w*+\s*\)\s*\)|\.truncate\s*\(\s*\{"
)
_COMMANDED = lazy_compile(r"\b(?:execute_command|send_command|sendCommand|rawCommand|call)\s*\(")
_FLUSH = lazy_compile(r"(?i)\s*flush(?:all|db)\b.*")
_LIBRARIES = lazy_compile(
    r"(?i)boto3|botocore|aws[-_]sdk|@aws|google\.cloud|googleapiclient|@google_cloud|\bazure|@azure"
    r"|kubernetes|\bdocker\b|openstack|digitalocean|\bstripe\b|\btwilio|\bheroku|cloudflare|auth0"
    r"|elasticsearch|opensearch|pinecone|\bqdrant|weaviate|\bmilvus|firebase_admin|supabase|\bgitlab\b"
    r"|\bPyGithub\b|\bgithub\b|octokit|\bhvac\b|\bpulumi|\bkafka"
)
_RESOURCES = lazy_compile(
    r"\.(?:delete|terminate|destroy|deregister|purge|empty|revoke|disable_and_delete)(?:_\w++|[A-Z]\w*+)?\s*\("
    r"|\.(?:prune|remove|destroy|del|kill|drain)\s*\(|\bnew\s+[\w.]{0,60}\b(?:Delete|Terminate|Destroy|Purge)\w+Command\b"
)
_NAME_CHARS = 80
_COUNT = "A query that counts the rows shows what would be deleted."
_LIST = "A call that lists the resources shows what would be deleted."


def stored_data(program: Snippet) -> Iterator[StoredData]:
    """Yield the deletions of stored data in a program: at most one."""
    if not any(hint in program.low for hint in _HINTS):
        return
    code = program.code
    resource = _RESOURCES.search(code)
    if resource and (_LIBRARIES.search(code) or any(map(_LIBRARIES.search, _short(program)))):
        why = f"deletes at a service by its library ({_call(resource[0])})"
        yield StoredData("code.delete-resource", "cloud", why, _LIST)
    elif found := _DROPS.search(code):
        yield StoredData(
            "code.drop-data",
            "database",
            f"drops a database or parts of it ({_call(found[0])})",
            _COUNT,
        )
    elif (found := _COMMANDED.search(code)) and any(map(_FLUSH.fullmatch, _short(program))):
        yield StoredData("code.drop-data", "database", "deletes all keys of a database", _COUNT)
    elif found := _ROWS.search(code):
        yield StoredData(
            "code.delete-rows",
            "database",
            f"deletes all rows or documents ({_call(found[0])})",
            _COUNT,
        )


def _short(program: Snippet) -> Iterator[str]:
    """Yield the texts that may be names of libraries."""
    return (text.content for text in program.texts if len(text.content) <= _NAME_CHARS)


def _call(source: str) -> str:
    """Return a call as it is quoted in a reason: without the signs around its name."""
    return "".join(sign for sign in source if sign >= " ").strip(" .(:->")
