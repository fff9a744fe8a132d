"""The home of what is applied without a look: plans of terraform, patches of kubectl."""

import re
from collections.abc import Iterator

from hookd.risk.model import CommandCall, Risk
from hookd.risk.subcommands import CALM, begins, danger, given_exactly

_ZEROED = re.compile(r"[\"']?replicas[\"']?\s*:\s*0\b|finalizers[\"']?\s*:\s*(?:null|\[\s*\])")


def patched(call: CommandCall) -> Iterator[Risk]:
    """Yield that a patch stops a workload, or lets go of what was kept until it was cleaned up."""
    texts = (item.text for item in call.values("-p", "--patch"))
    if begins(call.items, "patch") and any(map(_ZEROED.search, texts)):
        yield danger(call, "cloud", "ask", "stops a workload, or drops what keeps its data")


def planned(call: CommandCall) -> Iterator[Risk]:
    """Yield that a plan to destroy is kept to be applied, or that a pipe answers the question."""
    if given_exactly(call, (*CALM, "-help", "-h")):
        return
    if begins(call.items, "plan") and call.has("-destroy") and call.values("-out"):
        why = "keeps a plan to destroy everything, which is applied without a question"
        yield danger(call, "cloud", "ask", why, "Without -out it only shows what would go.")
    elif begins(call.items, "apply") and (call.command.piped_input or call.command.stdin):
        why = "changes resources without a question"
        yield danger(call, "cloud", "ask", why, "`terraform plan` tells what it does.")
