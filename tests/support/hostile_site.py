"""A hostile page on another port of this machine, such as a development server of the agent's."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

_PAGE = b"<!doctype html><title>hostile</title><p>A page of the agent."


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(_PAGE)))
        self.end_headers()
        self.wfile.write(_PAGE)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def hostile_site() -> Iterator[str]:
    """Serve an empty page on a free port of 127.0.0.1; yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()


READS = {
    "fetch": "url => fetch(url, {credentials: 'include'}).then(one => one.text())",
    "fetch without CORS": "url => fetch(url, {credentials: 'include', mode: 'no-cors'})"
    ".then(one => one.text())",
    "request": """url => new Promise((done, failed) => {
        const one = new XMLHttpRequest();
        one.withCredentials = true;
        one.onload = () => done(one.responseText);
        one.onerror = failed;
        one.open('GET', url);
        one.send();
    })""",
    "events": """url => new Promise((done, failed) => {
        const one = new EventSource(url, {withCredentials: true});
        one.onopen = () => done('open');
        one.onmessage = message => done(message.data);
        one.onerror = () => { one.close(); failed(); };
    })""",
    "module": "url => import(url).then(() => 'imported')",
    "worker": "url => new Promise((done, failed) => {"
    " const one = new SharedWorker(url); one.onerror = failed; })",
    "frame": """url => new Promise((done, failed) => {
        const one = document.createElement('iframe');
        one.onload = () => {
            try { done(one.contentWindow.document.body.innerText); }
            catch (error) { failed(error); }
        };
        one.src = url;
        document.body.append(one);
    })""",
    "sandboxed frame": """url => new Promise((done, failed) => {
        const one = document.createElement('iframe');
        one.sandbox = 'allow-scripts allow-forms';
        one.srcdoc = `<script>fetch("${url}", {credentials: "include"})
            .then(one => one.text())
            .then(text => parent.postMessage(text, "*"), () => parent.postMessage("", "*"))
            </script>`;
        addEventListener('message', message => message.data ? done(message.data) : failed());
        document.body.append(one);
    })""",
    **{
        f"element {name}": f"""url => new Promise((done, failed) => {{
            const one = document.createElement('{name}');
            one.onload = () => done('loaded');
            one.onerror = failed;
            one.{attribute} = url;
            {extra}
            document.body.append(one);
        }})"""
        for name, attribute, extra in (
            ("img", "src", ""),
            ("script", "src", ""),
            ("link", "href", "one.rel = 'stylesheet';"),
            ("video", "src", "one.oncanplay = one.onload;"),
        )
    },
}
"""Ways to read an address from a hostile page. Each ends with what it has read, or fails."""

WRITES = {
    "fetch": "([url, body]) => fetch(url, {method: 'POST', body, credentials: 'include',"
    " mode: 'no-cors', headers: {'Content-Type': 'application/x-www-form-urlencoded'}})",
    "beacon": "([url, body]) => navigator.sendBeacon(url, new URLSearchParams(body))",
    "form in a frame": """([url, body]) => new Promise(done => {
        const frame = document.createElement('iframe');
        frame.name = 'target';
        document.body.append(frame);
        const form = document.createElement('form');
        form.method = 'POST';
        form.action = url;
        form.target = 'target';
        for (const [name, value] of new URLSearchParams(body)) {
            const field = document.createElement('input');
            field.name = name;
            field.value = value;
            form.append(field);
        }
        document.body.append(form);
        frame.onload = () => done();
        form.submit();
    })""",
}
"""Ways to post a form from a hostile page."""
