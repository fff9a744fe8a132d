/* The native shim with any configuration, environment and answer, for libFuzzer: `make fuzz-native`.
 *
 * The first byte of the input selects what the rest is. What ends the process, or starts another,
 * returns here instead; sockets and files are of this process's own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int fuzz_execv(const char *program, char *const *words);
static _Noreturn void fuzz_exit(int code);
static ssize_t fuzz_write(int file, const void *bytes, size_t size);
static int fuzz_stat(const char *place, struct stat *status);

#define main shim_main
#define execv fuzz_execv
#define exit fuzz_exit
#define _exit fuzz_exit
#define write fuzz_write
#define access(place, mode) 0
#define stat(place, status) fuzz_stat(place, status)
#include "../../../daemon/hookd/shims/native/hookd-hook.c"
#undef write
#undef stat

static jmp_buf back;
static char handed[16], printed[1 << 20];
static size_t printed_size;

#define CHECK(truth) \
    if (!(truth)) __builtin_trap()

static int fuzz_execv(const char *program, char *const *words) {
    CHECK(same(program, "/bin/bash") && same(words[3], "--resume") && strlen(words[4]) < sizeof handed);
    memcpy(handed, words[4], strlen(words[4]) + 1);
    for (size_t i = 0; words[i]; i++) CHECK(i < 100);
    free((void *)(uintptr_t)words);
    longjmp(back, 1);
}

static _Noreturn void fuzz_exit(int code) {
    (void)code;
    longjmp(back, 2);
}

static ssize_t fuzz_write(int file, const void *bytes, size_t size) {
    if (file > 2) return write(file, bytes, size);
    CHECK(size <= sizeof printed - printed_size);
    memcpy(printed + printed_size, bytes, size);
    printed_size += size;
    return (ssize_t)size;
}

/* The bash shims beside the program are there, and not empty. */
static int fuzz_stat(const char *place, struct stat *status) {
    const char *slash = strrchr(place, '/');
    if (!slash || (!same(slash, "/hookd-hook") && !same(slash, "/hookd-cold"))) return stat(place, status);
    *status = (struct stat){.st_mode = S_IFREG, .st_size = 1};
    return 0;
}

/* Return the bytes as a text of its own, ended by 0. */
static char *text_of(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    CHECK(text);
    memcpy(text, data, size);
    text[size] = 0;
    return text;
}

