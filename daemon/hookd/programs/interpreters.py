"""Interpreters of languages: python, node, perl, ruby, php, ..."""

from hookd.programs.model import Program, Rule, Table

_DENO_PUBLISHES = Table(
    "publishes",
    (
        Rule(
            "deno.publish",
            "publish",
            "deny",
            "publishes a version permanently",
            "If the program has `--dry-run`, it shows what would be published.",
        ),
    ),
)

PROGRAMS = (
    Program("python pypy", "starts-programs", language="python"),
    Program(
        (
            "python2 python3 py pypy3 python3.8 python3.9 python3.10 python3.11 python3.12"
            " python3.13 python3.14 php8.1 php8.2 php8.3 php8.4"
        ),
        "starts-programs",
    ),
    Program("ipython bpython", language="python"),
    Program("node nodejs", "starts-programs", language="js"),
    Program("deno", "starts-programs", (_DENO_PUBLISHES,), language="js"),
    Program("tsx ts-node", language="js"),
    Program("perl", "filters may-start", values="-e -E -I -r -C", language="perl"),
    Program("ruby", "filters starts-programs", values="-e -E -I -r -C", language="ruby"),
    Program("irb jruby", language="ruby"),
    Program("php", "starts-programs", language="php"),
    Program("lua luajit", language="lua"),
    Program("rscript r", language="r"),
    Program("osascript", "takes-text", language="osa"),
    Program("powershell pwsh", language="powershell"),
    Program("tclsh wish jimsh", language="tcl"),
    Program("expect", "wraps", language="tcl"),
    Program(
        (
            "julia groovy scala kotlin jshell swift elixir iex erl guile racket sbcl clojure clj bb"
            " ghc runghc ocaml raku perl6 crystal nim octave octave-cli matlab gnuplot maxima janet"
            " fennel csi"
        ),
        language="other",
    ),
)
