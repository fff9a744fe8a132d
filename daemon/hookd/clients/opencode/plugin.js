const CONFIG = "";
// hookd's plugin for opencode. It sends each event to hookd's daemon, and does what the answer says:
//   {"deny": text}     the call, or the prompt, fails with this text
//   {"args": {...}}    the tool runs with these arguments
//   {"output": text}   the model reads this in place of the tool's result
//   {"context": text}  the model reads this, too
// Without an answer of the daemon the shim of hookd decides: it starts the daemon, judges the event
// itself, or follows the fail policy. `hookd install --client opencode` writes this file.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";

const ACCEPTED = '{"jsonrpc":"2.0","method":"hooks.accepted"}';
const VARIABLES = ["AGENT_ID", "AGENT_CLAIMS", "AGENT_TARGETED_CLAIMS", "AGENT_MANAGES", "AGENT_PARENT",
  "TMUX", "TMUX_PANE", "HOOKD_RUN", "PATH", "HOME", "VIRTUAL_ENV"];
const MOST_TEXT = 65536; // characters of a turn's answer that are sent
const MOST_CONTEXT = 16000; // characters of context that stay in a session's requests
const PATIENCE = 1000; // milliseconds until the daemon must have acknowledged an event
const LEAST = 100; // sessions and permission requests that are remembered, at least

let sent = 0;

/** Return the daemon's answer to an event, null for silence. Reject if there is none. */
function ask(settings, directory, event, payload, deadline) {
  const names = [...VARIABLES, ...(settings.variables ?? [])];
  const env = Object.fromEntries(names.filter((name) => process.env[name] !== undefined).map((name) => [name, process.env[name]]));
  const params = { body: true, deadline, closed: (settings.closed ?? []).includes(event), client: "opencode", event,
    sender: { registration: CONFIG, process: `${process.pid}-${++sent}` }, env: { ...env, CWD: directory } };
  return new Promise((resolve, reject) => {
    const socket = connect(settings.socket);
    const parts = [];
    let timer = setTimeout(() => socket.destroy(new Error("it did not acknowledge the event")), PATIENCE);
    socket.on("connect", () => {
      socket.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "hooks.dispatch", params }) + "\n" + payload + "\x1e");
    });
    socket.on("data", (part) => {
      parts.push(part);
      if (parts.length === 1) {
        clearTimeout(timer);
        timer = setTimeout(() => socket.destroy(new Error("it did not answer in time")), deadline * 1000);
      }
    });
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      try {
        const [accepted, line] = Buffer.concat(parts).toString("utf8").split("\n");
        const answer = JSON.parse(line);
        if (accepted !== ACCEPTED || !("result" in answer)) throw new Error("it has no verdict");
        resolve(answer.result);
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Return the answer of hookd's shim, which needs no daemon; null for silence. Reject if it fails. */
function askShim(directory, event, payload) {
  return new Promise((resolve, reject) => {
    const shim = spawn(join(dirname(CONFIG), event), [], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] });
    const parts = [];
    shim.on("error", reject);
    shim.stdin.on("error", () => {});
    shim.stdout.on("data", (part) => parts.push(part));
    shim.on("close", () => {
      const text = Buffer.concat(parts).toString("utf8").trim();
      try {
        resolve(text ? JSON.parse(text) : null);
      } catch (error) {
        reject(error);
      }
    });
    shim.stdin.end(payload);
  });
}

/** Set a value in a map that forgets its oldest entries. */
function remember(map, key, value) {
  map.delete(key);
  map.set(key, value);
  if (map.size > LEAST * 2) map.delete(map.keys().next().value);
}

