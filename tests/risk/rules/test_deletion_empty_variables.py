"""Deletion with a variable that may be empty, or after a `cd` that may fail."""

from support.parametrize import parametrize_all
from support.risks import said

TMPDIR = {
    "ask deletes": [
        *["rm -rf $TMPDIR/*", 'rm -rf "$TMPDIR"/*', "rm -rf ${TMPDIR}/", "rm -rf $TMPDIR/home"],
        *["rm -rf $TMPDIR/../home", "rm -rf $TMPDIR/$X", "cd $TMPDIR; rm -rf *"],
        *["cd $TMPDIR && rm -rf *", 'find "$TMPDIR/" -delete', "find $TMPDIR -delete"],
        *["cd x && TMPDIR=$(mktemp -d); rm -rf $TMPDIR/*"],
    ],
    "deny deletes": ["rm -rf ${TMPDIR:-/tmp}/../home"],
    "": [
        *['rm -rf "$TMPDIR"', "rm -rf $TMPDIR/shop-test", "rm -rf $TMPDIR/shop-$X"],
        *["rm -rf ${TMPDIR:?}/*", 'rm -rf "${TMPDIR:-/tmp}"/shop/*', 'find "$TMPDIR" -delete'],
        *["TMPDIR=$(mktemp -d); rm -rf $TMPDIR/*", "TMPDIR=/tmp/x; rm -rf $TMPDIR/*"],
        *["set -eu; rm -rf $TMPDIR/*", "echo x > $TMPDIR/x", "cd $TMPDIR && touch x"],
    ],
}

FAILING = {
    "ask deletes": [
        *["cd dist; rm -rf *", "cd dist || true; rm -rf *", "cd out; rm -rf ./*"],
        *["pushd dist; rm -rf *; popd", "cd dist && npm i; rm -rf *", "cd dist; find . -delete"],
        *["(cd dist; rm -rf *)", "(cd dist && ls); rm -rf *", "cd $TMPDIR/x; rm -rf *"],
    ],
    "": [
        *["cd dist && rm -rf *", "(cd build && rm -rf ./*)", "npm ci && cd build && rm -rf ./*"],
        *["cd dist || exit 1; rm -rf *", "cd dist || { echo no; exit 1; }; rm -rf *"],
        *["set -e; cd dist; rm -rf *", "set -euo pipefail\ncd dist\nrm -rf *"],
        *["mkdir -p dist; cd dist; rm -rf *", "if cd dist; then rm -rf *; fi"],
        *["cd dist; rm -rf assets", "(cd .. && ls); rm -rf dist", "cd dist && rm -rf * && cd .."],
    ],
}

ASSIGNED_LATER = {
    "ask deletes": [
        'D=dist; [ -n "$1" ] || export D=$HOME; rm -rf $D',
        "D=dist\nexport D=$(cat x)\nrm -rf $D",
        "D=dist; f() { local D=$1; rm -rf $D; }; f src",
        "D=dist; f() { local D; rm -rf $D/; }; f",
        *["[ -d x ] && { D=dist; }; rm -rf $D/*", "f() { D=dist; }; rm -rf $D/*"],
        *["if [ -d x ]; then\nD=dist\nfi\nrm -rf $D/*", "{ D=dist; } & rm -rf $D/*"],
        "if x; then\nif y; then\nz\nfi\nD=dist\nelse\nw\nfi\nrm -rf $D/*",
    ],
    "": [
        *["f() { local D; D=dist; rm -rf $D; }; f", "D=dist; export D; rm -rf $D"],
        "if [ -d x ]; then\nD=dist\nrm -rf $D/*\nfi",
        "D=dist; if x; then\nD=out\nfi\nrm -rf $D/*",
        "if x; then\nD=dist\nif y; then\nz\nelse\nw\nfi\nrm -rf $D/*\nfi",
    ],
}


@parametrize_all(
    ("text", "expected"),
    [
        (text, verdict)
        for table in (TMPDIR, FAILING, ASSIGNED_LATER)
        for verdict in table
        for text in table[verdict]
    ],
)
def test_deletion_with_an_empty_variable_or_a_failed_cd_is_asked_about(
    text: str, expected: str
) -> None:
    assert said(text) == expected
