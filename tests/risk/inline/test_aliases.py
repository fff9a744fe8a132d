"""Functions of other languages under another name, or passed without a call."""

from support.parametrize import parametrize_all
from support.risks import said

ROWS = {
    "deny deletes": [
        """python3 -c "from shutil import rmtree as r; r('/srv/x')" """,
        """python3 -c "f=__import__('shutil').rmtree; f('/srv/x')" """,
        """python3 -c "import os as o; o.truncate('/srv/x', 0)" """,
        """python3 -c "from os import system as s; s('rm -rf ~/old')" """,
        """python3 -c "from subprocess import run as r; r(['rm', '-rf', '/srv/x'])" """,
        """node -e "const {rmSync:r}=require('fs');r('/srv/x',{recursive:true})" """,
        """node -e "const cp=require('child_process');cp['execSync']('rm -rf ~')" """,
        """node -e "import {execSync as e} from 'node:child_process';e('rm -rf ~')" """,
        *["ruby -e '%x(rm -rf ~)'", """php -r 'popen("rm -rf ~","r");'"""],
        """perl -e 'truncate("/srv/x",0)'""",
        """php -r 'array_map("unlink",glob("/srv/x/*"));'""",
        """perl -e 'eval q(system "rm -rf ~")'""",
        """python3 -c "o=__import__('os'); o.system('rm -rf ~')" """,
        """python3 -c "import os; x=os; y=x.system; y('rm -rf ~')" """,
        """python3 -c "import sys; sys.modules['os'].system('rm -rf ~')" """,
        """python3 -c "from os import *; system('rm -rf ~')" """,
        """python3 -c "import os; getattr(os, 'sys' + 'tem')('rm -rf ~')" """,
        """python3 -c "n='rmtree'; import shutil; getattr(shutil, n)('/srv/x')" """,
        """python3 -c "import os; vars(os)['system']('rm -rf ~')" """,
        """python3 -c "from distutils.dir_util import remove_tree as r; r('/srv/x')" """,
        """node -e "const {execSync:e} = require('child_process'); e('rm -rf ~')" """,
        """node -e "const f='rmSync';require('fs')[f]('/srv/x',{recursive:true})" """,
        """node -e "import('node:fs').then(({rmSync:r})=>r('/srv/x',{recursive:true}))" """,
        """node -e "process.mainModule.require('child_process').execSync('rm -rf ~')" """,
        """node -e "import f from 'fs/promises'; await f.rm('/srv/x',{recursive:true})" """,
        """ruby -e 'alias s system; s "rm -rf ~"'""",
        """ruby -e 'send(:system,"rm -rf ~")'""",
        """ruby -e 'Kernel.send("sys"+"tem","rm -rf ~")'""",
        """ruby -e 'm=method(:system); m.call("rm -rf ~")'""",
        """ruby -rfileutils -e 'F=FileUtils; F.rm_rf(Dir.home)'""",
        """php -r '$f="sys"."tem"; $f("rm -rf ~");'""",
        """php -r 'call_user_func("system","rm -rf ~");'""",
        """php -r 'use function system as s; s("rm -rf ~");'""",
        """perl -e '$f="system"; &$f("rm -rf ~")'""",
        """perl -e '*x=\\&CORE::system; x("rm -rf ~")'""",
        """lua -e 'local o=os; o.execute("rm -rf ~")'""",
        """lua -e 'os["exe".."cute"]("rm -rf ~")'""",
        """Rscript -e 'do.call("system",list("rm -rf ~"))'""",
    ],
    "ask deletes": [
        """python3 -c "from os import remove; remove('/srv/x')" """,
        """python3 -c "import shutil; list(map(shutil.rmtree, ['/srv/x']))" """,
        "python3 - <<'X'\nimport subprocess\nc=['rm']\nc.append('/srv/x')\nsubprocess.run(c)\nX",
        """node -e "promisify(require('child_process').exec)('rm -rf ~')" """,
    ],
    "deny database": ["""python3 -c "c.execute('DROP TABLE users')" """],
    "ask database": ["""python3 -c "sqlite3.connect('x.db').execute('DROP TABLE users')" """],
    "ask cloud": [
        """python3 -c "import requests; requests.delete('https://api.example.com/x')" """,
        """node -e "fetch('https://api.example.com/x',{method:'DELETE'})" """,
    ],
    "": [
        """python3 -c "from os import remove; remove('x.txt'); print(open('/etc/hosts'))" """,
        """python3 -c "from subprocess import run; run(['ls', '/usr/bin'])" """,
        """python3 -c "sqlite3.connect(':memory:').execute('DROP TABLE users')" """,
        """python3 -c "import requests; requests.delete('http://localhost:8000/x/1')" """,
        """python3 -c "import os; print(getattr(os, 'cpu_count')())" """,
        """python3 -c "from app import run as r; r('x')" """,
        """node -e "const m=new Map(); m.delete('a')" """,
        """ruby -e 'a=[1]; a.send(:push, 2); p a'""",
        """node -e "const {readFileSync:r}=require('fs');console.log(r('/etc/hosts'))" """,
    ],
}


@parametrize_all(("text", "expected"), [(text, said) for said in ROWS for text in ROWS[said]])
def test_a_function_by_another_name_is_assessed_like_itself(text: str, expected: str) -> None:
    assert said(text) == expected
