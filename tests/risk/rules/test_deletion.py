"""Deletion and writing of files are assessed by the area of the path."""

from support.parametrize import parametrize_all
from support.risks import found, said

DELETES = {
    "deny deletes": [
        *["rm -rf /", "rm -rf /*", "rm -fr ~", "rm -r -f ~/", "rm --recursive --force $HOME"],
        *["rm -rf ..", "rm -rf ../other", "rm -Rf /etc", "rm -rf -- /srv/data", "rm ~/*"],
        *["rm --recursi -f /usr", "rm -rf a b /var", "sudo rm -rf /opt/x", "rm /etc/hosts"],
        *["rm -rf --no-preserve-root x", "rm -rf ~/.cache/huggingface/hub", "unlink /bin/ls"],
        *["D=~/work; rm -rf $D", "for d in /etc /var; do rm -rf $d; done", "rimraf ~/work"],
        *["find / -delete", "find ~ -name '*.db' -exec rm {} +", "find .. -type f -delete"],
        *["find /etc -name x -print0 | xargs -0 rm", "shred ~/x", "truncate -s 0 /etc/passwd"],
        *["mv ~/work /dev/null", "rsync -a --delete empty/ ~/work/", "rmdir /usr"],
        *["ls ~ | xargs -I{} rm -rf ~/{}", "crontab -r", "rm -rf ~/.cache/[h]uggingface"],
        *[
            "rm -rf obj /usr/bin",
            "rm -rf obj ~/bin",
            "cd /usr && rm -rf obj bin",
            "rm -rf obj ../bin",
        ],
    ],
    "ask deletes": [
        *["rm -rf src", "rm -rf .", "rm -rf ./*", "rm *", "rm -r src/*", "rm -rf .git", "rm *.ts"],
        *['rm -rf "$X"', 'rm -rf "$X"/', "rm -rf $X/y", "rm -f $X", "rm -f ~/notes.txt"],
        *["rm -rf ../other/node_modules", "git ls-files -z | xargs -0 rm -f"],
        *["find . -type f -delete", "find . -name '*.ts' -delete", "find src | xargs rm"],
        *["find . -name '*.pyc' -o -name '*.py' -delete", "find . ! -name '*.pyc' -delete"],
        *["find . -name '*.ts' -exec sh -c 'rm \"$1\"' _ {} \\; -delete", "shred -u notes.txt"],
        *["truncate -s 0 src/app.ts", "mv src /dev/null", "rsync -a --delete empty/ src/"],
        *[
            "rm -rf /tmp",
            "rm -rf /tmp/*",
            "rm -rf /tmp/.",
            "rm -rf $TMPDIR/..",
            "rm -rf /var/tmp/*",
        ],
        *[
            "cd /tmp && rm -rf *",
            "find /tmp -delete",
            "find /tmp -type f -delete",
            "rm -r /dev/shm/*",
        ],
        *[
            "rm app.db",
            "rm -f db.sqlite3",
            "rm .env .env.local",
            "rm -rf dev.sqlite3",
            "unlink app.db",
        ],
        *[
            "rm $X/app.db",
            "ls *.db | xargs rm",
            "gio remove app.db",
            "rm data/prod.db-wal",
            "history -c",
        ],
        *[
            "find . -not -path ./x -o -name '*.pyc' -delete",
            "rm -rf bin src",
            'rm -rf "${X:?}"',
            "find . ! -name '*.pyc' -delete",
            "rm -f $X/*",
            "rm -f ${X}/$N",
            'for f in *.db; do rm "$f"; done',
            "for f in x app.db; do rm $f; done",
            'X=app.db; rm "$X"',
            "cmd /c rd /s /q src",
            "cmd /c 'del /s src'",
            "Remove-Item -Recurse -Force src",
            "del *.*",
            "rm backup.sql",
            "rm uploads/a.png",
            "rm -f ./backups/2024.tar.gz",
            "rm dump.sql.gz",
            "journalctl --vacuum-time=1s",
            "mv app.db /tmp/",
            "mv src/* /tmp/",
            "mv * /tmp/x/",
            "rmdir /s /q src",
            "rd /S /Q src",
            "del /f /s src",
            "robocopy a b /MIR",
            "robocopy a b /move",
        ],
        *["rsync -a --delete dist/ me@example.com:/srv/", "fd . -x rm", "npx rimraf src"],
    ],
    "": [
        *[
            "rm notes.txt",
            "rm -f a b c",
            'rm -f "$X"',
            "rm -f src/a.ts",
            "rm -rf node_modules dist",
        ],
        *["rm -rf ./build/", "rm -rf web/.next", "rm -rf /tmp/x", "rm -rf /tmp/x/*", "rm *.log"],
        *[
            "rm -rf *.egg-info",
            "rm -f shot-*.png",
            "T=$(mktemp -d); rm -rf $T",
            "rm --help",
            "rm -rf ''",
        ],
        *["T=$(mktemp -d); trap 'rm -rf \"$T\"' EXIT", "for d in dist out; do rm -rf $d; done"],
        *["rm -rf packages/*/dist", 'rm -rf "$ROOT"/node_modules', "rm .git/index.lock"],
        *["find . -name '*.pyc' -delete", "find . -name '*.pyc' | xargs rm -f"],
        *["find . -type d -name __pycache__ -prune -exec rm -rf {} +", "find . -empty -delete"],
        *[
            "rm test.db",
            "rm -f cache.sqlite3",
            "rm /tmp/app.db",
            "rm build/app.db",
            "rm .env.example",
        ],
        *[
            "find . -type d -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +",
            "rm -rf bin obj",
            "find src -name bin -o -name obj | xargs rm -rf",
            'd=$(mktemp -d); rm -rf "${d:?}"',
            'x=$(mktemp -d); cp a/x/* "$x"; rm -rf "$x"',
            "printf 'clean:\n\trm -rf src\n' > Makefile; make -n clean",
            "rm -f ${X}/part_$N.sam",
            "rd src",
            "del x.txt",
            "cmd /c dir",
            "Remove-Item x.txt",
            "Remove-Item -Recurse src -WhatIf",
            "rm backup.py",
            "rm uploads",
            "journalctl -u x",
            "mv app.db.bak /tmp/",
            "rm dump.py",
            "rmdir src",
            "robocopy a b",
            "robocopy a b /MIR /L",
            "rm -rf ${TMPDIR:?}/*",
        ],
        *[
            "find . -name '*.ts'",
            "find / -name x",
            "find /tmp -mtime +7 -delete",
            "truncate -s 0 app.log",
        ],
        *["truncate -s +1M /tmp/x", "rsync -a --delete src/ dist/", "rsync -an --delete a/ ~/b/"],
        *[
            "rm -rf node_modules package-lock.json",
            "npx rimraf dist",
            "pnpm rm -r lodash",
            "yarn remove x",
            "rmdir src/empty",
        ],
        *[
            "echo rm -rf /",
            "grep -r 'rm -rf /' .",
            "man rm",
            "which rm",
            "type rm",
            "command -v rm",
        ],
    ],
}

