/**
 * The process of kept-wrangler.ts: runs wrangler's main for each line that it reads, of arguments and a text for its
 * standard input, and writes what came of it to the stream 3. `ends`: this process does, too. Not over Node's own channel, which wrangler closes.
 */
import { writeSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";

// wrangler runs its main only where it is the process's own module, and gives it to nobody
registerHooks({
  load: (url, context, load) => {
    const loaded = load(url, context);
    if (!url.endsWith("/wrangler-dist/cli.js")) return loaded;
    return { ...loaded, source: `${loaded.source}\nexports.main = main;` };
  },
});
const { main } = createRequire(import.meta.url)("wrangler") as { main: (args: readonly string[]) => Promise<void> };

let output = "";
for (const stream of [process.stdout, process.stderr])
  Object.assign(stream, {
    write: (text: unknown) => {
      output += text;
      return true;
    },
  });

let isRunning = false;
function answer(code: number, ends: boolean): void {
  isRunning = false;
  writeSync(3, `${JSON.stringify({ code, output: stripVTControlCharacters(output), ends })}\n`);
}
process.on("exit", (code) => {
  if (isRunning) answer(code, true);
});

for await (const line of createInterface({ input: process.stdin })) {
  const { args, input } = JSON.parse(line) as { args: readonly string[]; input: string };
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  output = "";
  process.exitCode = undefined;
  isRunning = true;
  const code = await main(args).then(
    () => Number(process.exitCode ?? 0),
    () => 1,
  );
  answer(code, false);
}
process.exit();
