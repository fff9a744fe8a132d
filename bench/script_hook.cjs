// What hookd is compared with where there is Node: a hook as a plain script, started for each event.
// It does the least that is equivalent: reads the event, counts the call in a file, checks one rule.

const fs = require("node:fs");

const event = JSON.parse(fs.readFileSync(0, "utf8"));
const file = process.argv[2];
const calls = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : {};
calls[event.session_id] = (calls[event.session_id] ?? 0) + 1;
fs.writeFileSync(`${file}.new`, JSON.stringify(calls));
fs.renameSync(`${file}.new`, file);
if (/\brm\s+-\w*[rf]/.test(String(event.tool_input.command ?? ""))) {
  const said = {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: "Move it to the trash.",
  };
  console.log(JSON.stringify({ hookSpecificOutput: said }));
}
