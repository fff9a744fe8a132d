"""Programs for text: cat, grep, sed, awk, jq, sort, base64, echo, ..."""

from hookd.programs.model import Program

_GREP_VALUES = (
    "-e -f -A -B -C -m -D -d --regexp --file --include --exclude --exclude-dir --context"
    " --max-count --after-context --before-context --label"
)
_RG_VALUES = (
    "-e -f -A -B -C -m -g -t -T -r --regexp --file --glob --iglob --type --type-not"
    " --replace --context --max-count --ignore --ignore-dir --include --exclude"
)

PROGRAMS = (
    Program("cat", "shows repeats prints-file narrows plain takes-text"),
    Program(
        (
            "gcat pr unexpand difft tsort shuf look jc xmllint csvlook highlight ccat lolcat pv"
            " ptx pandoc iconv hexyl gbase64 uuencode code-minimap"
        ),
        "shows",
    ),
    Program("tac strings", "shows repeats plain"),
    Program("nl bat", "shows repeats plain takes-text"),
    Program("rev", "shows repeats plain decodes"),
    Program("head tail", "shows repeats narrows plain takes-text", values="-n -c --lines --bytes"),
    Program("ghead gtail", "shows", values="-n -c --lines --bytes"),
    Program("less more", "shows repeats plain may-run may-start takes-text"),
    Program("most", "shows plain may-start"),
    Program("fold fmt", "shows repeats plain takes-text", values="-w"),
    Program("expand", "shows is-subcommand"),
    Program("column", "shows narrows plain takes-text"),
    Program("cut", "shows narrows plain takes-text", values="-d -f -c -b --delimiter --fields"),
    Program("gcut", "shows", values="-d -f -c -b --delimiter --fields"),
    Program("paste join sdiff colordiff delta pygmentize glow batcat", "shows plain"),
    Program("comm diff", "shows plain takes-text"),
    Program("cmp bc date", "plain takes-text"),
    Program("vimdiff", "shows may-run runs-ex-commands"),
    Program("m4", "shows may-run"),
    Program(
        "sort",
        "shows repeats narrows takes-text",
        values="-k -t -o -S -T --key --output",
        saves="-o --output",
        runs="--compress-program",
    ),
    Program("gsort", "shows", values="-k -t -o -S -T --key --output", saves="-o --output"),
    Program("uniq", "shows repeats narrows takes-text"),
    Program("wc", "prints-nothing plain takes-text"),
    Program("tr", "repeats narrows plain takes-text"),
    Program(
        "grep",
        "filters searches repeats prints-names narrows plain takes-text",
        values=_GREP_VALUES,
    ),
    Program(
        "egrep",
        "filters searches repeats narrows plain takes-text",
        values=_GREP_VALUES,
    ),
    Program(
        "fgrep",
        "filters searches narrows plain takes-text",
        values=_GREP_VALUES,
    ),
    Program(
        "zgrep",
        "filters searches plain takes-text",
        values=_GREP_VALUES,
    ),
    Program(
        "ggrep",
        "filters searches",
        values=_GREP_VALUES,
    ),
    Program(
        "rg",
        "filters searches searches-folders repeats prints-names narrows plain takes-text",
        values=_RG_VALUES,
    ),
    Program(
        "ripgrep",
        "filters searches-folders",
        values=_RG_VALUES,
    ),
    Program(
        "ag",
        "filters searches searches-folders plain takes-text",
        values=_RG_VALUES,
    ),
    Program(
        "ack",
        "filters searches-folders plain takes-text",
        values=_RG_VALUES,
    ),
    Program(
        "ugrep",
        "filters searches searches-folders takes-text",
        values=_RG_VALUES,
    ),
    Program(
        "pcregrep",
        "filters",
        values=_GREP_VALUES,
    ),
    Program("sift fzf sk cal", "takes-text"),
    Program(
        "sed",
        "filters quotes-files repeats narrows takes-text",
        values="-e -f -l --expression --file",
    ),
    Program("gsed", "filters quotes-files takes-text", values="-e -f -l --expression --file"),
    Program(
        "awk gawk",
        "filters quotes-files repeats narrows takes-text",
        values="-F -v -f --file --assign -e -i",
        saves="-o --output-file",
        language="awk",
    ),
    Program(
        "mawk nawk",
        "filters quotes-files takes-text",
        values="-F -v -f --file --assign -e -i",
        language="awk",
    ),
    Program(
        "jq gojq", "filters queries-json plain takes-text", values="-f --from-file --indent -o -p"
    ),
    Program("jaq", "filters queries-json", values="-f --from-file --indent -o -p"),
    Program(
        "yq", "filters queries-json takes-text", values="-f --from-file --indent -o -p", saves="-s"
    ),
    Program("dasel", "filters", values="-f --from-file --indent -o -p"),
    Program("plutil", "shows sets-preferences"),
    Program("mdcat", "plain"),
    Program("dos2unix unix2dos", "prints-nothing"),
    Program("od hexdump hd", "shows repeats plain", values="-N -j -n -s -A -t -e"),
    Program("xxd", "shows repeats decodes", values="-l -s -c -g -o"),
    Program("base64 base32", "shows repeats decodes", values="-w", saves="-o --output"),
    Program("basenc", "shows decodes", values="-w"),
    Program("uudecode", "decodes"),
    Program("echo", "prints-words prints-nothing prints-names plain takes-text"),
    Program("printf", "prints-words prints-nothing prints-names plain takes-text sets-variables"),
    Program("print", "prints-words prints-nothing plain takes-text sets-names"),
    Program("seq expr", "prints-words plain takes-text"),
    Program("yes", "prints-words plain"),
    Program("dc", "plain may-run takes-text"),
    Program("view", "shows edits plain may-run runs-ex-commands"),
)
