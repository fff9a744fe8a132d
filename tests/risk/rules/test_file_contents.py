"""Files lose their content without being deleted: overwritten, emptied, read too late."""

from dataclasses import replace

from support.parametrize import parametrize_all
from support.risks import SHOP, found, said

LOSES = {
    "ask deletes": [
        # A data file is replaced by another one.
        *[
            "cp .env.example .env",
            "mv .env.example .env",
            "cp ../old.db app.db",
            "cp /tmp/app.db .",
        ],
        *["install -m 600 x .env", "ln -sf ../x .env", "echo A=1 > .env", "cat x >| app.db"],
        *[
            "cat > .env <<'E'\nA=1\nE",
            "curl -s https://example.com/x | tee .env",
            "cd web && id > .env",
        ],
        *["dd if=backup of=app.db", "printf 'A=1\\n' > web/.env.local", "id &> .env"],
        # Nothing is written to a file.
        *[
            "rsync x .env",
            "scp h:x .env",
            "> data.db",
            ": > src/app.py",
            "true > app.ts",
            "cat /dev/null > src/main.py",
        ],
        *["echo -n > src/app.py", "printf '' > config.yml", "cp /dev/null data.sqlite3"],
        *["cp /dev/null src/app.py", "dd if=/dev/zero of=src/app.py bs=1 count=10"],
        *[
            "dd if=/dev/zero of=data.db",
            "curl -o .env https://example.com/x",
            "wget -O app.db https://example.com/x",
            "echo > src/app.py",
            "sed -i /./d a.py",
            "sed -n -i s/a/b/ a.py",
            "perl -i -ne '' a.py",
            ": > data/a.csv",
            "tee src/app.py < /dev/null",
            "ln -sf /dev/null src/app.py",
        ],
        *[
            "truncate -s 0 src/app.py",
            "truncate -s0 data.csv",
            "sed -i d src/*",
            "sed -i '1,$d' a.py",
        ],
        *[
            "sed -i '' -e d a.py",
            "sed -i 's/.*//' a.py",
            "sed -i '/^/d' *",
            "perl -pi -e 's/.*//' *",
        ],
        *["find . -name '*.py' -exec sed -i d {} +"],
        # A file is emptied before it is read.
        *[
            "sort f > f",
            "jq . a.json > a.json",
            "cut -d, -f1 data.csv > data.csv",
            "sort < f > f",
            "(sort f) > f",
            'for f in *.json; do jq . "$f" > "$f"; done',
        ],
        *[
            "cat f | sort > f",
            "sort ./f > f",
            "sed s/a/b/ f >| f",
            "grep -v x .gitignore > .gitignore",
        ],
        *[
            "awk '{print $1}' data.txt > data.txt",
            "prettier a.ts > a.ts",
            "./clean.sh a.csv > a.csv",
        ],
        *[
            "cd web && jq . package.json > package.json",
            "sort f | tee f",
            "envsubst < a.yml > a.yml",
        ],
        *["npm test && sort f | uniq > f", "python3 fix.py notes.txt > notes.txt"],
    ],
    "": [
        *["cp .env.example /tmp/.env", "cp src/a.py src/b.py", "cp -n x .env"],
        *[
            "echo A=1 >> .env",
            "tee -a .env < x",
            "cp app.db app.db.bak",
            "cp app.db /tmp/",
            "> out.log",
        ],
        *[
            ": > pkg/__init__.py",
            "> out.txt",
            "echo x > src/app.py",
            "pg_dump app > app.dump",
            "mysqldump app | gzip > backup.sql.gz",
            "cat a > b",
            "true > dist/app.js",
        ],
        *[
            "sort f > g",
            "sort -o f f",
            "sort f | sponge f",
            "sort f >> f",
            "echo f > f",
            "ls f > f",
        ],
        *[
            "grep f g > f",
            "jq . a > b && mv b a",
            "sort f > f.new && mv f.new f",
            "sort /tmp/f > /tmp/f",
        ],
        *["echo x > f; sort f", "sort f; date > f", "make test > test", "sed -i s/a/b/ src/*"],
        *[
            "sed -i 3d a.py",
            "sed -i /x/d a.py",
            "sed d a.py",
            "sed -n -i s/a/b/p a.py",
            "perl -i -ne 'print if /x/' a.py",
            "truncate -s 0 app.log",
            "sed -i d out.log",
        ],
        *[
            "dd if=/dev/zero of=disk.img bs=1M count=1",
            "docker build . | tee build.log",
            "tee x < y",
        ],
        *[
            "sqlite3 test.db .dump > app.sql",
            "cd /tmp && echo > app.db",
            "sort f 2> f.log",
            "touch .env",
        ],
        "docker run x sh -c 'echo > .env'",
    ],
}


def rows(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(text, expected) for expected, texts in table.items() for text in texts]


@parametrize_all(("text", "expected"), rows(LOSES))
def test_the_content_of_files(text: str, expected: str) -> None:
    assert said(text) == expected


FILES = {
    "cp .env.example .env": ("/home/me/work/shop/.env", True),
    "cp /tmp/app.db .": ("/home/me/work/shop/app.db", True),
    "> data.db": ("/home/me/work/shop/data.db", False),
    "cd web && sort f > f": ("/home/me/work/shop/web/f", False),
    "rm ./app.db": ("/home/me/work/shop/app.db", False),
    "truncate -s 0 a.py": ("/home/me/work/shop/a.py", False),
}


@parametrize_all(("text", "expected"), list(FILES.items()))
def test_a_risk_names_the_files_whose_content_is_lost(
    text: str, expected: tuple[str, bool]
) -> None:
    (risk,) = found(text)
    assert (risk.files[-1], risk.if_present) == expected


def test_files_are_unknown_where_the_text_does_not_tell_them() -> None:
    for text in ("rm *.db", "rm $X/app.db", "sed -i d src/*"):
        assert [risk.files for risk in found(text)] == [()]
    assert [risk.files for risk in found("rm app.db", replace(SHOP, cwd=None))] == [()]


def test_a_reason_names_the_way_that_keeps_the_content() -> None:
    (risk,) = found("sort f > f")
    assert risk.reason == (
        "empties f (a part of the project) before `sort` reads it, and git has no known copy of it"
    )
    assert risk.alternative == (
        "Write to a new file, then rename it: `... > FILE.new && mv FILE.new FILE`."
    )
