"""Live: agents write to each other; each gets its mail once, in order, whatever ends meanwhile."""

import json
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from sqlite3 import connect
from uuid import uuid4

import pytest

from support.flows import after_clear, dies, has_run
from support.home import HOOKD, Home, Window, place, until
from support.mail import agent, gets, of_person, overview, project, runs, sends
from support.payloads import context, verdict


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with place() as made:
        yield made.serves()


@pytest.fixture
def folder(home: Home) -> str:
    return project(home)


@pytest.fixture
def pair(home: Home, folder: str) -> tuple[Window, Window]:
    """Two agents of one project."""
    return agent(home, folder, "ann"), agent(home, folder, "ben")


def heads(text: str) -> list[int]:
    """Return the numbers of the mails in a context, in order."""
    marks = text.split("[hookd:mail] Message ")[1:]
    return [int(mark.split()[0]) for mark in marks]


def test_a_mail_comes_with_the_next_event_framed_and_once(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    number = sends(ann, "ben", "The parser is done.\nStart.")
    text = gets(ben)
    ((session,),) = ann.sessions("id")
    assert f"[hookd:mail] Message {number} from agent ann (claude-code, session {session})" in text
    assert "> The parser is done.\n> Start.\nEND " in text
    assert "Not from the user" in text
    assert overview(ann.home, number)["state"] == "waiting", "it is not known yet that it arrived"
    assert gets(ben) == ""
    assert overview(ann.home, number)["state"] == "delivered"
    assert gets(ann) == "", "the sender gets nothing"


def test_the_sender_reads_that_the_recipient_is_idle(home: Home, folder: str) -> None:
    names = [f"{name}-{uuid4().hex[:6]}" for name in ("ann", "eve")]
    ann, eve = (agent(home, folder, name) for name in names)
    eve.says("UserPromptSubmit")
    busy = of_person(home, folder, "send", names[1], "Now.")
    assert busy.stdout.endswith(f"to {names[1]}.\n")
    eve.says("Stop")
    late = of_person(home, folder, "send", names[1], "Later.")
    assert f"{names[1]} is idle and reads it with the next prompt, unless" in late.stdout
    told = of_person(home, folder, "send", names[1], "Again.", "--json")
    assert json.loads(told.stdout)["idle"] == [names[1]]
    absent = of_person(home, folder, "wait", "--for", "nobody", "--timeout", "1s", check=False)
    assert "no open agent is nobody. Waiting for it anyway." in absent.stderr
    assert ann.id


def test_delivered_mail_is_not_dropped(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    number = sends(ann, "ben", "Done.")
    gets(ben)
    gets(ben)
    refused = of_person(ann.home, ann.project, "mail", "drop", str(number), check=False)
    assert f"Mail {number} is delivered, neither held nor waiting." in refused.stderr
    assert overview(ann.home, number)["state"] == "delivered"


def test_a_prompt_brings_it_too_but_not_a_call_before_it_runs(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    sends(ann, "ben", "Mind the index.")
    assert ben.bash() is None
    assert "Mind the index." in context(ben.says("UserPromptSubmit"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("send", "d", "unquoted", "text", "--json"), "Quote the text: 'unquoted text'"),
        (("reply", "1", "two", "words"), "Quote the text: 'two words'"),
        (("send", "", "hi"), "To is empty."),
        (("inbox", "abc"), "'abc' is no number: 1, 2, 3, ..."),
        (("reply", "0", "hi"), "'0' is no number"),
        (("claim", "a.py", "--for", "365d"), "--for 365d is too long: a claim is for 7d at most"),
        (("claim", "a.py", "--why", "x" * 5_000), "Why is too long: it has at most 500"),
        (("claim", *map(str, range(120))), "Patterns has too many values: 50 at most"),
        (("claim", "nodir/*"), "'nodir/*' claims nothing: there is no folder"),
        (("release",), "Name claims by number or pattern, or give --all."),
    ],
)
def test_a_wrong_word_is_refused_in_plain_words(
    home: Home, folder: str, words: tuple[str, ...], told: str
) -> None:
    done = of_person(home, folder, *words, check=False)
    assert done.returncode
    assert told in done.stderr
    next_command = f"next: hookd {words[0]} --help"
    assert next_command in done.stderr or "--for 7d" in done.stderr
    assert "restart" not in done.stderr


def test_the_worktrees_of_a_repository_are_one_project(home: Home, folder: str) -> None:
    ann = agent(home, folder, f"ann-{uuid4().hex[:6]}")
    tree, who = f"{folder}-tree", ("-c", "user.name=a", "-c", "user.email=a@b")
    for args in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", *who, *args], cwd=folder, check=True)
    subprocess.run(["git", "worktree", "add", "-q", tree], cwd=folder, check=True)
    ann.says("SessionStart", source="compact")
    eve = agent(home, tree, f"eve-{uuid4().hex[:6]}")
    assert heads(gets(eve)) == []
    sent = [sends(ann, eve.env["AGENT_ID"], "Look."), sends(ann, "@all", "All.")]
    assert heads(gets(eve)) == sent
    script = of_person(home, tree, "send", "@all", "From a script.", "--json")
    assert sorted(json.loads(script.stdout)["recipients"]) == sorted(
        (ann.env["AGENT_ID"], eve.env["AGENT_ID"])
    )


def test_mail_comes_in_order_and_high_priority_first(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    first = sends(ann, "ben", "one")
    low = sends(ann, "ben", "two", "--priority", "low")
    second = sends(ann, "ben", "three")
    high = sends(ann, "ben", "four", "--priority", "high")
    assert heads(gets(ben)) == [high, first, second, low]


def test_many_long_mails_come_in_several_answers_none_twice(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    numbers = [sends(ann, "ben", "x" * 4_000) for _ in range(7)]
    found: list[int] = []
    while text := gets(ben):
        assert len(text) <= 9_000
        found += heads(text)
    assert found == numbers
    whole = runs(ben, "inbox", str(numbers[0])).stdout
    assert "x" * 4_000 in whole


def test_a_daemon_killed_after_the_offer_offers_again_and_loses_nothing(
    pair: tuple[Window, Window],
) -> None:
    ann, ben = pair
    number = sends(ann, "ben", "Kept.")
    dies(ann.home)
    assert heads(gets(ben)) == [number]
    dies(ann.home)  # it is not known that the answer arrived
    assert heads(gets(ben)) == [number]
    assert gets(ben) == ""
    assert overview(ann.home, number)["state"] == "delivered"


def test_the_next_window_of_the_conversation_gets_it(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    for source in ("compact", "resume"):
        number = sends(ann, "ben", f"before {source}")
        if source == "resume":
            ben.says("SessionEnd")
        text = context(ben.says("SessionStart", source=source))
        assert heads(text + gets(ben)) == [number]
        assert gets(ben) == ""


def test_a_new_conversation_of_the_same_agent_does_not_get_it(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    number = sends(ann, "ben", "For that conversation only.")
    following, text = after_clear(ben)
    assert heads(text + gets(following)) == []
    another = agent(ann.home, ann.project, "ben")
    assert gets(another) == ""
    assert overview(ann.home, number)["state"] == "waiting"
    assert heads(context(ben.says("SessionStart", source="resume")) + gets(ben)) == [number]


def test_mail_to_a_task_reaches_who_joins_it_later_once(home: Home, folder: str) -> None:
    ann, ben = agent(home, folder, "tim"), agent(home, folder, "tom")
    task = f"{folder}/tasks/pages"
    for window in (ann, ben):
        runs(window, "effort", "start", task, "build")
    number = sends(ann, "@task", "The table is renamed.")
    assert heads(gets(ben)) == [number]
    cid = agent(home, folder, "tess")
    assert gets(cid) == ""
    runs(cid, "effort", "start", task, "review")
    gets(cid)
    assert heads(gets(cid)) == [number]
    assert gets(cid) == ""
    assert (gets(ann), gets(ben)) == ("", "")
    following, text = after_clear(cid)
    assert heads(text + gets(following) + gets(following)) == [number], "its effort continues"


def test_all_are_the_others_in_the_project(home: Home, folder: str) -> None:
    ann, ben, plain = agent(home, folder, "ann"), agent(home, folder, "ben"), agent(home, folder)
    far = agent(home, project(home), "far")
    number = sends(ann, "@all", "Freeze.")
    assert [heads(gets(window)) for window in (ann, ben, plain, far)] == [
        [],
        [number],
        [number],
        [],
    ]
    assert overview(home, number)["recipients"] == 2


def test_an_answer_goes_to_the_sender_in_the_thread(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    number = sends(ann, "ben", "Which port?")
    gets(ben)
    answer = json.loads(runs(ben, "reply", str(number), "8080", "--json").stdout)
    assert answer["recipients"] == ["ann"]
    assert heads(gets(ann)) == [answer["id"]]
    again = json.loads(runs(ann, "reply", str(answer["id"]), "Thanks", "--json").stdout)
    assert overview(ann.home, again["id"])["threadId"] == number
    rows = json.loads(ann.home.hookd("mail", "list", "--thread", str(number), "--json").stdout)
    assert [row["id"] for row in rows] == [again["id"], answer["id"], number]


def test_a_call_of_the_same_key_sends_one_mail(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    key = ("--key", "call-0001")
    number = sends(ann, "ben", "Once.", *key)
    said = runs(ann, "send", "ben", "Once.", *key).stdout
    assert said == f"Sent before, as mail {number} to ben.\n"
    assert heads(gets(ben)) == [number]
    gets(ben)
    again = json.loads(runs(ann, "send", "ben", "Once.", *key, "--json").stdout)
    assert (again["id"], again["again"], again["recipients"]) == (number, True, ["ben"])
    answers = [sends(ben, "ann", "Mine.", *key), number + 1]
    answers += [
        json.loads(runs(ben, "reply", str(number), "So.", "--key", "call-0002", "--json").stdout)[
            "id"
        ]
        for _ in range(2)
    ]
    assert answers == [number + 1, number + 1, number + 2, number + 2], "another's key is another"
    assert heads(gets(ann)) == [number + 1, number + 2]


def test_an_agent_answers_a_person_who_reads_it_in_the_inbox(home: Home, folder: str) -> None:
    ann = agent(home, folder, "ann")
    sent = json.loads(of_person(home, folder, "send", "ann", "How far?", "--json").stdout)
    text = gets(ann)
    assert f"Message {sent['id']} from a script" in text
    answer = json.loads(runs(ann, "reply", str(sent["id"]), "Half.", "--json").stdout)
    assert answer["recipient"] == "@person"
    assert "Half." in of_person(home, folder, "inbox").stdout
    assert "No mail waits." in of_person(home, folder, "inbox").stdout


def test_an_inbox_that_was_printed_does_not_come_again(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    number = sends(ann, "ben", "Read me.")
    said = runs(ben, "inbox").stdout
    assert "> Read me." in said
    assert heads(said) == [number]
    assert gets(ben) == ""
    assert "No mail waits." in runs(ben, "inbox").stdout
    assert "Read me." in runs(ben, "inbox", "--all").stdout
    assert runs(agent(ann.home, ann.project, "eve"), "inbox", str(number), check=False).returncode


def test_a_wait_ends_with_the_mail_of_the_agent(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    eve = agent(ann.home, ann.project, "eve")
    said: list[str] = []
    waiting = threading.Thread(
        target=lambda: said.append(runs(ben, "wait", "--for", "ann", "--timeout", "1m").stdout)
    )
    waiting.start()
    other = sends(eve, "ben", "Not this one.")
    number = sends(ann, "ben", "This one.")
    waiting.join(60)
    assert heads(said[0]) == [number]
    assert heads(gets(ben)) == [other]


def test_mail_of_one_agent_is_found_by_the_addresses_that_it_has(home: Home, folder: str) -> None:
    ann, ben = agent(home, folder, "ann"), agent(home, folder)
    cid = agent(home, folder, "cid")
    numbers = [sends(one, "cid", "x") for one in (ann, ben)]
    for sender, number in zip((ann, ben), numbers, strict=True):
        ((session,),) = sender.sessions("id")
        for who in (str(session), f"#{session}", f"session {session}"):
            env = cid.identity | {"CLAUDE_CODE_SESSION_ID": cid.id}
            found = home.rpc("mail.inbox", {"sender": who, "env": env})
            assert [one["id"] for one in found["mail"]] == [number]
        said = runs(cid, "wait", "--for", str(session), "--timeout", "30s").stdout
        assert heads(said) == [number]


@pytest.mark.gate
def test_a_wait_that_gets_nothing_ends_with_1(pair: tuple[Window, Window]) -> None:
    done = runs(pair[0], "wait", "--for", "ben", "--timeout", "1s", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hookd: no mail from ben in 1s. Next: hookd inbox --all\n"


BAD = [
    (("send", "bob", "x"), "No open session is bob; there is ben (claude-code, session "),
    (("send", "ann", "x"), "You are ann yourself; there is ben"),
    (("send", "@unknown", "x"), "There is no address @unknown, only @task, @all and @person"),
    (("send", "@task", "x"), "You have no effort, so @task is no task."),
    (("send", "@task:/nowhere", "x"), "There is no task /nowhere."),
    (("send", "ben", " \n"), "The text is empty."),
    (("send", "ben", "é" * 8_193), "The text has 16386 bytes, and mail at most 16384"),
    (("send", "ben", "x", "--expires", "soon"), "'soon' is no duration."),
    (("send", "ben", "x", "--expires", "40d"), "Mail expires after 1m at the earliest"),
    (("send", "ben", "x", "--priority", "top"), "'top' is not one of"),
    (("reply", "99999", "x"), "There is no mail 99999."),
    (("inbox", "99999"), "There is no mail 99999 of yours."),
    (("mail", "show", "99999"), "There is no mail 99999."),
    (("wait", "--timeout", "never"), "'never' is no duration."),
]


@pytest.mark.parametrize(("words", "says"), BAD, ids=[" ".join(words)[:30] for words, _ in BAD])
def test_bad_input_is_named_with_the_next_step(
    pair: tuple[Window, Window], words: tuple[str, ...], says: str
) -> None:
    done = runs(pair[0], *words, check=False)
    assert done.returncode != 0
    assert done.stdout == ""
    assert says in done.stderr
    assert "next: " in done.stderr or "Usage" in done.stderr
    assert "Traceback" not in done.stderr


def test_mail_to_another_project_is_a_persons(home: Home, folder: str) -> None:
    ann, far = agent(home, folder, "ann"), agent(home, project(home), "far-agent")
    done = runs(ann, "send", "far-agent", "x", check=False)
    assert "The agent far-agent works in " in done.stderr
    assert "mail to other projects is off" in done.stderr
    assert gets(far) == ""


def test_mail_of_a_session_that_is_forgotten_is_forgotten_with_it(home: Home, folder: str) -> None:
    ann, ben = agent(home, folder, "ann"), agent(home, folder, "ben")
    number = sends(ann, "ben", "Forget the word xyzzy.")
    assert "xyzzy" in gets(ben)
    ((session,),) = ann.sessions("id")
    ann.says("SessionEnd")
    home.hookd("session", "forget", str(session), "--yes")
    assert home.rows("SELECT count(*) FROM agent_mail WHERE id = ?", number) == [(0,)]
    assert home.rows("SELECT count(*) FROM injections WHERE content LIKE '%xyzzy%'") == [(0,)]
    assert home.rows("SELECT count(*) FROM events WHERE answer LIKE '%xyzzy%'") == [(0,)]


@pytest.mark.gate
def test_agents_that_write_too_much_wait_for_a_person(folder: str) -> None:
    with place() as home:
        home.settings({"mail": {"per_hour_and_pair": 3}})
        home.serves()
        ann, ben = agent(home, folder, "ann"), agent(home, folder, "ben")
        for _ in range(2):
            sends(ann, "ben", "ping")
        sends(ben, "ann", "pong")
        said = runs(ben, "send", "ann", "again").stdout
        assert "is held: ben and ann have exchanged 3 mails in an hour" in said
        (held,) = json.loads(home.hookd("mail", "list", "--state", "held", "--json").stdout)
        assert json.loads(home.hookd("status", "--json").stdout)["mail"] == {
            "waiting": 3,
            "forYou": 0,
            "held": 1,
            "unreachable": 0,
        }
        status = home.hookd("status").stdout
        assert "3 not delivered, 1 held" in status
        assert "next" in status and "hookd mail list --state held" in status
        rows = {row["agent"]: row["mail"] for row in home.rpc("fleet.status")["agents"]}
        assert rows == {"ann": 1, "ben": 2}
        assert len(heads(gets(ann))) == 1
        assert until(lambda: home.hookd("mail", "allow", str(held["id"])).stdout)
        assert heads(gets(ann)) == [held["id"]]
        dropped = sends(ann, "ben", "and again")
        home.hookd("mail", "drop", str(dropped))
        assert len(heads(gets(ben))) == 2
        assert overview(home, dropped)["state"] == "dropped"
        done = home.hookd("mail", "allow", str(dropped), check=False)
        assert f"Mail {dropped} is dropped, not held." in done.stderr
        sends(agent(home, folder, "cid"), "ann", "another pair is free")
        assert len(heads(gets(ann))) == 1


def expires(home: Home, number: int) -> None:
    """Let the time of a mail be over, and the maintenance run."""
    with closing(connect(home.database, timeout=30)) as db, db:
        db.execute("UPDATE agent_mail SET expires_at = '2026-01-01' WHERE id = ?", (number,))
    home.rpc("daemon.sweep")
    until(lambda: overview(home, number)["state"] != "waiting")


def test_mail_that_nobody_got_expires_and_its_sender_reads_so(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    number = sends(ann, "ben", "Too late.")
    expires(ann.home, number)
    assert overview(ann.home, number)["state"] == "expired"
    assert gets(ben) == ""
    text = until(lambda: gets(ann))
    assert "from hookd itself" in text
    assert f"> Mail {number} to ben has expired: it was not delivered." in text
    assert any(line["mail"] == number for line in ann.home.logged("mail expired"))
    of_person(ann.home, ann.project, "send", "ben", "From a script.")
    ((last,),) = ann.home.rows("SELECT max(id) FROM agent_mail")
    expires(ann.home, last)
    said = of_person(ann.home, ann.project, "inbox").stdout
    assert f"Mail {last} to ben has expired" in said


def test_mail_that_was_delivered_ends_in_silence(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    number = sends(ann, "ben", "In time.")
    gets(ben)
    gets(ben)
    with closing(connect(ann.home.database, timeout=30)) as db, db:
        db.execute("UPDATE agent_mail SET expires_at = '2026-01-01' WHERE id = ?", (number,))
    ann.home.rpc("daemon.sweep")
    until(
        lambda: ann.home.rows("SELECT state FROM agent_mail WHERE id = ?", number) != [("waiting",)]
    )
    assert overview(ann.home, number)["state"] == "delivered"
    assert gets(ann) == ""


@contextmanager
def waking(window: Window) -> Iterator[subprocess.Popen[str]]:
    """Run what Claude Code's hook on Stop runs: it waits beside the idle session."""
    env, pipe = window.home.env | window.identity, subprocess.PIPE
    with tempfile.TemporaryFile("w+") as event:
        event.write(json.dumps(window.event("Stop")))
        event.seek(0)
        command = [HOOKD, "mail", "wake"]
        with subprocess.Popen(
            command, env=env, stdin=event, stdout=pipe, stderr=pipe, text=True
        ) as process:
            try:
                yield process
            finally:
                process.kill()


def waits(window: Window, instead_of: str = "") -> str:
    """Return the name of the process that waits to wake the session, once there is another."""
    sql = (
        "SELECT json_extract(value_json, '$.waker') FROM policy_state p JOIN sessions s"
        " ON s.id = p.session_id WHERE policy = 'mail-wake' AND claude_session_id = ?"
    )
    return until(
        lambda: next((one for (one,) in window.home.rows(sql, window.id) if one != instead_of), "")
    )


def test_mail_wakes_an_idle_session_by_one_fixed_line(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    ben.says("UserPromptSubmit")
    with waking(ben) as process:
        waits(ben)
        sends(ann, "ben", "It works: it gets this with its next event anyway.")
        ben.says("Stop")
        sends(ann, "ben", "Not worth waking.", "--priority", "low")
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out, err) == (2, "", "hookd: 1 message waiting\n")
    with waking(ben) as again:
        sends(ann, "ben", "Another.")
        assert again.communicate(timeout=60)[1] == "hookd: 2 messages waiting\n"
    prompt = context(ben.says("UserPromptSubmit", prompt="hookd: 2 messages waiting"))
    assert len(heads(prompt)) == 3
    said = "SELECT count(*) FROM messages WHERE role = 'user' AND content LIKE 'hookd:%'"
    assert ben.home.rows(said) == [(0,)]


@pytest.mark.gate
def test_a_later_waker_replaces_the_former(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    ben.says("Stop")
    with waking(ben) as former:
        first = waits(ben)
        with waking(ben) as latter:
            waits(ben, first)
            sends(ann, "ben", "One of you.")
            assert sorted(one.wait(60) for one in (former, latter)) == [0, 2]


@pytest.mark.gate
def test_a_waker_ends_with_the_session_in_silence(pair: tuple[Window, Window]) -> None:
    ann, ben = pair
    ben.says("SessionEnd")
    with waking(ben) as process:
        assert (process.communicate(timeout=60), process.returncode) == (("", ""), 0)
    done = ann.home.hookd("mail", "wake", input="no JSON")
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.gate
def test_the_clients_own_messages_are_recorded_and_judged(pair: tuple[Window, Window]) -> None:
    ann, _ = pair
    given = {"to": "ben", "message": "The parser is done."}
    assert ann.calls("SendMessage", **given) is None
    has_run(ann, "SendMessage", **given)
    (row,) = json.loads(ann.home.hookd("mail", "list", "-n", "1", "--json").stdout)
    assert (row["channel"], row["state"], row["recipients"]) == ("claude-code", "sent", 0)
    assert (row["sender"], row["recipient"], row["text"]) == ("ann", "ben", given["message"])
    secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    asked = verdict(ann.calls("SendMessage", to="ben", message=f"Use {secret}"))
    assert asked[0] == "ask"
    assert "the message to ben has a secret in it" in asked[1]
    for _ in range(19):
        has_run(ann, "SendMessage", **given)
    asked = verdict(ann.calls("SendMessage", **given))
    assert asked[0] == "ask"
    assert "has sent 20 messages to ben in an hour" in asked[1]
    assert ann.calls("SendMessage", to="cid", message="x") is None


def test_a_sender_wakes_an_idle_agent_by_a_message_of_their_client(home: Home, folder: str) -> None:
    token = uuid4().hex
    client = {"AI_AGENT": "claude-code_2-1-330_harness", "CLAUDE_CODE_MESSAGING_TOKEN": token}
    names = [f"{name}-{uuid4().hex[:6]}" for name in ("ann", "ben")]
    ann, ben = (
        agent(home, folder, name, CLAUDE_CODE_MESSAGING_SOCKET=f"/run/{name}.sock", **client)
        for name in names
    )
    ben.says("UserPromptSubmit")
    assert "SendMessage" not in runs(ann, "send", names[1], "You work.").stdout
    gets(ben)
    ben.says("Stop")
    told = runs(ann, "send", names[1], "stop the loop").stdout
    (number,) = home.rows("SELECT max(id) FROM agent_mail")[0]
    call = {
        "to": f"uds:/run/{names[1]}.sock",
        "message": f"hookd: 1 message waiting (mail {number})",
    }
    assert told.endswith(
        f"\n{names[1]} is idle. To wake it, call your tool SendMessage with exactly"
        f" {json.dumps(call)}\n"
    )
    assert ann.calls("SendMessage", **call) is None
    has_run(ann, "SendMessage", **call)
    line = overview(home, number + 1)
    assert (line["recipient"], line["text"]) == (names[1], call["message"])
    assert (line["channel"], line["state"], line["recipients"]) == ("claude-code", "sent", 0)
    tag = f'<cross-session-message from="uds:/run/{names[0]}.sock">\n{call["message"]}\n</'
    assert heads(context(ben.says("UserPromptSubmit", prompt=tag))) == [number]
    assert gets(ben) == ""
    ben.says("Stop")
    with waking(ben):
        waits(ben)
        again = runs(ann, "send", names[1], "hookd wakes you.", "--json").stdout
    assert (json.loads(again)["idle"], json.loads(again)["wake"]) == ([names[1]], [])
    files = [file for file in home.path.rglob("*") if file.is_file()]
    assert files
    assert not [file for file in files if token.encode() in file.read_bytes()]


@pytest.mark.gate
def test_kills_in_the_middle_of_sending_lose_no_mail_and_deliver_none_twice(folder: str) -> None:
    with place() as home:
        home.settings({"mail": {"per_hour_and_pair": 10_000}})
        home.serves()
        ann, ben = agent(home, folder, "ann"), agent(home, folder, "ben")
        sent: list[int] = []

        def sending() -> None:
            for number in range(40):
                done = runs(ann, "send", "ben", f"text {number}", "--json", check=False)
                if done.returncode == 0:
                    sent.append(json.loads(done.stdout)["id"])

        thread = threading.Thread(target=sending)
        thread.start()
        for count in (5, 12, 20):
            until(lambda: len(sent) >= count or not thread.is_alive())  # noqa: B023
            dies(home)
        thread.join()
        stored = [number for (number,) in home.rows("SELECT id FROM agent_mail ORDER BY id")]
        queued = home.rows("SELECT mail_id FROM injections WHERE mail_id IS NOT NULL ORDER BY id")
        assert queued == [(number,) for number in stored], "a mail is stored with its delivery"
        assert set(sent) <= set(stored)
        found: list[int] = []
        while text := gets(ben):
            found += heads(text)
        assert found == stored
