"""Live: a daemon that ends by a fault leaves no process behind."""

import subprocess
import sys

from conftest import Home

FAULTY = """
import asyncio
from hookd.board import Board
from hookd.cli import main
from hookd.jobs import Rounds

look, seen = Board._look, asyncio.Event()

async def looks(board):
    await look(board)
    seen.set()

async def fails(rounds):
    await seen.wait()
    raise RuntimeError

Board._look, Rounds.run = looks, fails
main(["serve"])
"""
"""A daemon with a fault in what it does beside its answers, once it has read its database."""


def test_a_fault_beside_the_answers_ends_the_whole_process(home: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FAULTY], env=home.env, capture_output=True, timeout=20, check=False
    )
    assert done.returncode != 0
    assert home.logged("the daemon ends by a fault") != []
