"""The page that a whole run writes: results, machine and method."""

from collections.abc import Sequence

from result import Result

HEAD = """\
# Benchmarks

<!-- Written by `make bench`: run it again, do not edit. -->

The cost of hookd, compared with the least possible cost and with what it replaces. `make bench`
writes this page for your machine, in a few minutes. It needs only the setup of `make run`, and
does not touch your hooks and settings. To compare a hook of your own:

```sh
make bench HOOK='python3 my_hook.py'             # all of this page
make bench PART=hook HOOK='python3 my_hook.py'   # the whole hook alone, printed and not kept
make bench BASE=v0.1.0                           # beside an older commit, in the same run
make bench EVENTS=10000000                       # with the largest database; 8 GB for a while
```

It runs about sixty times as Claude Code would run it: by `sh -c`, in your own environment, with
the payload of a *PreToolUse* on stdin, a call of `echo`. Its effects are real. It may end with
0 or with 2.

## Method

* **Ratios first.** Both sides of a ratio were measured in the same minute, in turns, so that
  what slows one slows the other. The milliseconds are valid for this machine only.
* **Medians**, with the 90th percentile (p90): one run in ten took longer. On a busy machine,
  use the medians.
* **Noise** is the difference of `bash -c : again` to `bash -c :`, the same command. Smaller
  differences mean nothing.
* **CPU** is the processor time, user and system, of all processes of a hook. For hookd it
  includes a share of the daemon's, the mean of the run. Outside Linux, the daemon and processes
  that a hook leaves behind are not measured, so hookd looks better there than it is.
* **The scripts** do the least that is equivalent: they read the event, count the call in SQLite
  (Python) or in a file (Node), and check one rule. hookd evaluates all guards, and stores the
  whole event without secrets.
* **Other guards** are downloaded from their registries into `.bench/`, and started by the command
  that they register with the client. What they check differs, and so does what they keep: the
  table compares only the time. `hcom` carries messages and guards nothing.
* **before** is an older commit of hookd, in an environment of its own, in the same run.
* **An aim** is a target of hookd. A missed aim is reported, and changes nothing else. A call
  that is lost or counted twice ends the run, and no page is written.
"""


def render(result: Result) -> str:
    """Return the page of a whole run."""
    parts = [HEAD, *_machine(result), "## The whole hook\n"]
    for one in result.hooks:
        parts += [f"### {one.title[0].upper()}{one.title[1:]}\n", f"{_table(one.table())}\n"]
    parts += ["## Ratios and other measurements\n", f"{_table(result.lines())}\n"]
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
