/* hookd-hook.native: sends one hook event from a coding agent to the running daemon, prints its answer.
 *
 *   <data>/shims/<scope>/<Event>             a link to the program; its configuration is in `config` beside it
 *   <data>/shims/<scope>/hookd-statusline    the same, for the status line
 *
 * It does the warm path of the bash shim, hookd-hook, with the same bytes on the socket, and nothing
 * else: it starts no daemon and judges nothing. What it does not do, and what it could do in another
 * way than bash, goes to the bash shim (`--resume`), with stdin as that needs it.
 *
 * A payload of less than 32 kB stays in a buffer, a larger one passes through one. stdin is read to
 * its end, and the answer is one write. Only an answer of more than 64 kB takes more memory.
 *
 * Build: musl-gcc -static -Os -o hookd-hook.native hookd-hook.c, or any other compiler of C11.
 */
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#include <sys/mman.h>
#endif
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

#define ACCEPTED "{\"jsonrpc\":\"2.0\",\"method\":\"hooks.accepted\"}"
#define PREFIX "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":"
#define NO_ACK "the daemon did not acknowledge the call"
#define NO_ANSWER "the daemon gave no answer"
#define PAYLOAD_END '\x1e'

enum {
    BULK = 32768,            /* bytes of a payload that are kept, as in the bash shim */
    CHUNK = 65536,           /* bytes that are read at once of a larger payload */
    HEADER_MOST = 262144,    /* bytes of a header line; bash sends a longer one */
    CONFIG_MOST = 65536,     /* bytes of a configuration */
    COPY_MOST = 17 << 20,    /* bytes that are copied for the judge, which takes 16 MiB */
    ANSWER_MOST = 256 << 20, /* bytes of an answer */
    SENT_MOST = 64,          /* variables that a configuration adds */
    SPOOL_MOST = 65536,      /* bytes of the record of events without a verdict */
    PATIENCE_MS = 1000,      /* for the acknowledgement */
    MORE_PATIENCE_MS = 4000, /* after that, where /proc shows that the daemon runs */
};

static const char *const NAMES[] = {
    "AGENT_ID", "AGENT_CLAIMS", "AGENT_TARGETED_CLAIMS", "AGENT_MANAGES", "AGENT_PARENT",
    "CLAUDE_PROJECT_DIR", "AI_AGENT", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PID", "CLAUDE_CODE_SESSION_ID",
    "TMUX", "TMUX_PANE", "HOOKD_RUN", "PATH", "HOME", "VIRTUAL_ENV",
    "COPILOT_PROJECT_DIR", "GEMINI_SESSION_ID", "QWEN_PROJECT_DIR", "CLAUDE_CODE_MESSAGING_SOCKET"};
enum { OWN = sizeof NAMES / sizeof *NAMES };

/* bash gives these a value of its own, whatever the environment has. */
static const char *const BASH_SETS[] = {
    "COMP_WORDBREAKS", "DIRSTACK", "EPOCHREALTIME", "EPOCHSECONDS", "EUID", "FUNCNAME", "FUNCNEST", "GROUPS",
    "HISTCMD", "IFS", "LC_ALL", "LINENO", "MAILCHECK", "OLDPWD", "OPTARG", "OPTERR", "OPTIND",
    "PIPESTATUS", "POSIXLY_CORRECT", "PPID", "PS4", "PWD", "RANDOM", "REPLY", "SECONDS", "SHELLOPTS", "SHLVL",
    "SRANDOM", "TMOUT", "UID"};
/* ... and these, where the environment has none. */
static const char *const BASH_ADDS[] = {"HOSTNAME", "HOSTTYPE", "MACHTYPE", "OSTYPE", "PATH", "SHELL", "TERM"};

/* What the configuration says of one event. The texts are in the buffer that was parsed. */
struct config {
    const char *event;
    const char *client; /* empty for Claude Code */
    const char *denial; /* another client's own, with @ in place of the reason */
    const char *socket;
    const char *python;
    const char *no_verdict;
    const char *rule;
    const char *sent[SENT_MOST];
    size_t sent_count;
    int64_t deadline; /* seconds */
    bool closed;
    bool refuses;  /* some event fails closed */
    bool odd;      /* only bash does what it says */
    bool nameless; /* the client's name is none */
};

/* Text that is written to a fixed place; `full` if some of it did not fit. */
struct text {
    char *at;
    size_t size;
    size_t room;
    bool full;
};

#define NO_CONFIG {.event = "", .client = "", .denial = "", .socket = "", .python = "", .no_verdict = "", .rule = ""}
static struct config config = NO_CONFIG;
static const char *path = "", *name = ""; /* by which the program was started, and its last part */
static char *const *arguments;
static char process[32];             /* sender.process */
static char daemon_number[16];       /* of the daemon's process, as it was when the call began */
static int64_t began;                /* milliseconds */
static struct sigaction pipe_action; /* as the client had it */
static char request[HEADER_MOST + BULK + 1]; /* header line, payload, end mark */
static size_t header_size, request_size;
static bool whole;                       /* all of the payload is there */
static bool stdin_ended;
static int copy = -1, copy_reader = -1;  /* a file of what was read, for the judge */
static size_t copied;
static char first_answer[CHUNK];
static char *answer = first_answer; /* what the daemon said, from its acknowledgement on */
static size_t answer_size, answer_room = sizeof first_answer;

/* Return milliseconds of a clock that is never set. */
static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Return the milliseconds until the deadline. */
static int64_t left(void) { return config.deadline * 1000 - (now() - began); }

