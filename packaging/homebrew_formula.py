"""Write the Homebrew formula: its resources are the sdists of requirements/release.txt.

Usage: homebrew_formula.py [--sdist FILE] [--check], with the Python that has uv. uv resolves each
locked version to the address of its sdist; a digest that the lock does not have is an error. With
the sdist of a release the formula has its digest; without it, it keeps that of the last release.
`--check` only compares versions and digests with the lock, without the package index.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "release.txt"
FORMULA = ROOT / "packaging" / "homebrew" / "hookd.rb"
FILES = "https://files.pythonhosted.org"
PYTHON = "python@3.13"

HEAD = """\
# Made by packaging/homebrew_formula.py from requirements/release.txt: run `make formula`.
class Hookd < Formula
  include Language::Python::Virtualenv

  desc "{description}"
  homepage "{homepage}"
{release}  license "MIT"
{head}
  depends_on "autoconf" => :build # uvloop
  depends_on "automake" => :build
  depends_on "libtool" => :build
  depends_on "rust" => :build # pydantic-core
  depends_on "libyaml"
  depends_on "{python}"
"""
RESOURCE = """
  resource "{name}" do
    url "{url}"
    sha256 "{digest}"
  end
"""
TAIL = """
  def install
    virtualenv_install_with_resources
  end

  def caveats
    <<~EOS
      To register hookd with your coding agents: hookd install
      After an upgrade: hookd upgrade
    EOS
  end

  test do
    ENV["HOOKD_HOME"] = testpath/"hookd"
    assert_match version.to_s, shell_output("#{bin}/hookd --version")
    assert_match "destructive-guard", shell_output("#{bin}/hookd policy list")
    system bin/"hookd", "install", "--settings", testpath/"settings.json", "--shim", "native"
  end
end
"""

Digests = Mapping[str, tuple[str, frozenset[str]]]
"""By package: its locked version, and the digests of its files."""


def locked() -> Digests:
    """Return what the lock file has."""
    found: dict[str, tuple[str, frozenset[str]]] = {}
    text = LOCK.read_text("ascii").replace("\\\n", " ")
    for line in text.splitlines():
        if one := re.match(r"([a-z0-9-]+)==([^ ;]+)", line):
            found[one[1]] = (one[2], frozenset(re.findall(r"--hash=sha256:([0-9a-f]{64})", line)))
    return found


def resources(digests: Digests) -> dict[str, tuple[str, str]]:
    """Return by package the public address of its sdist and the digest. Ask the package index.

    Raise SystemExit if a package has no sdist, or one with another digest.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "pylock.toml")
        uv = Path(sys.executable).with_name("uv")
        words = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
        words += ["--no-deps", "--format", "pylock.toml", "--output-file", str(place), str(LOCK)]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        packages = tomllib.loads(place.read_text("utf-8"))["packages"]
    found = {}
    for one in packages:
        sdist = one.get("sdist", {})
        digest = sdist.get("hashes", {}).get("sha256", "")
        version, known = digests[one["name"]]
        if one["version"] != version or digest not in known:
            sys.exit(f"{one['name']} {version} has no sdist with a digest of {LOCK.name}")
        # The index may be a mirror: its paths are those of the public one.
        found[one["name"]] = (FILES + urlsplit(sdist["url"]).path, digest)
    return found


def written() -> dict[str, tuple[str, str]]:
    """Return by package the address and the digest that the formula has."""
    block = r'resource "([^"]+)" do\n    url "([^"]+)"\n    sha256 "([0-9a-f]{64})"'
    text = FORMULA.read_text("ascii") if FORMULA.is_file() else ""
    return {name: (url, digest) for name, url, digest in re.findall(block, text)}


def stale(digests: Digests) -> list[str]:
    """Return how the formula differs from the lock file, a clause for each package."""
    known, found = written(), []
    for name, (version, hashes) in digests.items():
        url, digest = known.pop(name, ("", ""))
        if not url:
            found.append(f"{name} is missing")
        elif f"-{version}.tar.gz" not in url or digest not in hashes:
            found.append(f"{name} is not {version}")
    return found + [f"{name} is not locked" for name in known]


def release(sdist: Path | None) -> str:
    """Return the lines of the release: of a new sdist, else those that the formula has."""
    if sdist is None:
        text = FORMULA.read_text("ascii") if FORMULA.is_file() else ""
        kept = re.search(r'^  url ".*"\n  sha256 ".*"\n', text, re.MULTILINE)
        return kept[0] if kept else ""
    digest = hashlib.sha256(sdist.read_bytes()).hexdigest()
    return f'  url "{FILES}/packages/source/h/hookd/{sdist.name}"\n  sha256 "{digest}"\n'


def text(found: Mapping[str, tuple[str, str]], lines: str) -> str:
    """Return the formula. `head` builds the repository that pyproject.toml names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    source = project.get("urls", {}).get("Source", "")
    description = project["description"].split(":")[0].removeprefix("One ")
    head = HEAD.format(
        description=description[:1].upper() + description[1:],
        homepage=source or "https://pypi.org/project/hookd/",
        release=lines,
        head=f'  head "{source}.git", branch: "main"\n' if source else "",
        python=PYTHON,
    )
    rows = [
        RESOURCE.format(name=name, url=url, digest=digest)
        for name, (url, digest) in sorted(found.items())
    ]
    return head + "".join(rows) + TAIL


def main() -> int:
    """Write the formula, or check it; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sdist", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    digests = locked()
    if not options.check:
        FORMULA.write_text(text(resources(digests), release(options.sdist)), "ascii")
        print(f"{FORMULA.relative_to(ROOT)}: {len(digests)} resources")
        return 0
    if told := stale(digests):
        print(f"{FORMULA.name} is not of {LOCK.name}: {'; '.join(told)}\n  next: make formula")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