export const Hookd = async ({ directory }) => {
  let settings = null;
  try {
    settings = JSON.parse(readFileSync(CONFIG, "utf8"));
  } catch (error) {
    const reason = `hookd cannot judge calls: its configuration cannot be read (${error.message}). Next: hookd install --client opencode`;
    return { "tool.execute.before": async () => { throw new Error(reason); } };
  }
  const sessions = new Map(); // by id: parent, agent, limit, usage, context, said
  const asked = new Map(); // permission requests by id
  const session = (id) => {
    if (!sessions.has(id)) remember(sessions, id, { context: [] });
    return sessions.get(id);
  };

  /** Return hookd's answer to an event; {} for silence, {deny} if it fails closed without one. */
  async function deliver(event, hook, id, input, output) {
    const { parent, agent, usage, limit } = session(id);
    const payload = JSON.stringify({ sessionID: id, hook, directory, parentID: parent, agent, usage, limit, input, output });
    const deadline = settings.deadlines?.[event] ?? 10;
    try {
      return (await ask(settings, directory, event, payload, deadline)) ?? {};
    } catch {
      try {
        return (await askShim(directory, event, payload)) ?? {};
      } catch (error) {
        const why = `hookd could not judge this (${error.message})`;
        if ((settings.closed ?? []).includes(event)) return { deny: `${why} and is set to fail closed. Next: hookd status` };
        return { context: `${why}, so it passed unchecked. Tell the user to run: hookd status` };
      }
    }
  }

  /** Keep a text for the following requests of a session, the oldest ones give way. */
  function keep(id, text) {
    if (!text) return;
    const { context } = session(id);
    if (!context.includes(text)) context.push(text);
    while (context.length > 1 && context.join("").length > MOST_CONTEXT) context.shift();
  }

  const events = {
    "session.created": async ({ sessionID, info }) => {
      Object.assign(session(sessionID), { parent: info?.parentID, agent: info?.agent });
      const event = info?.parentID ? "SubagentStart" : "SessionStart";
      keep(sessionID, (await deliver(event, "session.created", sessionID, { info })).context);
    },
    "session.idle": async ({ sessionID }) => {
      const { parent, said: text } = session(sessionID);
      session(sessionID).said = "";
      const event = parent ? "SubagentStop" : "Stop";
      keep(sessionID, (await deliver(event, "session.idle", sessionID, { text })).context);
    },
    "session.error": ({ sessionID, error }) => sessionID && deliver("StopFailure", "session.error", sessionID, { error }),
    "session.compacted": ({ sessionID }) => deliver("PostCompact", "session.compacted", sessionID, {}),
    "permission.asked": (properties) => {
      remember(asked, properties.id, properties);
      return deliver("PermissionRequest", "permission.asked", properties.sessionID, properties);
    },
    "permission.replied": (properties) => {
      const request = asked.get(properties.requestID);
      if (properties.reply !== "reject" || !request) return undefined;
      return deliver("PermissionDenied", "permission.replied", properties.sessionID, { ...request, ...properties });
    },
    "message.updated": ({ sessionID, info }) => {
      if (info?.role === "assistant" && info.tokens) session(sessionID).usage = info.tokens;
    },
  };

  return {
    "chat.message": async (input, output) => {
      const answer = await deliver("UserPromptSubmit", "chat.message", input.sessionID, input, { parts: output.parts, message: output.message });
      keep(input.sessionID, answer.context);
      if (answer.deny) throw new Error(answer.deny);
    },
    "chat.params": async (input) => {
      const limit = input.model?.limit?.context;
      if (limit) session(input.sessionID).limit = limit;
    },
    "experimental.chat.system.transform": async (input, output) => {
      if (input.sessionID) output.system.push(...session(input.sessionID).context);
    },
    "experimental.text.complete": async (input, output) => {
      const one = session(input.sessionID);
      one.said = [one.said, output.text].filter(Boolean).join("\n\n").slice(-MOST_TEXT);
    },
    "tool.execute.before": async (input, output) => {
      const answer = await deliver("PreToolUse", "tool.execute.before", input.sessionID, input, { args: output.args });
      keep(input.sessionID, answer.context);
      if (answer.deny) throw new Error(answer.deny);
      if (!answer.args) return;
      for (const key of Object.keys(output.args)) delete output.args[key];
      Object.assign(output.args, answer.args);
    },
    "tool.execute.after": async (input, output) => {
      const result = { title: output.title, output: output.output, metadata: { exit: output.metadata?.exit } };
      const answer = await deliver("PostToolUse", "tool.execute.after", input.sessionID, input, result);
      if (typeof answer.output === "string") output.output = answer.output;
      if (answer.context) output.output = `${output.output ?? ""}\n\n${answer.context}`;
    },
    "experimental.session.compacting": async (input, output) => {
      const answer = await deliver("PreCompact", "experimental.session.compacting", input.sessionID, input);
      if (answer.context) output.context.push(answer.context);
    },
    event: async ({ event }) => {
      await events[event.type]?.(event.properties ?? {});
    },
    dispose: async () => {
      const ends = [...sessions].filter(([, one]) => !one.parent).map(([id]) => deliver("SessionEnd", "dispose", id, {}));
      await Promise.race([Promise.allSettled(ends), new Promise((resolve) => setTimeout(resolve, 1500).unref?.())]);
    },
  };
};
