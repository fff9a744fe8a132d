"""Known calls of other languages that touch files, processes and the network."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import by_program
from hookd.shell.quoting import names

Action = Literal[
    "delete",
    "delete-tree",
    "delete-either",  # by an option of the call
    "delete-any",  # in a language whose calls are not modelled
    "run",
    "run-any",
    "program",  # the name of the function is that of a program
    "read",
    "write",
    "open",
    "perl-open",
    "kill",
    "move",
    "copy",
    "link",
    "chmod",
    "truncate",
    "save",
    "git",  # the name of the function is that of a subcommand
    "sql",
    "request",
    "store",
]

LANGUAGES = by_program(lambda program: program.language)
"""By the name of a program, without its version: the language that it runs."""


class Mark(NamedTuple):
    """A pattern of one effect of a program; each match contains one of the lower-case hints."""

    pattern: re.Pattern[str]
    hints: tuple[str, ...]


def _hints(text: str) -> tuple[str, ...]:
    return tuple(text.split())


class Row(NamedTuple):
    """Calls with the same effect.

    `method`: on the expression before it; `bare`: parentheses may be left out.
    """

    pattern: re.Pattern[str]
    action: Action
    method: bool = False
    bare: bool = False


_OWN = r"(?<![\w.$>:@-])"
"""The start of a name that is no method and no part of a longer one."""

_SQL = (
    r"\b(?:\w{0,24}(?i:execute|exec|query|raw|unsafe|statement|sql)\w{0,24}|do|run)\b"
    r"(?=\s*[(\x01])"
)
"""Calls that may be given statements."""

_ANY_RUN = (
    r"(?<![\w.])(?:system|shell|sh|exec|run|cmd|spawn|popen|shell-command(?:-to-string)?|call-process"
    r"|start-process|process-lines|run-program|async-shell-command|callCommand|callProcess"
    r"|readProcess|rawSystem|execute_process|qqx|execCmd\w*|startProcess)(?![\w-])(?=\s*[(\x01`:~])"
    r"|\b(?:os:cmd|open_port|System\.(?:cmd|shell|process)|Process\.(?:system|run|call\w+|read\w+)"
    r"|System\.Process\.\w+|Sys\.command|Unix\.system|Runtime\.getRuntime\(\)\.exec|ProcessBuilder"
    r"|Process\.Start|uiop:run-program|sb-ext:run-program|clojure\.java\.shell/sh|babashka\.process/\w+"
    r"|process/shell|shell/sh|vim\.(?:fn\.)?(?:system\w*|jobstart|termopen)|systemlist|jobstart|job_start"
    r"|termopen)(?![\w-])"
)
_ANY_DELETE = (
    r"(?<![\w-])(?:rm_rf!?|rm_r!?|rmtree|rm-rf|delete-director(?:y|y/files|y-contents)|delete-file"
    r"|delete-tree|deleteDir|deleteRecursively|deleteIfExists|removeItem|removeDir|removeFile"
    r"|removeDirectory\w*|removePathForcibly|del_dir(?:_r)?|remove_dir_all|deleteDirectory"
    r"|FileUtils\.\w*[dD]elete\w*|File\.(?:rm!?|Delete)|Directory\.Delete|file:delete|REMOVE_RECURSE"
    r"|trashItem|recycleItem|delete-directory-and-files)(?![\w-])"
    r"|(?<![\w.-])(?:rm|unlink|rmdir|delete)(?=\s*\(\s*[\x01\x03])"
)

_TABLE: dict[str, dict[Action, str]] = {
    "python": {
        "delete-tree": r"\b(?:rmtree|remove_tree|send2trash)\b",
        "program": r"\b(?:plumbum\.cmd|sh)\.(?:rm|mv|cp|dd|chmod|chown|shred|bash|sh|git)\b",
        "delete": r"\bos\.(?:remove|unlink|rmdir|removedirs)\b|" + _OWN + r"unlink\b",
        "run": r"\bos\.(?:system|popen|startfile|exec\w+|(?:posix_)?spawn\w+)\b|"
        + _OWN
        + r"(?:system|popen)\b"
        r"|\bsubprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)\b"
        r"|\b(?:check_call|check_output|Popen|getoutput|create_subprocess_(?:shell|exec))\b"
        r"|\bpexpect\.(?:run|spawn)\b"
        r"|"
        + _OWN
        + r"(?:run|call)\b|(?<=[\w)])\.(?:run|call)\b|\)\.(?:system|popen)\b|\bpty\.spawn\b"
        r"|\bexec_command\b",
        "git": r"\.git\.(?:reset|clean|push|checkout|restore|rm|stash|branch|rebase|update_ref)\b",
        "open": _OWN + r"open\b|\b(?:io|codecs|os)\.open\b",
        "read": r"\b(?:read_csv|read_json|dotenv_values|loadtxt)\b",
        "kill": r"\bos\.kill(?:pg)?\b",
        "save": r"\burlretrieve\b|\bwget\.download\b",
        "move": r"\b(?:shutil\.move|os\.(?:rename|replace))\b",
        "copy": r"\bshutil\.copy\w*\b",
        "link": r"\bos\.symlink\b",
        "chmod": r"\bos\.chmod\b",
        "truncate": r"\bos\.truncate\b",
        "sql": _SQL,
        "request": r"\b(?:requests|httpx|session|client)\.(?:delete|request)\b|\bRequest\b",
        "store": r"\.(?:flushall|flushdb|drop_database|delete_bucket)\b",
    },
    "js": {
        "delete-either": r"\b(?:rmSync|rmdirSync|unlinkSync|removeSync|emptyDirSync|rimraf(?:Sync)?"
        r"(?:\.sync)?|rimraf)\b|(?:\b(?:fs|fsp|fse|promises|Deno)|\))\.(?:rm|rmdir|unlink|remove"
        r"|emptyDir|removeSync)\b|" + _OWN + r"(?:rm|unlink|rmdir)\b",
        "run": r"\b(?:shelljs|shell)\.exec\b"
        r"|\b(?:execSync|spawnSync|execFileSync|execFile|spawn|execa|execaCommand)\b"
        r"|\b(?:cp|child_process|childProcess)\.exec\b|\)\.exec\b|" + _OWN + r"exec\b"
        r"|\bDeno\.(?:Command|run)\b",
        "write": r"\b(?:writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream"
        r"|outputFile(?:Sync)?|writeTextFile(?:Sync)?|Bun\.write)\b",
        "read": r"\b(?:readFileSync|readFile|createReadStream|readTextFile(?:Sync)?|Bun\.file)\b",
        "kill": r"\bprocess\.kill\b",
        "move": r"\brename(?:Sync)?\b",
        "copy": r"\b(?:copyFile|cp|copy)Sync\b|\bcopyFile\b",
        "chmod": r"\bchmod(?:Sync)?\b",
        "truncate": r"\btruncate(?:Sync)?\b",
        "program": r"\b(?:shelljs|shell|sh)\.(?:rm|mv|cp|chmod)\b",
        "sql": _SQL,
        "request": _OWN + r"fetch\b|\baxios\.(?:delete|request)\b",
        "store": r"\.(?:flush(?:all|db|All|Db)|dropDatabase)\b",
    },
    "ruby": {
        "delete-tree": r"\b(?:rm_rf|rm_r|remove_dir|remove_entry\w*|rm_tree)\b|(?<!\.)\brmtree\b",
        "sql": _SQL,
        "store": r"\.(?:flushall|flushdb|drop_database)\b",
        "delete": r"\bFileUtils\.rm(?:_f)?\b|\b(?:File|Dir|Pathname)\.(?:delete|unlink|rmdir)\b",
        "run": _OWN + r"(?:system|exec|spawn)\b|\bIO\.popen\b"
        r"|\b(?:Kernel|Process|Object|PTY)\.(?:system|exec|spawn)\b"
        r"|\bOpen3\.\w+",
        "write": r"\b(?:File|IO)\.(?:write|binwrite)\b",
        "read": r"\b(?:File|IO)\.(?:read|readlines|foreach|binread)\b|\bload_file\b",
        "open": r"\bFile\.(?:open|new)\b|" + _OWN + r"open\b",
        "kill": r"\bProcess\.kill\b",
        "move": r"\bFileUtils\.mv\b|\bFile\.rename\b",
        "copy": r"\bFileUtils\.(?:cp|cp_r|copy)\b",
        "chmod": r"\b(?:FileUtils|File)\.chmod(?:_R)?\b",
        "truncate": r"\bFile\.truncate\b",
    },
    "perl": {
        "delete-tree": r"\b(?:rmtree|remove_tree)\b",
        "delete": _OWN + r"(?:unlink|rmdir)\b",
        "run": _OWN + r"(?:system|exec(?:v|l|vp|lp|ve|le)?)\b",
        "run-any": _OWN + r"open[23]\b|\bIPC::Run::run\b",
        "sql": _SQL,
        "perl-open": _OWN + r"(?:open|sysopen)\b",
        "kill": _OWN + r"kill\b",
        "move": _OWN + r"(?:rename|move)\b",
        "chmod": _OWN + r"chmod\b",
        "truncate": _OWN + r"truncate\b",
    },
    "php": {
        "delete": _OWN + r"(?:unlink|rmdir)\b",
        "run": _OWN + r"(?:system|exec|shell_exec|passthru|proc_open|popen|pcntl_exec)\b",
        "sql": _SQL,
        "store": r"->(?:flushAll|flushDb|flushall|flushdb|dropDatabase)\b",
        "write": _OWN + r"file_put_contents\b",
        "read": _OWN + r"(?:file_get_contents|readfile|file|show_source|highlight_file)\b",
        "open": _OWN + r"fopen\b",
        "kill": _OWN + r"posix_kill\b",
        "move": _OWN + r"rename\b",
        "copy": _OWN + r"copy\b",
        "chmod": _OWN + r"chmod\b",
    },
    "lua": {
        "delete": r"\bos\.remove\b",
        "run": r"\bos\.execute\b|\bio\.popen\b",
        "open": r"\bio\.(?:open|lines|input|output)\b",
        "move": r"\bos\.rename\b",
    },
    "r": {
        "delete-either": _OWN + r"unlink\b",
        "delete": _OWN + r"file\.remove\b",
        "run": r"\bbase::system2?\b|" + _OWN + r"(?:system|system2|shell)\b",
        "read": _OWN + r"(?:readLines|readRDS|scan|read\.\w+|readRenviron)\b",
        "move": _OWN + r"file\.rename\b",
    },
    "tcl": {},
    "osa": {
        "run": r"\bdo (?:shell )?script\b|\$\.system\b|\bdoShellScript\b",
        "delete-any": r"\bdelete\s+(?:every |all |the )?(?:items?|folders?|files?|disk)\b",
    },
    "awk": {"run": _OWN + r"system\b"},
    "vim": {
        "run": _OWN + r"(?:system|systemlist|job_start|jobstart|termopen)\b",
        "delete-either": _OWN + r"delete\b(?=\s*\()",
        "write": _OWN + r"writefile\b",
    },
    "other": {"run-any": _ANY_RUN, "delete-any": _ANY_DELETE},
}
_METHODS: dict[Action, str] = {
    "read": r"\.(?:read_text|read_bytes)\b",
    "write": r"\.(?:write_text|write_bytes)\b",
    "delete": r"(?<!\bos)\.(?:unlink|rmdir)\b",
}
_BARE = names("ruby perl osa php powershell other")
METHODS: Mapping[str, dict[Action, str]] = {
    "python": _METHODS,
    "ruby": {"delete-tree": r"\.rmtree\b"},
    "other": {"delete-any": r"\.(?:deleteDir|deleteRecursively|delete)\b(?=\s*\(\s*\))"},
}


@cache
def rows(language: str) -> tuple[Row, ...]:
    """Return the harmful calls of a language."""
    bare = language in _BARE
    table = _TABLE.get(language, {}).items()
    table_rows = [Row(re.compile(pattern), action, bare=bare) for action, pattern in table]
    for action, entry in METHODS.get(language, {}).items():
        table_rows.append(Row(re.compile(entry), action, method=True))
    return tuple(table_rows)


SENDS = Mark(
    lazy_compile(
        r"\.(?:post|put|patch|sendall|sendto|send|storbinary|upload_file|put_object|upload)\s*\("
        r"|\b(?:data|json|files)\s*=|\b(?:body|method)\s*:|\bNet::HTTP\b|\bsmtplib\b|\bparamiko\b"
        r"|\bcurl_exec\b|\bfsockopen\b|\bLWP\b|\bHTTP::Tiny\b|\bTCPSocket\b|\bsocket\.socket\b"
        r"|\bnet\.connect\b|\bcreateConnection\b|\bpost_form\b|\bhttps?\.request\b"
    ),
    _hints(
        "post put patch send storbinary upload data json files body method net:: smtplib"
        " paramiko curl_exec fsockopen lwp http socket net. createconnection"
    ),
)
"""Sends data."""

FETCHES = Mark(
    lazy_compile(
        r"\burlopen\b|\brequests\.get\b|\bhttpx\.get\b|\bfetch\s*\(|\bURI\.open\b|\bopen-uri\b"
        r"|\bhttps?\.get\b|\bLWP::Simple\b|\baxios\b|\bNet::HTTP\.get\b|(?i:\biwr\b|\birm\b"
        r"|invoke-webrequest|invoke-restmethod|downloadstring)|\burlretrieve\b"
    ),
    _hints(
        "urlopen requests httpx fetch uri http lwp axios iwr irm invoke-webrequest"
        " invoke-restmethod downloadstring urlretrieve"
    ),
)
"""Fetches data."""

EVALUATES = Mark(
    lazy_compile(
        r"(?<![\w.])(?:exec|eval|instance_eval|class_eval|loadstring|execfile|Function)\s*\(?"
        r"|\.then\(\s*eval\b|\bvm\.run\w+|(?i:\biex\b|invoke-expression)"
    ),
    _hints("exec eval loadstring function vm.run iex invoke-expression"),
)
"""Runs code from a text."""

_DECODES = (
    r"(?:b64decode|a85decode|b32decode|unhexlify|fromhex|marshal\.loads|zlib\.decompress"
    r"|codecs\.decode|\batob\b|decode64|base64_decode|gzinflate|str_rot13|unpack|\bchr\b"
    r"|fromCharCode|fromCodePoint|Buffer\.from|hex2bin|decode_base64|strrev|gzuncompress"
    r"|\bpack\b(?=[\s(]*\x01))"
)
DECODES = Mark(
    lazy_compile(_DECODES),
    _hints(
        "decode unhexlify fromhex loads decompress atob inflate rot13 pack chr"
        " charcode codepoint buffer.from hex2bin strrev gzuncompress"
    ),
)
"""Decodes data."""

DECODED = Mark(
    lazy_compile(
        r"(?<![\w.])(?:exec|eval|Function|instance_eval|loadstring|assert|system)\s*+\(?+"
        r"[^;\n]{0,200}?" + _DECODES
    ),
    _hints("exec eval function loadstring assert system"),
)
"""Runs decoded code."""

HIDDEN = Mark(
    lazy_compile(
        r"\bgetattr\s*+\(\s*+(?:os|shutil|subprocess|builtins|__builtins__|__import__)\b"
        r"|(?<![\w.>])syscall\s*+[(\d]|\bprocess\.dlopen\b|\bpickle\.loads\(\s*+[bru]?\x01"
        r"|\b(?:CDLL\(\s*+(?:None|\x01)|pythonapi|cdll\.LoadLibrary)|(?i:-enc(?:odedcommand)?\s)"
    ),
    _hints("getattr syscall dlopen pickle cdll pythonapi -enc"),
)
"""Runs code that cannot be read."""

ENVIRONMENT = Mark(
    lazy_compile(
        r"(?<!\x02 in )(?<!\x02 not in )\bos\.environ\b"
        r"(?!\s*(?:\[|\.(?:get|setdefault|pop|update|copy)\b))"
        r"|\bprocess\.env\b(?!\s*[.\[])|\bENV\.(?:to_h|each|inspect|to_a)\b|\bENV\b(?=\s*$|\s*[;)])"
        r"|%ENV\b|\bgetenv\(\s*\)|\$_ENV\b(?!\s*\[)|\bSys\.getenv\(\s*\)|\bDeno\.env\.toObject"
    ),
    _hints("env"),
)
"""Takes the whole environment."""

ONE_VARIABLE = Mark(
    lazy_compile(
        r"(?:(?<!\bbool\()\bos\.(?:environ(?:\.get\(|\[)|getenv\()|(?<!\.)\bgetenv\("
        r"|\bENV(?:\.fetch\(|\[)|\$_ENV\[)"
        r"\s*\x01(\d+)\x02|(?<!!!)\bprocess\.env\.(\w+)|\$ENV\{(\w+)\}"
    ),
    _hints("env"),
)
"""Takes one variable of the environment."""

SHOWS = lazy_compile(
    r"\b(?:print|printf|puts|p|say|echo|pp|pprint|var_dump|print_r|console\.\w+|write)\b"
)
"""Prints something."""