WRITES = {
    "deny outside": [
        *["echo x > /etc/hosts", "echo x | sudo tee -a /etc/hosts", "cp a /usr/bin/", "mv a /etc"],
        *[
            "cp -t /etc a b",
            "install -m 755 a /usr/bin/a",
            "ln -sf x /etc/x",
            "sed -i s/a/b/ /etc/x",
        ],
        *["tar xf a.tgz -C /", "unzip a.zip -d /usr", "dd if=a of=/etc/x", "mv /etc/hosts ."],
        *[
            "curl -o /usr/bin/x https://example.com/x",
            "cd / && echo x > etc/hosts",
            "date >| /etc/x",
        ],
        *["perl -pi -e s/a/b/ /etc/x", "wget -O /etc/x https://example.com"],
        *["scp h:x /etc/x", "rsync a /usr/lib/", "ln -s x /bin/sh", "install -d /etc/x"],
    ],
    "ask outside": [
        *["[ -f x ] || true; cp a ~/x", "[ -f ~/x ] || ls; echo a > ~/x"],
        *["echo x > /etc/nginx/nginx.conf", "cp a /etc/apt/sources.list.d/a.list", "tee /etc/motd"],
        *["echo x >> ~/.bashrc", "cp a ~/x", "mv ~/x .", "tee ../x < a", "sed -i s/a/b/ ~/.zshrc"],
        *["cd .. && echo x > other/y", "tar xf a.tgz -C ~", "cp a /usr/local/bin/", "crontab jobs"],
        *["tar czf ../x.tgz .", "tar -cf ~/x.tar src"],
        *["git config --global core.hooksPath x", "git config --system --unset a.b"],
    ],
    "deny disk": ["cat x > /dev/sda", "cp x /dev/sda", "tee /dev/nvme0n1 < x"],
    "ask history": ["echo x > .git/HEAD", "cp x .git/hooks/pre-commit"],
    "": [
        *["echo x > notes.txt", "echo x > /dev/null 2>&1", "echo x > /tmp/x", "cp /etc/hosts ."],
        *["cd web && npm run build > ../build.log", "sed -n p /etc/hosts", "sed s/a/b/ ~/.zshrc"],
        *[
            "perl -ne print /etc/hosts",
            "tar czf /tmp/a.tgz src",
            "tar xzf a.tgz",
            "unzip -l /etc/x",
        ],
        *[
            "tar tf a.tgz",
            'echo x > "$OUT"',
            "mkdir -p ~/.config/x",
            "touch ~/x",
            "cat < /etc/hosts",
        ],
        *["cp ~/.bashrc /tmp/x", "ln -s ../x y", "git config user.name x", "cp src/a.ts src/b.ts"],
        *["git config --global --get user.name", "git config --global user.name", "mv a b"],
        *["echo x >> .git/info/exclude", "curl -o x https://example.com/x", "scp x h:/etc/x"],
    ],
}