static void try_config(const uint8_t *data, size_t size) {
    struct config one = NO_CONFIG;
    char *text = text_of(data, size);
    const char *end = text + size;
    parse_config(&one, text, "PreToolUse");
    const char *values[] = {one.denial, one.socket, one.python, one.no_verdict, one.rule};
    for (size_t i = 0; i < 5; i++) CHECK(!*values[i] || (values[i] > text && values[i] < end && !strchr(values[i], '\n')));
    CHECK(one.sent_count <= SENT_MOST && one.deadline >= 1 && one.deadline <= 999999999);
    for (size_t i = 0; i < one.sent_count; i++) CHECK(one.odd || strspn(one.sent[i], "_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == strlen(one.sent[i]));
    CHECK(!*one.rule || same(one.event, "PreToolUse"));
    CHECK(!one.closed || one.refuses);
    CHECK(one.odd || strspn(one.client, "-abcdefghijklmnopqrstuvwxyz") == strlen(one.client));
    free(text);
}

/* A denial is printed with the reason in place of its first mark, and nothing is said on stderr. */
static void try_denial(const uint8_t *data, size_t size) {
    static const char start[] = "\"hookd could not judge this call (a \\\"reason\\\") and is set";
    if (size > CONFIG_MOST) return;
    char *text = text_of(data, size), *mark = strchr(text, '@');
    size_t before = mark ? (size_t)(mark - text) : strlen(text);
    config = (struct config)NO_CONFIG;
    config.event = "PreToolUse";
    config.client = "gemini";
    config.denial = text;
    config.rule = "10 closed PreToolUse";
    config.closed = true;
    printed_size = 0;
    if (setjmp(back) == 0) fail("a \"reason\"");
    CHECK(printed_size == 0 || (printed_size > before && memcmp(printed, text, before) == 0 && printed[printed_size - 1] == '\n'));
    CHECK(printed_size > 0 || !*text);
    if (mark) CHECK(memcmp(printed + before, start, sizeof start - 1) == 0);
    size_t after = mark ? strlen(mark + 1) : 0;
    CHECK(!after || memcmp(printed + printed_size - 1 - after, mark + 1, after) == 0);
    free(text);
}

static int hex(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

/* A quoted text is read back as what it was; in less room it is never written beyond it. */
static void try_quoting(const uint8_t *data, size_t size) {
    char *value = text_of(data, size);
    size = strlen(value); /* the data may have a 0 */
    char *quoted = malloc(6 * size + 3), *narrow = malloc(size + 1);
    struct text text = {quoted, 0, 6 * size + 3, false}, less = {narrow, 0, size, false};
    CHECK(quoted && narrow);
    put_quoted(&text, value);
    put_quoted(&less, value);
    CHECK(!text.full && less.full && quoted[0] == '"' && quoted[text.size - 1] == '"');
    const char *from = value;
    for (size_t at = 1; at < text.size - 1; at++, from++) {
        char byte = quoted[at];
        CHECK((unsigned char)byte >= 0x20 && byte != '"' && byte != 0x7f);
        if (byte == '\\' && quoted[at + 1] == 'u') {
            byte = (char)(16 * hex(quoted[at + 4]) + hex(quoted[at + 5]));
            at += 5;
        } else if (byte == '\\') {
            byte = quoted[++at];
        }
        CHECK(byte == *from);
    }
    CHECK(*from == 0);
    free(value);
    free(quoted);
    free(narrow);
}

static void try_header(const uint8_t *data, size_t size) {
    extern char **environ;
    char *text = text_of(data, size), **own = environ, *list[64];
    size_t count = 0;
    for (char *at = text, *end = text + size; at < end && count < 63; at += strlen(at) + 1) list[count++] = at;
    list[count] = NULL;
    environ = list;
    config = (struct config){.event = "PreToolUse", .client = "codex", .sent = {"MINE", "TERM"}, .sent_count = 2, .deadline = 10};
    path = count ? list[0] : "";
    if (describe()) {
        CHECK(header_size <= HEADER_MOST && memchr(request, '\n', header_size) == request + header_size - 1);
        for (size_t i = 0; i + 1 < header_size; i++) CHECK((unsigned char)request[i] >= 0x20 && request[i] != 0x7f);
    }
    environ = own;
    path = "/nowhere/user/PreToolUse";
    free(text);
}

/* Say what is to be printed of an answer, by the rule and not by parts of it as they arrive; NULL if nothing. */
static const uint8_t *expected(const uint8_t *data, size_t size, size_t *length) {
    const size_t ack = sizeof ACCEPTED, start = sizeof PREFIX - 1;
    if (size < ack + start + 2 || memcmp(data, ACCEPTED "\n" PREFIX, ack + start) != 0) return NULL;
    if (data[size - 2] != '}' || memchr(data + ack, '\n', size - ack) != data + size - 1) return NULL;
    *length = size - ack - start - 2;
    if (*length == 4 && memcmp(data + ack + start, "null", 4) == 0) *length = 0;
    return data + ack + start;
}

static void try_answer(const uint8_t *data, size_t size) {
    static char *const words[] = {"hookd-hook.native", NULL};
    int ends[2];
    size_t length = 0;
    if (size > 100000) return;
    const uint8_t *result = expected(data, size, &length);
    int first = dup(0);
    close(first);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    config = (struct config)NO_CONFIG;
    config.event = "PreToolUse";
    config.socket = "/dev/null/hookd.sock";
    config.rule = "10 open PreToolUse";
    config.deadline = 10;
    arguments = words;
    path = "/bin/true";
    name = path + 5;
    began = now();
    answer_size = printed_size = 0;
    request_size = header_size = 3;
    memcpy(request, "{}\n", 3);
    request[request_size++] = PAYLOAD_END;
    whole = true;
    *handed = 0;
    CHECK(write(ends[1], data, size) == (ssize_t)size);
    shutdown(ends[1], SHUT_WR);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (setjmp(back) == 0) conclude(converse(ends[0], now() + PATIENCE_MS));
    for (int file = first; file < first + 8; file++) close(file);
    if (result && length == 0 && size == sizeof ACCEPTED + sizeof PREFIX - 1 + 6) {
        CHECK(printed_size == 0 && !*handed);
    } else if (result) {
        CHECK(printed_size == length + 1 && memcmp(printed, result, length) == 0 && printed[length] == '\n');
    } else {
        CHECK(printed_size == 0 && (same(handed, "again") || same(handed, "failed")));
    }
}

static void try_line(const uint8_t *data, size_t size) {
    char *text = text_of(data, size);
    ssize_t length = line_in(text, size);
    CHECK(length < (ssize_t)size);
    printed_size = 0;
    if (length >= 0 && setjmp(back) == 0) show(text, (size_t)length);
    CHECK(length < 0 || printed_size <= (size_t)length + 1);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const tries[])(const uint8_t *, size_t) = {try_config, try_quoting, try_header, try_answer, try_line, try_denial};
    if (size == 0) return 0;
    tries[data[0] % 6](data + 1, size - 1);
    return 0;
}
