"""Files that a line writes and then runs are assessed as they run; programs it copies, too."""

import shlex

from hypothesis import given
from hypothesis import strategies as st

from hookd.risk.generated_files import _copy
from hookd.shell.commands import read
from support.parametrize import parametrize_all
from support.risks import said

WRITES = [
    "echo {} > x.sh",
    "printf '%s\\n' {} > x.sh",
    "cat <<< {} > x.sh",
    "tee x.sh <<< {} > /dev/null",
    "echo {} | tee x.sh",
    "echo {} | cat > x.sh",
    "echo {} | sponge x.sh",
    "dd of=x.sh <<< {}",
    "{{ echo set -e; echo {}; }} > x.sh",
    "(echo set -e; echo {}) > x.sh",
    "echo {} > y.sh; cp y.sh x.sh",
    "echo {} > y.sh; mv y.sh x.sh",
    "echo {} > y.sh; ln -s y.sh x.sh",
]
RUNS = ["sh x.sh", "bash ./x.sh", ". ./x.sh", "chmod +x x.sh && ./x.sh", "sh < x.sh"]


@given(st.sampled_from(WRITES), st.sampled_from(RUNS), st.sampled_from(["rm -rf ~", "rm -rf /etc"]))
def test_a_file_that_is_written_and_run_is_its_commands(write: str, run: str, harm: str) -> None:
    assert said(f"{write.format(shlex.quote(harm))}; {run}") == "deny deletes"
    assert said(f"{write.format(shlex.quote('ls -l'))}; {run}") == ""


ROWS = {
    "deny deletes": [
        """python3 -c "open('x.sh','w').write('rm -rf ~')" && sh x.sh""",
        """node -e "require('fs').writeFileSync('x.sh','rm -rf ~')" && bash x.sh""",
        """python3 -c "print('rm -rf ~')" > x.sh; sh x.sh""",
        """jq -n -r '"rm -rf ~"' > x.sh; sh x.sh""",
        """ruby -e 'File.write("x.sh","rm -rf ~")' && sh x.sh""",
        """echo 'import shutil; shutil.rmtree("/srv")' > a.py; uv run a.py""",
        """echo 'import shutil; shutil.rmtree("/srv")' > a.py; python3 -m a""",
        """echo 'import shutil; shutil.rmtree("/srv")' > a.py; python3 -c 'import a'""",
        """echo 'require("fs").rmSync("/srv",{recursive:true})' > a.ts; npx tsx a.ts""",
        """echo 'require("fs").rmSync("/srv",{recursive:true})' > a.js; node -r ./a.js -e 1""",
        """echo 'BEGIN{system("rm -rf ~")}' > a.awk; awk -f a.awk""",
        """echo '{"scripts":{"x":"rm -rf ~"}}' > package.json; npm run x""",
        "printf 'x:\\n  rm -rf ~\\n' > justfile; just x",
        "cp /bin/rm /tmp/ls; /tmp/ls -rf ~",
        "ln -sf $(which rm) ./x && ./x -rf ~",
        "cat /bin/rm > /tmp/z; chmod +x /tmp/z; /tmp/z -rf ~",
    ],
    "": [
        "echo 'print(1)' > a.py; python3 a.py",
        """echo '{"scripts":{"x":"tsc"}}' > package.json; npm run x""",
        "echo 'rm -rf ~' > notes.txt; cat notes.txt",
        "cp /bin/ls /tmp/x; /tmp/x -la",
        "echo '{' > package.json; npm test",
        "python3 - <<'E'\nprint('it(')\nE\ngen > x.sh; sh x.sh",
        "ln -s ../bin/tool ./tool && ./tool --help",
    ],
}


@parametrize_all(("text", "expected"), [(text, said) for said in ROWS for text in ROWS[said]])
def test_what_a_line_makes_and_runs_is_assessed(text: str, expected: str) -> None:
    assert said(text) == expected


def test_a_file_that_is_copied_over_itself_keeps_one_content() -> None:
    texts = {"f": ["rm -rf ~"]}
    _copy(read("echo 'rm -rf ~' > f; " + "cp f f; " * 12 + "sh f"), texts)
    assert texts == {"f": ["rm -rf ~"]}
