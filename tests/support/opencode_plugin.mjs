// Runs hookd's plugin for opencode as opencode does: each line on stdin is one call of it,
// [function, input, output] or ["event", {type, properties}]; each line on stdout is what it left.
import { createInterface } from "node:readline";

const [file, directory] = process.argv.slice(2);
const plugin = await (await import(file)).Hookd({ directory });
for await (const line of createInterface({ input: process.stdin })) {
  const [name, input, output = {}] = JSON.parse(line);
  let error = null;
  try {
    if (name === "event") await plugin.event({ event: input });
    else await plugin[name]?.(input, output);
  } catch (thrown) {
    error = thrown.message;
  }
  console.log(JSON.stringify({ output, error }));
}
