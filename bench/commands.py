"""Long commands as sessions have them: another text with each number."""


def pipeline(number: int) -> str:
    """Return a command of 300 characters that was never judged."""
    parts = (
        f"cd src && grep -rn 'TODO {number}' --include='*.py' . | sort -u | head -n {number}",
        f"python3 -m pytest -q tests/test_orders_{number}.py -k 'total and not slow' 2>&1",
        f"tail -n 40 build/log_{number}.txt | awk '{{print $1, $3}}' | uniq -c",
        "git diff --stat HEAD~1 -- src tests",
    )
    return " && ".join(parts)[:300].ljust(300, "x")


def here_document(number: int) -> str:
    """Return a command of 10,000 characters, nearly all of them a text for a file."""
    return f"cat > notes.md <<'EOF'\n{_lines(number)}\nEOF"


def commit_message(number: int) -> str:
    """Return a command of 10,000 characters, nearly all of them a commit's message."""
    return f'git commit -m "{_lines(number)}"'


def _lines(number: int) -> str:
    lines = (f"Point {i} of {number}: totals are rounded once, at the end." for i in range(300))
    return "\n".join(lines)[:9_960]


def many_commands(number: int) -> str:
    """Return 200 simple commands, of which no two are equal."""
    words = ("grep -n total", "wc -l", "head -n 3", "sort -u", "file", "stat", "cut -c 1-9")
    lines = (f"{words[i % len(words)]} src/orders_{number}_{i}.py" for i in range(200))
    return "\n".join(lines)