static bool same(const char *one, const char *other) { return strcmp(one, other) == 0; }

static void put_bytes(struct text *text, const char *bytes, size_t size) {
    if (size > text->room - text->size) {
        text->full = true;
        return;
    }
    memcpy(text->at + text->size, bytes, size);
    text->size += size;
}

static void put(struct text *text, const char *words) { put_bytes(text, words, strlen(words)); }

static void put_number(struct text *text, uint64_t number) {
    char digits[24], *at = digits + sizeof digits;
    *--at = 0;
    do {
        *--at = (char)('0' + number % 10);
    } while (number /= 10);
    put(text, at);
}

/* Write a JSON string as bash does: bytes from 0x80 on stay, valid UTF-8 or not. */
static void put_quoted(struct text *text, const char *value) {
    static const char hex[] = "0123456789abcdef";
    put(text, "\"");
    for (const char *from = value;; value++) {
        unsigned char byte = (unsigned char)*value;
        if (byte >= 0x20 && byte != 0x7f && byte != '"' && byte != '\\') continue;
        put_bytes(text, from, (size_t)(value - from));
        if (byte == 0) break;
        char code[] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
        if (byte == '"' || byte == '\\') {
            code[1] = (char)byte;
            put_bytes(text, code, 2);
        } else {
            put_bytes(text, code, sizeof code);
        }
        from = value + 1;
    }
    put(text, "\"");
}

/* Write the path of a file beside the socket, with another ending; return false if it is too long. */
static bool beside_socket(char *place, size_t room, const char *ending) {
    struct text text = {place, 0, room, false};
    size_t size = strlen(config.socket);
    if (size >= 5 && same(config.socket + size - 5, ".sock")) size -= 5;
    put_bytes(&text, config.socket, size);
    put_bytes(&text, ending, strlen(ending) + 1);
    return !text.full;
}