def rows(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(text, expected) for expected, texts in table.items() for text in texts]


@parametrize_all(("text", "expected"), rows(DELETES))
def test_deletion_is_assessed_by_the_area(text: str, expected: str) -> None:
    assert said(text) == expected


@parametrize_all(("text", "expected"), rows(WRITES))
def test_writing_is_assessed_by_the_area(text: str, expected: str) -> None:
    assert said(text) == expected


@parametrize_all(
    ("text", "files"),
    [
        ("install -m 0755 /tmp/shfmt ~/.local/bin/shfmt", ["/home/me/.local/bin/shfmt"]),
        ("install /tmp/x/dist ~/.cargo/bin/", ["/home/me/.cargo/bin/dist"]),
        ("cp a b ~/go/bin/", ["/home/me/go/bin/a", "/home/me/go/bin/b"]),
        ("cp a ~/bin/", None),
        ("cp git ~/.local/bin/", None),
        ("install x ~/.local/bin/sudo", None),
        ("cp ls-x ~/.local/bin/ls", None),
        ("cp $X ~/.local/bin/", None),
        ("cp x ~/.local/bin/../../.bashrc", None),
        ("cp x /usr/local/bin/x", None),
        ("cp x ~/.bashrc", None),
    ],
)
def test_a_new_name_in_the_users_folder_of_programs_is_asked_about_if_it_exists(
    text: str, files: list[str] | None
) -> None:
    risks = [risk for risk in found(text) if risk.kind == "outside"]
    assert risks
    if files is None:
        assert not any(risk.if_present for risk in risks)
    else:
        assert all(risk.if_present for risk in risks)
        assert [path for risk in risks for path in risk.files] == files
