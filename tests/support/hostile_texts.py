r"""Texts that do harm where they are shown unescaped: in a page, a stream of events, a terminal.

Each sets `ran` in the top window, or makes the browser contact `ELSEWHERE`. `place` is a template
in which the text does that, with `§` in its place. tests/browser shows that a browser obeys them.
"""

from dataclasses import dataclass

from hookd.lazy_pattern import lazy_compile

ELSEWHERE = "hostile.invalid"
"""A host that does not exist. A request to it shows that a text was used as an address."""

PRODUCT = "22962963"
"""What a template engine writes for `7654321*3`."""

CONTROL = lazy_compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f]")
"""Characters that change how others are shown. No page and no terminal may contain them raw."""


@dataclass(frozen=True)
class Hostile:
    """A text, and a template that obeys it; an empty `place`: none in a browser does."""

    name: str
    text: str
    place: str = ""

    def page(self) -> str:
        """Return a page that shows the text unescaped."""
        return f"<!doctype html><body>{self.place.replace('§', self.text)}"


_ELEMENT = "<p>§</p>"

HTML = (
    Hostile("script", "<script>top.ran=1</script>", _ELEMENT),
    Hostile("image", "<img src=x onerror=top.ran=1>", _ELEMENT),
    Hostile("details", "<details open ontoggle=top.ran=1>", _ELEMENT),
    Hostile("focus", "<input autofocus onfocus=top.ran=1>", _ELEMENT),
    Hostile("frame", "<iframe srcdoc='<script>top.ran=1</script>'></iframe>", _ELEMENT),
    Hostile("alert", "<script>alert(1)</script>", _ELEMENT),
    Hostile("upper case", "<ScRiPt>top.ran=1</sCrIpT>", _ELEMENT),
    Hostile("slashes", "<img/src='x'/onerror='top.ran=1'>", _ELEMENT),
    Hostile("unclosed", "<img src=x onerror=top.ran=1 <b", _ELEMENT),
    Hostile("remote image", f"<img src=//{ELSEWHERE}/image>", _ELEMENT),
    Hostile("remote style", f"<link rel=stylesheet href=//{ELSEWHERE}/style.css>", _ELEMENT),
    Hostile("remote script", f"<script src=//{ELSEWHERE}/script.js></script>", _ELEMENT),
    Hostile("refresh", f"<meta http-equiv=refresh content='0;url=http://{ELSEWHERE}/'>", _ELEMENT),
    Hostile("base", f"<base href=//{ELSEWHERE}/>", "§<img src=relative>"),
    Hostile("title", "</title><script>top.ran=1</script>", "<title>§</title>"),
    Hostile("text area", "</textarea><script>top.ran=1</script>", "<textarea>§</textarea>"),
    Hostile("comment", "--><script>top.ran=1</script>", "<!-- § -->"),
    Hostile("vector", "<svg onload=top.ran=1>", _ELEMENT),
    Hostile("vector script", "<svg><script>top.ran=1</script></svg>", _ELEMENT),
    Hostile("animation", "<svg><animate onbegin=top.ran=1 attributeName=x dur=1s></svg>", _ELEMENT),
    Hostile("in vector", "</text><script>top.ran=1</script>", "<svg><text>§</text></svg>"),
)

ATTRIBUTES = (
    Hostile("quote", '" autofocus onfocus="top.ran=1', '<input value="§">'),
    Hostile("apostrophe", "' autofocus onfocus='top.ran=1", "<input value='§'>"),
    Hostile("space", "x autofocus onfocus=top.ran=1", "<input value=§>"),
    Hostile("backquote", "`><script>top.ran=1</script>", "<input value=`§`>"),
    Hostile("entity", "&lt;script&gt;top.ran=1&lt;/script&gt;", "<iframe srcdoc='§'></iframe>"),
    Hostile("address", "javascript:top.ran=1", "<iframe src='§'></iframe>"),
    Hostile("address, tab", "java\tscript:top.ran=1", "<iframe src='§'></iframe>"),
    Hostile("address, data", "data:text/html,<script>fetch('//hostile.invalid/')</script>"),
    Hostile("address, host", f"//{ELSEWHERE}/link", "<img src='§'>"),
    Hostile("handler", "');top.ran=1;('", "<img src=x onerror=\"String('§')\">"),
)

SCRIPTS = (
    Hostile("string", '";top.ran=1;"', '<script>const text = "§";</script>'),
    Hostile("json", '</script><script>top.ran=1</script>{"a":"', '<script>x={"a":"§"}</script>'),
    Hostile(
        "json block",
        '"}</script><script>top.ran=1</script>',
        '<script type=application/json>{"a":"§"}</script>',
    ),
    Hostile("literal", "${top.ran=1}", "<script>const text = `§`;</script>"),
    Hostile("line separator", "\u2028top.ran=1\u2028", "<script>// §\n</script>"),
    Hostile("style", "</style><script>top.ran=1</script>", "<style>a { color: § }</style>"),
    Hostile("style url", f"url(//{ELSEWHERE}/css)", '<p style="background: §">x</p>'),
    Hostile("style import", f"@import '//{ELSEWHERE}/css';", "<style>§</style>"),
)

TEMPLATES = (
    Hostile("braces", "{{ 7654321*3 }}"),
    Hostile("statement", "{% print 7654321*3 %}"),
    Hostile("percent", "<%= 7654321*3 %>"),
    Hostile("dollar", "${7654321*3} #{7654321*3}"),
    Hostile("format", "{0.__class__.__init__} %(x)s %s %n"),
    Hostile("rich", "[bold red]x[/bold red] [link=http://hostile.invalid]x[/link] [/]"),
)

STREAMS = (
    Hostile("event", "x\n\nevent: reload\ndata: <script>top.ran=1</script>\n\n"),
    Hostile("event, cr", "x\r\rdata: <img src=x onerror=top.ran=1>\r\r"),
    Hostile("header", "x\r\nSet-Cookie: hostile=1\r\n\r\n<script>top.ran=1</script>"),
    Hostile("utf-7", "+ADw-script+AD4-top.ran=1+ADw-/script+AD4-"),
)

CHARACTERS = (
    Hostile("right to left", "safe\u202egnp.exe \u2066x\u2069 \u200fx"),
    Hostile("color", "\x1b[31mred\x1b[0m\x1b[2J\x1b[H \x9b31m"),
    Hostile("terminal title", "\x1b]0;title\x07 \x1b]8;;http://hostile.invalid\x1b\\link"),
    Hostile("control", "a\x08\x08b\x7f\x0c\x0b\x01"),
    Hostile("null", "a\0b<script>top.ran=1</script>"),
    Hostile("combining", "Z" + "\u0351\u0332" * 40),
    Hostile("half of a pair", "\ud83d x"),
    Hostile("noncharacter", "\ufffe\uffff"),
    Hostile("long word", "W" * 6_000),
    Hostile("many lines", "<b>line\n" * 400),
)

TEXTS = (*HTML, *ATTRIBUTES, *SCRIPTS, *TEMPLATES, *STREAMS, *CHARACTERS)

ALL_IN_ONE = (
    "'\"`></script></style></title></textarea>--><img src=x onerror=top.ran=1>"
    "{{7654321*3}}\u202e\x1b[31m"
)
"""A short text that leaves most contexts, for places where one has to do."""