/* Write all of it: in one call, as long as the system takes it. Return whether that was possible. */
static bool write_all(int file, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t count = write(file, bytes, size);
        if (count >= 0) {
            bytes += count;
            size -= (size_t)count;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {.fd = file, .events = POLLOUT};
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Return the bytes read of stdin, 0 at its end, or if it cannot be read, -1 if there are none yet. */
static ssize_t read_stdin(char *place, size_t room) {
    ssize_t count = read(0, place, room);
    if (count < 0) return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK ? -1 : 0;
    return count;
}

/* A client that meets a closed pipe reports a broken hook. */
static void drain(void) {
    char bytes[4096];
    struct pollfd wait = {.fd = 0, .events = POLLIN};
    while (read_stdin(bytes, sizeof bytes) != 0) poll(&wait, 1, -1);
}

/* ---- the bash shim ---- */

/* Leave a line for the next daemon, which tells the user, as bash does: a dead guard is not silent. */
static void note(const char *event, const char *reason) {
    static char room[1024];
    struct text text = {room, 0, sizeof room, false};
    struct stat status;
    struct tm parts;
    char place[4096];
    time_t seconds = time(NULL);
    if (*config.socket != '/' || !beside_socket(place, sizeof place, ".unjudged") || !gmtime_r(&seconds, &parts)) return;
    text.size = strftime(room, sizeof room, "%Y-%m-%dT%H:%M:%SZ\t", &parts);
    for (const char *at = event; *at; at++)
        if ((*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z')) put_bytes(&text, at, 1);
    put(&text, "\t");
    put(&text, reason);
    put(&text, "\n");
    char *slash = strrchr(place, '/');
    *slash = 0;
    mkdir(place, 0700);
    *slash = '/';
    int file = open(place, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() && status.st_size < SPOOL_MOST)
        write_all(file, text.at, text.size);
    close(file);
}

/* Claude Code's denials by event, and its question, with @ in place of the reason. */
#define DECIDED(event, decision)                                                                       \
    "{\"hookSpecificOutput\":{\"hookEventName\":\"" event "\",\"permissionDecision\":\"" decision "\"," \
    "\"permissionDecisionReason\":@}}"
#define BLOCKED "{\"decision\":\"block\",\"reason\":@}"
static const char *const DENIALS[][2] = {
    {"PreToolUse", DECIDED("PreToolUse", "deny")},
    {"PreModelSwitch", DECIDED("PreModelSwitch", "deny")},
    {"PermissionRequest", "{\"hookSpecificOutput\":{\"hookEventName\":\"PermissionRequest\",\"decision\":"
                          "{\"behavior\":\"deny\",\"message\":@}}}"},
    {"UserPromptSubmit", BLOCKED},
    {"UserPromptExpansion", BLOCKED},
    {"TaskCreated", BLOCKED}};

/* Return the denial of an event that fails closed, or the question about it; empty if it passes. */
static const char *refusal(const char *event, bool asks) {
    if (asks) return *config.client ? config.denial : DECIDED("PreToolUse", "ask");
    for (size_t i = 0; config.closed && i < sizeof DENIALS / sizeof *DENIALS; i++)
        if (same(DENIALS[i][0], event)) return *config.client ? config.denial : DENIALS[i][1];
    return "";
}

/* Print a denial with the reason in place of its first @. */
static void deny(const char *denial, const char *reason) {
    static char room[CONFIG_MOST + 2048];
    struct text text = {room, 0, sizeof room, false};
    const char *mark = strchr(denial, '@');
    if (mark) {
        put_bytes(&text, denial, (size_t)(mark - denial));
        put_quoted(&text, reason);
        denial = mark + 1;
    }
    put(&text, denial);
    put(&text, "\n");
    write_all(1, text.at, text.size);
}

/* Print what the fail policy says, as bash does, where not even bash can be started; end. */
static _Noreturn void fail(const char *reason) {
    static char room[2048];
    struct text text = {room, 0, sizeof room - 1, false};
    const char *event = config.event;
    bool unsure = !*config.rule || config.nameless;
    if (!*event && unsure && *name >= 'A' && *name <= 'Z') event = name;
    bool asks = unsure && !config.closed && same(event, "PreToolUse");
    const char *denial = refusal(event, asks);
    drain();
    if (*denial) {
        put(&text, "hookd could not judge this call (");
        put(&text, reason);
        put(&text, asks ? "), and whether to fail closed is not known. Next: hookd install"
                        : ") and is set to fail closed. Next: hookd status");
        deny(denial, room);
        text.size = 0;
    }
    put(&text, "hookd: ");
    put(&text, *event ? event : "an event of no name");
    put(&text, " not judged: ");
    put(&text, reason);
    put(&text, *denial ? "\n" : "; it passes unchecked\n");
    if (!*config.client) write_all(2, text.at, text.size);
    if (!same(event, "SessionEnd")) note(event, reason);
    if (*config.client) _exit(0);
    if (!*event && config.refuses) _exit(2);
    _exit(unsure && !same(event, "PreToolUse") ? 1 : 0);
}

/* Write the path of a bash shim beside the program; return whether it can be read and is not empty: bash takes an
 * empty one for a success. */
static bool beside_program(char *place, size_t room, const char *shim) {
    struct text text = {place, 0, room, false};
    struct stat status;
    put_bytes(&text, path, (size_t)(name - path));
    put(&text, same(name, "hookd-hook.native") ? "" : "../");
    put_bytes(&text, shim, strlen(shim) + 1);
    /* Without a folder, it would be one in the working folder. */
    return name != path && !text.full && stat(place, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
           access(place, R_OK) == 0;
}

/* Execute a bash shim with these words and the program's own arguments; return if that is impossible. */
static void execute(const char *shim, const char *const *words, size_t count) {
    static char place[8192];
    size_t own = 0;
    while (arguments[own]) own++;
    if (!beside_program(place, sizeof place, shim)) return;
    const char **all = malloc((own + count + 4) * sizeof *all);
    if (!all) return;
    all[0] = "/bin/bash";
    all[1] = "-p";
    all[2] = place;
    memcpy(all + 3, words, count * sizeof *all);
    for (size_t i = 1; i < own; i++) all[count + 2 + i] = arguments[i];
    all[count + 2 + (own ? own : 1)] = NULL;
    sigaction(SIGPIPE, &pipe_action, NULL);
    execv("/bin/bash", (char *const *)all);
    signal(SIGPIPE, SIG_IGN);
    free(all);
}

/* Continue in the bash shim. `state` says what stdin has: docs/architecture.md. It needs the file that it
 * reads, too. */
static _Noreturn void hand_over(const char *state, const char *reason) {
    static char elapsed[24], cold[8192];
    struct text seconds = {elapsed, 0, sizeof elapsed - 1, false};
    put_number(&seconds, (uint64_t)(now() - began) / 1000);
    const char *const words[] = {"--resume", state, path, process, elapsed, reason, "--"};
    /* bash complains of a locale that is not there, and the client could take that for an answer. */
    int nothing = *config.client ? open("/dev/null", O_WRONLY) : -1;
    if (nothing > 2) {
        dup2(nothing, 2);
        close(nothing);
    }
    if (beside_program(cold, sizeof cold, "hookd-cold")) execute("hookd-hook", words, sizeof words / sizeof *words);
    fail(*reason && !same(state, "again") ? reason : "the bash shim cannot be started; hookd install puts it back");
}

/* Open a file without a name to append to, and to read from its beginning. A payload is not redacted:
 * it must not remain where the process is killed. Return whether it is there. */
static bool open_unnamed(int *writer, int *reader) {
    char place[4096];
#ifdef MFD_CLOEXEC
    struct text text = {place, 0, sizeof place, false};
    *writer = memfd_create("hookd-payload", MFD_CLOEXEC);
    if (*writer >= 0) {
        put(&text, "/proc/self/fd/");
        put_number(&text, (uint64_t)*writer);
        put_bytes(&text, "", 1);
        *reader = open(place, O_RDONLY | O_CLOEXEC);
        if (*reader >= 0 && fcntl(*writer, F_SETFL, O_APPEND) == 0) return true;
        close(*writer);
        if (*reader >= 0) close(*reader);
    }
#endif
    if (!beside_socket(place, sizeof place, ".payload.XXXXXX")) return false;
    *writer = mkstemp(place);
    if (*writer < 0) return false;
    *reader = open(place, O_RDONLY | O_CLOEXEC);
    if (unlink(place) == 0 && *reader >= 0 && fcntl(*writer, F_SETFL, O_APPEND) == 0 &&
        fcntl(*writer, F_SETFD, FD_CLOEXEC) == 0)
        return true;
    close(*writer);
    if (*reader >= 0) close(*reader);
    return false;
}

/* Put a descriptor where bash finds it. */
static void move(int file, int place) {
    if (file == place) {
        fcntl(file, F_SETFD, 0);
    } else {
        dup2(file, place);
    }
}

static size_t payload_size(void) { return request_size - header_size - 1; }

/* There is no verdict: let bash judge it, or apply the fail policy. */
static _Noreturn void give_up(const char *reason) {
    int writer, reader;
    if (whole) {
        if (!open_unnamed(&writer, &reader) || !write_all(writer, request + header_size, payload_size()))
            hand_over("spent", reason);
        move(reader, 0);
        hand_over("failed", reason);
    }
    if (copy < 0) hand_over("spent", reason);
    /* Above both places, lest one is written over before it is moved. */
    writer = fcntl(copy, F_DUPFD_CLOEXEC, 10);
    reader = fcntl(copy_reader, F_DUPFD_CLOEXEC, 10);
    if (writer < 0 || reader < 0) hand_over("spent", reason);
    move(writer, 6);
    move(reader, 7);
    hand_over("held", reason);
}

/* The connection ended before there was an answer. Let bash start a daemon and ask once more, unless the
 * payload was not kept. */
static _Noreturn void ask_again(const char *reason) {
    int writer, reader;
    if (!whole || !open_unnamed(&writer, &reader) || !write_all(writer, request + header_size, payload_size()))
        give_up(reason);
    move(reader, 0);
    hand_over("again", daemon_number);
}

/* ---- configuration and environment ---- */

static bool listed(const char *const *list, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++)
        if (same(list[i], word)) return true;
    return false;
}

/* Return a variable as bash has it, the last of equal names; NULL if there is none. */
static const char *variable(const char *key) {
    extern char **environ;
    const char *value = NULL;
    size_t size = strlen(key);
    for (char **one = environ; one && *one; one++)
        if (strncmp(*one, key, size) == 0 && (*one)[size] == '=') value = *one + size + 1;
    return value;
}

/* Add a variable that is to be sent. Only bash knows the values of its own ones: all names of the bash
 * shim are in lower case. */
static void add_sent(struct config *to, const char *key) {
    bool upper = false;
    for (const char *at = key; *at; at++) {
        bool digit = *at >= '0' && *at <= '9', small = *at >= 'a' && *at <= 'z', big = *at >= 'A' && *at <= 'Z';
        upper = upper || big;
        if (!(small || big || *at == '_' || (digit && at > key))) to->odd = true;
    }
    if (!upper || strncmp(key, "BASH", 4) == 0 || listed(BASH_SETS, sizeof BASH_SETS / sizeof *BASH_SETS, key))
        to->odd = true;
    if (same(key, "CWD") || listed(NAMES, OWN, key) || listed(to->sent, to->sent_count, key)) return;
    if (to->sent_count == SENT_MOST) {
        to->odd = true;
    } else {
        to->sent[to->sent_count++] = key;
    }
}

/* Say whether the line of events has the name as one of its words. */
static bool names_event(const char *line, const char *event) {
    size_t size = strlen(event);
    for (const char *at = line; (at = strstr(at, event)); at++)
        if (at > line && at[-1] == ' ' && (at[size] == ' ' || at[size] == 0)) return true;
    return false;
}

static const char *value_of(const char *line, const char *key) {
    size_t size = strlen(key);
    return strncmp(line, key, size) == 0 && line[size] == ' ' ? line + size + 1 : NULL;
}

static void parse_line(struct config *to, const char *line, const char *event) {
    const char *value;
    if ((value = value_of(line, "events"))) {
        bool closed = strstr(value, " closed ") != NULL;
        to->refuses = to->refuses || closed;
        if (*event < 'A' || *event > 'Z' || !names_event(line, event)) return;
        to->event = event;
        to->rule = value;
        to->closed = to->closed || closed;
    } else if ((value = value_of(line, "client"))) {
        to->client = *value ? value : "?";
    } else if ((value = value_of(line, "denial"))) {
        if (*event >= 'A' && *event <= 'Z' && (value = value_of(value, event))) to->denial = value;
    } else if ((value = value_of(line, "socket"))) {
        to->socket = value;
    } else if ((value = value_of(line, "python"))) {
        to->python = value;
    } else if ((value = value_of(line, "no-verdict"))) {
        to->no_verdict = value;
    } else if ((value = value_of(line, "send"))) {
        add_sent(to, value);
    }
}

/* Take the configuration from a text that is ended by 0, and changed; the last of equal keys counts. */
static void parse_config(struct config *to, char *text, const char *event) {
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        parse_line(to, line, event);
    }
    const char *digits = to->rule;
    to->nameless = strspn(to->client, "abcdefghijklmnopqrstuvwxyz-") != strlen(to->client);
    to->odd = to->odd || to->nameless;
    to->deadline = 0;
    while (*digits >= '0' && *digits <= '9' && digits - to->rule < 9) to->deadline = to->deadline * 10 + *digits++ - '0';
    if (digits == to->rule || (*digits != ' ' && *digits != '.' && *digits != 0)) to->odd = true;
    if (to->deadline < 1) to->deadline = 1;
}

/* Read the file `config` beside the link, and take from it what it says of the event. Return whether it is
 * a file of the user's own. */
static bool configure(const char *event) {
    static char text[CONFIG_MOST + 1], file[8192];
    struct text place = {file, 0, sizeof file, false};
    struct stat status;
    size_t size = 0;
    put_bytes(&place, path, (size_t)(name - path));
    put_bytes(&place, "config", sizeof "config");
    if (place.full || name == path) return false;
    int reader = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (reader < 0) return false;
    bool mine = fstat(reader, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
    while (mine && size < CONFIG_MOST) {
        ssize_t count = read(reader, text + size, CONFIG_MOST - size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        size += (size_t)count;
    }
    close(reader);
    text[size] = 0;
    if (mine) parse_config(&config, text, event);
    return mine;
}

/* Return the working folder as bash has it in PWD, or NULL where only bash knows. */
static const char *working_folder(void) {
    static char folder[4096];
    struct stat here, there;
    const char *given = variable("PWD");
    if (variable("POSIXLY_CORRECT") || variable("POSIX_PEDANTIC")) return NULL;
    if (given && *given == '/' && stat(".", &here) == 0 && stat(given, &there) == 0 && here.st_dev == there.st_dev &&
        here.st_ino == there.st_ino) {
        size_t size = strlen(given);
        bool plain = !strstr(given, "//") && !strstr(given, "/./") && !strstr(given, "/../") &&
                     (size == 1 || given[size - 1] != '/') && (size < 2 || !same(given + size - 2, "/.")) &&
                     (size < 3 || !same(given + size - 3, "/.."));
        return plain ? given : NULL;
    }
    return getcwd(folder, sizeof folder);
}

/* Write these variables, as far as they are set, and the working folder: the rest of a header line. Return
 * false where only bash can. */
static bool put_environment(struct text *text, const char *const *names, size_t count) {
    const char *folder = working_folder();
    if (!folder) return false;
    for (size_t i = 0; i < count + config.sent_count; i++) {
        const char *key = i < count ? names[i] : config.sent[i - count], *value = variable(key);
        if (!value && listed(BASH_ADDS, sizeof BASH_ADDS / sizeof *BASH_ADDS, key)) return false;
        if (!value) continue;
        put_quoted(text, key);
        put(text, ":");
        put_quoted(text, value);
        put(text, ",");
    }
    put(text, "\"CWD\":");
    put_quoted(text, folder);
    put(text, "}}}\n");
    header_size = text->size;
    return !text->full;
}

/* Write the header line; return false where only bash can. */
static bool describe(void) {
    struct text text = {request, 0, HEADER_MOST, false};
    put(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"hooks.dispatch\",\"params\":{\"body\":true,\"deadline\":");
    put_number(&text, (uint64_t)config.deadline);
    if (config.closed) put(&text, ",\"closed\":true");
    if (*config.client) {
        put(&text, ",\"client\":");
        put_quoted(&text, config.client);
    }
    put(&text, ",\"event\":");
    put_quoted(&text, config.event);
    put(&text, ",\"sender\":{\"registration\":");
    put_quoted(&text, path);
    if (!text.full) text.size--;
    put(&text, " \",\"process\":"); /* a space, and no arguments */
    put_quoted(&text, process);
    put(&text, "},\"env\":{");
    return put_environment(&text, NAMES, OWN);
}

/* ---- the daemon ---- */

/* Return the state of the daemon's process as /proc has it; 0 if it is dead, '?' if nothing tells. */
static char daemon_state(void) {
    char place[4096], bytes[4096];
    struct stat status;
    long number = 0;
    size_t at = 0;
    if (!beside_socket(place, sizeof place, ".pid") || stat(place, &status) != 0 || !S_ISREG(status.st_mode)) return '?';
    int file = open(place, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, bytes, 64);
    if (file >= 0) close(file);
    while ((ssize_t)at < size && bytes[at] == ' ') at++;
    size_t first = at;
    while ((ssize_t)at < size && bytes[at] >= '0' && bytes[at] <= '9' && at - first < 10) number = number * 10 + bytes[at++] - '0';
    if (at == first || ((ssize_t)at < size && bytes[at] != ' ' && bytes[at] != '\n')) return '?';
    if (!*daemon_number && at - first < sizeof daemon_number) memcpy(daemon_number, bytes + first, at - first);
    if (number > INT32_MAX || kill((pid_t)number, 0) != 0) return 0;
    struct text text = {place, 0, sizeof place, false};
    put(&text, "/proc/");
    put_number(&text, (uint64_t)number);
    put_bytes(&text, "/stat", sizeof "/stat");
    file = open(place, O_RDONLY | O_CLOEXEC);
    size = file < 0 ? -1 : read(file, bytes, sizeof bytes - 1);
    if (file >= 0) close(file);
    while (size > 3 && bytes[size - 1] != ')') size--;
    return size > 3 && bytes[size] == ' ' ? bytes[size + 1] : '?';
}

/* Say whether a daemon of this user seems to listen, and `hookd stop` does not hold. */
static bool serving(void) {
    char place[4096];
    struct stat status;
    if (!beside_socket(place, sizeof place, ".stopped") || lstat(place, &status) == 0) return false;
    if (stat(config.socket, &status) != 0 || !S_ISSOCK(status.st_mode) || status.st_uid != geteuid()) return false;
    char state = daemon_state();
    return state != 0 && state != 'Z' && strlen(config.socket) < sizeof ((struct sockaddr_un *)0)->sun_path;
}

/* Say whether the process at the other end is the user's. */
static bool own_peer(int link) {
#ifdef SO_PEERCRED
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(link, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
#else
    uid_t user;
    gid_t group;
    return getpeereid(link, &user, &group) == 0 && user == geteuid();
#endif
}

/* Move the end of the patience, once, if the daemon runs: a busy machine must not switch a guard off.
 * Return whether there is more of it. */
static bool more_patience(int64_t *until) {
    static bool moved;
    char state = daemon_state();
    if (moved || (state != 'R' && state != 'S' && state != 'D')) return false;
    moved = true;
    int64_t rest = left();
    *until = now() + (rest > MORE_PATIENCE_MS ? MORE_PATIENCE_MS : rest > 0 ? rest : PATIENCE_MS);
    return true;
}

/* Connect, within the patience. Return the socket, or -1: errno is EAGAIN if the daemon takes no connection. */
static int connect_daemon(int64_t *until) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int link = socket(AF_UNIX, SOCK_STREAM, 0);
    if (link < 0) return -1;
    fcntl(link, F_SETFD, FD_CLOEXEC);
    memcpy(to.sun_path, config.socket, strlen(config.socket) + 1);
#ifdef SO_NOSIGPIPE
    int yes = 1;
    setsockopt(link, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
    fcntl(link, F_SETFL, O_NONBLOCK);
    while (connect(link, (struct sockaddr *)&to, sizeof to) != 0 && errno != EISCONN) {
        if (errno == EINTR) continue;
        if (errno != EAGAIN && errno != EINPROGRESS && errno != EALREADY) {
            int why = errno;
            close(link);
            errno = why;
            return -1;
        }
        /* Too many wait for the daemon. Linux waits for room only in a call that blocks. */
        int64_t rest = *until - now();
        if (rest <= 0 && !more_patience(until)) {
            close(link);
            errno = EAGAIN;
            return -1;
        }
        rest = *until - now();
        if (rest < 0) rest = 0;
        struct timeval most = {.tv_sec = (time_t)(rest / 1000), .tv_usec = (suseconds_t)(rest % 1000 * 1000 + 1)};
        setsockopt(link, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
        fcntl(link, F_SETFL, 0);
    }
    fcntl(link, F_SETFL, O_NONBLOCK);
    return link;
}

/* Copy what was read of a payload that is not kept, for the judge. */
static void keep(const char *bytes, size_t size) {
    if (copy < 0 || copied > COPY_MOST) return;
    copied += size;
    if (write_all(copy, bytes, size)) return;
    close(copy);
    copy = -1;
}

/* Read the payload's beginning, or all of it with the end mark. */
static void read_head(void) {
    struct pollfd wait = {.fd = 0, .events = POLLIN};
    size_t end = header_size + BULK;
    request_size = header_size;
    while (request_size < end && !whole) {
        ssize_t count = read_stdin(request + request_size, end - request_size);
        if (count > 0) request_size += (size_t)count;
        if (count < 0) poll(&wait, 1, -1);
        whole = count == 0;
    }
    if (whole) request[request_size++] = PAYLOAD_END;
}

/* Begin the copy for the judge where it may be needed: it is what bash does with a payload that it has not read. */
static void begin_copy(void) {
    bool judged = *config.python == '/' && (!*config.no_verdict || same(config.no_verdict, "judge")) &&
                  (config.closed || same(config.event, "PreToolUse"));
    if (!whole && judged && open_unnamed(&copy, &copy_reader)) keep(request, request_size);
}

/* What is left to send: some bytes, and then more of stdin until that ends. */
struct outgoing {
    const char *at;
    size_t size;
    bool ended; /* stdin was read to its end */
    bool lost;  /* the daemon takes no more */
    char chunk[CHUNK];
};

static void send_more(int link, struct outgoing *out) {
    ssize_t count = send(link, out->at, out->size, MSG_NOSIGNAL);
    if (count >= 0) {
        out->at += count;
        out->size -= (size_t)count;
    } else if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
        out->lost = true;
        out->size = 0;
    }
}

static void read_more(struct outgoing *out) {
    ssize_t count = read_stdin(out->chunk, sizeof out->chunk);
    if (count < 0) return;
    if (count == 0) {
        out->ended = true;
        out->chunk[count++] = PAYLOAD_END;
    }
    keep(out->chunk, (size_t)count);
    out->at = out->chunk;
    out->size = out->lost ? 0 : (size_t)count;
}

/* Read what the daemon says. Return false at its end. */
static bool receive(int link) {
    if (answer_size == answer_room) {
        char *more = answer_room < ANSWER_MOST ? malloc(answer_room * 4) : NULL;
        if (!more) return false;
        memcpy(more, answer, answer_size);
        if (answer != first_answer) free(answer);
        answer = more;
        answer_room *= 4;
    }
    ssize_t count = recv(link, answer + answer_size, answer_room - answer_size, 0);
    if (count > 0) answer_size += (size_t)count;
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK));
}

/* The size of the acknowledgement with its line's end, 0 while it is not complete, -1 if it is none. */
static int acknowledged(const char *bytes, size_t size) {
    size_t most = sizeof ACCEPTED - 1;
    const char *end = memchr(bytes, '\n', size);
    if (!end) return 0;
    return (size_t)(end - bytes) == most && memcmp(bytes, ACCEPTED, most) == 0 ? (int)most + 1 : -1;
}

/* Send the request, and read all that the daemon says, until the connection ends or the time is up.
 * Return the size of the acknowledgement. */
static size_t converse(int link, int64_t until) {
    static struct outgoing out;
    int ack = 0;
    out.at = request;
    out.size = request_size;
    out.ended = whole;
    send_more(link, &out);
    for (bool open = true; open;) {
        struct pollfd wait[2] = {{.fd = link, .events = (short)(out.size ? POLLIN | POLLOUT : POLLIN)},
                                 {.fd = out.size || out.ended ? -1 : 0, .events = POLLIN}};
        int64_t time = now(), end = ack ? began + config.deadline * 1000 : until;
        if (ack && end > time + PATIENCE_MS) end = time + PATIENCE_MS;
        int ready = poll(wait, 2, end > time ? (int)(end - time) : 0);
        if (ready < 0 && errno != EINTR) break;
        if (ready > 0 && wait[1].revents) read_more(&out);
        if (ready > 0 && out.size && (wait[0].revents & (POLLOUT | POLLERR | POLLHUP))) send_more(link, &out);
        if (ready > 0 && (wait[0].revents & ~POLLOUT)) open = receive(link);
        if (!ack) ack = acknowledged(answer, answer_size);
        if (ack < 0 && *answer == '\n') ask_again(NO_ACK);
        if (ack < 0) give_up("the daemon answered with something else than an acknowledgement");
        if (open && !ack && now() >= until && !more_patience(&until)) give_up(NO_ACK);
        if (ack && left() <= 0) break;
        /* A daemon that a signal has stopped will not answer. */
        if (ack && ready == 0 && daemon_state() == 'T') give_up(NO_ANSWER);
    }
    stdin_ended = out.ended;
    return (size_t)ack;
}

/* Return the JSON of the result, with the line's end in place of the last brace; NULL if it is none. */
static char *result_in(char *line, size_t size, size_t *result_size) {
    size_t start = sizeof PREFIX - 1;
    if (size < start + 2 || memcmp(line, PREFIX, start) != 0 || line[size - 2] != '}' ||
        memchr(line, '\n', size) != line + size - 1)
        return NULL;
    line[size - 2] = '\n';
    *result_size = size - 1 - start;
    return line + start;
}

/* Say whether the error is that the payload cannot be read. */
static bool unreadable(const char *line, size_t size) {
    static const char code[] = "\"code\":\"UNREADABLE\"";
    const size_t length = sizeof code - 1;
    for (const char *at = line; size >= length; at++, size--)
        if (memcmp(at, code, length) == 0) return true;
    return false;
}

/* Print the answer and end, or let bash continue. */
static _Noreturn void conclude(size_t ack) {
    size_t size = answer_size - ack, result_size = 0;
    char *line = answer + ack;
    if (!ack) {
        /* The last line may lack its end. */
        bool complete = size == sizeof ACCEPTED - 1 && memcmp(answer, ACCEPTED, size) == 0;
        if (size && !complete) give_up("the daemon answered with something else than an acknowledgement");
        ask_again(size ? NO_ANSWER : NO_ACK);
    }
    if (size < 2 || line[size - 1] != '\n') {
        if (left() > 0) ask_again(NO_ANSWER);
        give_up(NO_ANSWER);
    }
    char *result = result_in(line, size, &result_size);
    if (!result && unreadable(line, size)) give_up("its payload cannot be read as JSON");
    if (!result) give_up("the daemon answered with an error");
    if (!stdin_ended) drain();
    if (result_size != 5 || memcmp(result, "null\n", 5) != 0) write_all(1, result, result_size);
    exit(0);
}

/* ---- the start ---- */

/* Set what the program was started by, as bash has it in $0. */
static void find_path(char *const *argv) {
    path = *argv ? *argv : "";
#ifdef __linux__
    const char *executed = (const char *)getauxval(AT_EXECFN);
    if (executed) path = executed;
#elif defined __APPLE__
    static char executed[8192];
    uint32_t size = sizeof executed;
    if (!strchr(path, '/') && _NSGetExecutablePath(executed, &size) == 0) path = executed;
#endif
    const char *slash = strrchr(path, '/');
    name = slash ? slash + 1 : path;
}

/* Set the id of this process: another one can have the same number later. */
static void identify(void) {
    struct text text = {process, 0, sizeof process - 1, false};
    struct timespec time;
    uint32_t odd;
    clock_gettime(CLOCK_REALTIME, &time);
    odd = (uint32_t)time.tv_nsec ^ ((uint32_t)time.tv_sec << 20);
    put_number(&text, (uint64_t)getpid());
    put(&text, "-");
    put_number(&text, odd);
}

/* ---- the status line ---- */

#define RED "\x1b[2;31m"
#define PLAIN "\x1b[0m"
#define LINE_PREFIX PREFIX "{\"line\":\""

/* Print a line, without its colours if NO_COLOR is set, and end. It is changed. */
static _Noreturn void show(char *line, size_t size) {
    const char *no_color = variable("NO_COLOR");
    size_t to = 0;
    for (size_t from = 0; from < size; from++) {
        size_t end = from + 2;
        while (end < size && ((line[end] >= '0' && line[end] <= '9') || line[end] == ';')) end++;
        bool color = line[from] == '\x1b' && from + 1 < size && line[from + 1] == '[' && end < size && line[end] == 'm';
        if (color && no_color && *no_color) {
            from = end;
        } else {
            line[to++] = line[from];
        }
    }
    line[to] = '\n';
    if (to > 0) write_all(1, line, to + 1);
    exit(0);
}

static _Noreturn void show_words(const char *words) {
    static char line[128];
    struct text text = {line, 0, sizeof line - 1, false};
    put(&text, words);
    show(line, text.size);
}

/* Continue in the bash shim of the status line; stdin has the whole payload. Return if there is none. */
static void hand_line_over(void) {
    const char *const words[] = {"--resume", path};
    execute("hookd-statusline", words, sizeof words / sizeof *words);
}

/* Put what was read, and the rest of stdin, into a file of which stdin is the beginning. */
static bool rewind_stdin(void) {
    int writer, reader;
    struct pollfd wait = {.fd = 0, .events = POLLIN};
    if (!open_unnamed(&writer, &reader)) return false;
    bool done = write_all(writer, request + header_size, request_size - header_size);
    for (ssize_t count = 1; done && count != 0;) {
        count = read_stdin(first_answer, sizeof first_answer);
        if (count > 0) done = write_all(writer, first_answer, (size_t)count);
        if (count < 0) poll(&wait, 1, -1);
    }
    move(reader, 0);
    return done;
}

/* Send the request, and read until the connection ends, or a second each for the acknowledgement and the answer
 * is over. Return the size of the acknowledgement, 0 if there is none, -1 if it is another one. */
static int ask_for_line(int link) {
    static struct outgoing out;
    out.at = request;
    out.size = request_size;
    int64_t until = now() + PATIENCE_MS;
    int ack = 0;
    for (bool open = true; open && ack >= 0;) {
        struct pollfd wait = {.fd = link, .events = (short)(out.size ? POLLIN | POLLOUT : POLLIN)};
        int64_t rest = until - now();
        if (rest <= 0) break;
        if (poll(&wait, 1, (int)rest) <= 0) continue;
        if (out.size && (wait.revents & POLLOUT)) send_more(link, &out);
        if (wait.revents & ~POLLOUT) open = receive(link);
        if (!ack && (ack = acknowledged(answer, answer_size))) until = now() + PATIENCE_MS;
        if (ack > 0 && memchr(answer + ack, '\n', answer_size - (size_t)ack)) break;
        bool silent = answer_size == 0 ? !open : *answer == '\n';
        if (silent) show_words(RED "hookd is not running" PLAIN);
    }
    return ack;
}

/* Return the size of the line in the answer, with \u001b replaced; -1 if there is none. */
static ssize_t line_in(char *from, size_t size) {
    const size_t start = sizeof LINE_PREFIX - 1, code = sizeof "\\u001b" - 1;
    const char *end = memchr(from, '\n', size);
    size_t to = 0;
    if (end) size = (size_t)(end - from);
    if (size < start + 3 || memcmp(from, LINE_PREFIX, start) != 0 || memcmp(from + size - 3, "\"}}", 3) != 0) return -1;
    for (size_t at = start; at < size - 3; to++) {
        bool escape = size - 3 - at >= code && memcmp(from + at, "\\u001b", code) == 0;
        from[to] = escape ? '\x1b' : from[at];
        at += escape ? code : 1;
    }
    return (ssize_t)to;
}

/* Show what the daemon says. bash runs a user's own command, and reports a stop. */
static _Noreturn void run_status_line(bool plain) {
    static const char *const names[] = {"AGENT_ID", "CLAUDE_PROJECT_DIR", "CLAUDE_PID", "TMUX", "TMUX_PANE", "HOOKD_RUN"};
    struct text text = {request, 0, HEADER_MOST, false};
    struct stat status;
    char place[4096];
    bool known = plain && configure("") && *config.socket == '/';
    config.sent_count = 0;
    config.deadline = 2;
    put(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.statusLine\",\"params\":{\"body\":true,\"env\":{");
    if (!known || !beside_socket(place, sizeof place, ".stopped") || lstat(place, &status) == 0 ||
        stat(config.socket, &status) != 0 || !S_ISSOCK(status.st_mode) ||
        strlen(config.socket) >= sizeof ((struct sockaddr_un *)0)->sun_path ||
        !put_environment(&text, names, sizeof names / sizeof *names))
        hand_line_over();
    read_head();
    if (!whole && rewind_stdin()) hand_line_over();
    if (!header_size || !whole) show_words(RED "hookd cannot start /bin/bash" PLAIN);
    for (request_size--; request_size > header_size && request[request_size - 1] == '\n';) request_size--;
    request[request_size++] = PAYLOAD_END;
    int64_t until = now() + PATIENCE_MS;
    int link = connect_daemon(&until);
    if (link < 0 && errno != EAGAIN) show_words(RED "hookd is not running" PLAIN);
    int ack = link >= 0 && own_peer(link) ? ask_for_line(link) : -1;
    ssize_t size = ack > 0 ? line_in(answer + ack, answer_size - (size_t)ack) : -1;
    if (size < 0) show_words(RED "hookd does not answer" PLAIN);
    show(answer + ack, (size_t)size);
}

static _Noreturn void run_hook(bool plain) {
    bool known = plain && configure(name) && *config.rule && *config.socket == '/' && !config.odd;
    if (!known || !serving() || !describe()) hand_over("start", "");
    read_head();
    begin_copy();
    int64_t until = now() + PATIENCE_MS;
    int link = connect_daemon(&until);
    if (link < 0 && errno == EAGAIN) give_up(NO_ACK);
    if (link < 0) ask_again(NO_ACK);
    if (!own_peer(link)) give_up("the process at its socket is not yours");
    conclude(converse(link, until));
}

int main(int argc, char **argv) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    began = now();
    /* What is opened must not get the number of a standard stream that the client has closed. */
    for (int file = 0; file < 3; file++)
        if (fcntl(file, F_GETFD) < 0) open("/dev/null", O_RDWR);
    arguments = argv;
    sigaction(SIGPIPE, &ignore, &pipe_action);
    find_path(argv);
    if (same(name, "hookd-statusline")) run_status_line(argc < 2);
    identify();
    run_hook(argc == 1);
}
