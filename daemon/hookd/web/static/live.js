// Live pages: a signal of the server says that this page has changed, then it is read again.
// Elements with data-swap take over what is new; what did not change stays, with focus, selection
// and typed text. Rows are recognized by their id.

const MIN_INTERVAL_MS = 500;
const MAX_NEWS = 20;
const offline = document.getElementById("offline");
const news = document.getElementById("news");

let source = null;
let reading = false;
let wanted = false;
let last = 0;
let broken = false; // the page shows an error in place of its content

// Make `old` equal to `next`, and keep the nodes that did not change.
function morph(old, next) {
  if (old.isEqualNode(next)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.data = next.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    const own = name === "open" && old.localName === "details"; // the reader has opened it
    if (!next.hasAttribute(name) && !own) old.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const known = new Map([...old.children].filter((child) => child.id).map((child) => [child.id, child]));
  let cursor = old.firstChild;
  for (const child of [...next.childNodes]) {
    const match = child.id ? known.get(child.id) : alike(cursor, child) ? cursor : null;
    if (match && match.nodeName === child.nodeName) {
      if (match === cursor) cursor = cursor.nextSibling;
      else old.insertBefore(match, cursor);
      morph(match, child);
    } else {
      old.insertBefore(document.importNode(child, true), cursor);
    }
  }
  while (cursor) {
    const following = cursor.nextSibling;
    cursor.remove();
    cursor = following;
  }
}

function alike(one, other) {
  return one && !one.id && one.nodeName === other.nodeName;
}

function announce(target, before) {
  for (const row of target.querySelectorAll("[data-news]")) {
    if (before.has(row.id)) continue;
    const line = document.createElement("p");
    line.textContent = row.dataset.news;
    row.classList.add("fresh");
    news.append(line);
  }
  while (news.childElementCount > MAX_NEWS) news.firstElementChild.remove();
}

function show(ok, text) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const content = next.getElementById("content");
  offline.hidden = Boolean(content);
  if (!content) return; // another server, or none that knows this browser
  if (broken && ok) {
    location.reload();
    return;
  }
  broken = !ok;
  if (broken) document.getElementById("content").replaceChildren(...content.childNodes);
  swap(next);
}

function swap(next) {
  for (const target of document.querySelectorAll("[data-swap]")) {
    const found = next.getElementById(target.id);
    if (!found || target.isEqualNode(found)) continue;
    const before = new Set([...target.querySelectorAll("[data-news]")].map((row) => row.id));
    morph(target, found);
    announce(target, before);
  }
  document.dispatchEvent(new CustomEvent("hookd:swapped"));
}

async function read() {
  if (reading) {
    wanted = true;
    return;
  }
  reading = true;
  wanted = false;
  const pause = Math.max(0, last + MIN_INTERVAL_MS - Date.now());
  if (pause) await new Promise((done) => setTimeout(done, pause));
  last = Date.now();
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    show(answer.ok, await answer.text());
  } catch {
    offline.hidden = false;
  } finally {
    reading = false;
  }
  if (wanted) read();
}

function connect() {
  if (source || document.hidden) return;
  source = new EventSource(document.body.dataset.live);
  source.addEventListener("changed", read);
  source.addEventListener("open", () => {
    offline.hidden = true;
  });
  source.addEventListener("error", () => {
    offline.hidden = false;
    if (source.readyState === EventSource.CLOSED) {
      source = null;
      setTimeout(() => {
        connect();
        read();
      }, 3000);
    }
  });
}

function disconnect() {
  if (source) source.close();
  source = null;
}

// A hidden page has no stream: a browser opens only six connections to one server.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) disconnect();
  else {
    connect();
    read();
  }
});
addEventListener("pagehide", disconnect);
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    connect();
    read();
  }
});
connect();
