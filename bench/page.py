"""The home of the page that a whole run writes: what was measured, where, and how to read it."""

from collections.abc import Sequence

from result import Result

HEAD = """\
# Benchmarks

<!-- Written by `make bench`: run it again, do not edit. -->

What hookd costs, beside the least that it could cost and beside what it replaces. `make bench`
makes this page anew on your machine, in some minutes. It needs nothing but what `make run` has set
up, and leaves your hooks and settings alone. To see a hook of your own among the others:

```sh
make bench HOOK='python3 my_hook.py'             # all of this page
make bench PART=hook HOOK='python3 my_hook.py'   # the whole hook alone, printed and not kept
```

It is run some sixty times as Claude Code would run it: by `sh -c`, in your own environment, with
the payload of a *PreToolUse* on stdin, a call of `echo`. What it does, it does. It may end with 0
or with 2.

## How to read it

* **Ratios first.** Both sides of a ratio were measured in the same minute, in turns, so that what
  slows one slows the other. The milliseconds are this machine's, and tell of no other.
* **Medians**, and beside them the 90th percentile (p90): one run in ten took longer than that. On a
  machine that does other things, the medians are what to go by.
* **Noise** is what `bash -c : again` shows, which is the same thing as `bash -c :`. What differs by
  less than those two does not differ.
* **CPU** is the processor time, user and system, of all processes of a hook. That of hookd's has a
  share of the daemon's in it, the mean of the run. Off Linux, the daemon is not seen, nor what a
  hook leaves behind, so that hookd looks better there than it is.
* **The scripts** do the least that is equivalent: they read the event, count the call in SQLite
  (Python) or in a file (Node), and check one rule. hookd judges by all its guards, and keeps the
  whole event, with secrets taken out.
* **An aim** is what hookd is meant to reach. A missed one is told, and changes nothing else. A call
  that is lost or counted twice ends the run, and no page is written.
"""


def render(result: Result) -> str:
    """Return the page of a whole run."""
    parts = [HEAD, *_machine(result), "## The whole hook\n"]
    for one in result.hooks:
        parts += [f"### {one.title[0].upper()}{one.title[1:]}\n", f"{_table(one.table())}\n"]
    parts += ["## The ratios, and what else was measured\n", f"{_table(result.lines())}\n"]
    return "\n".join([*parts, f"{result.verdict()}\n"])


def _machine(result: Result) -> list[str]:
    facts = ", ".join(f"{name} {value}" for name, value in result.machine.items())
    return ["## The machine\n", f"{facts}. The load is that of the minute before.{_busy(result)}\n"]


def _busy(result: Result) -> str:
    return f" **{result.warning()}**" if result.warning() else ""


def _table(lines: Sequence[Sequence[str]]) -> str:
    first, *rest = ["| " + " | ".join(line) + " |" for line in lines]
    rule = "| :-- |" + " --: |" * (len(lines[0]) - 1)
    return "\n".join([first, rule, *rest])
