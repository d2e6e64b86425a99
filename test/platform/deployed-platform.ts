/** A platform of a test's own with the service deployed, for commands that run in the test's process. Import it before src/cli. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import { startPlatform } from "./platform.ts";

const ROOT = join(import.meta.dirname, "../..");

export const platform = await startPlatform();
const { environment } = platform;
const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
// src/cli/cloudflare-api.ts reads them when it is loaded
Object.assign(process.env, environment);

afterAll(async () => {
  // files of tests share a process
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await platform.close();
});

/** As npm runs it: with the repository's node before the system's. */
export async function deployThere(): Promise<void> {
  const bin = join(ROOT, "node_modules/.bin");
  const child = spawn(join(bin, "node"), ["src/cli/deploy.ts"], {
    cwd: ROOT,
    env: { ...process.env, CI: "true", PATH: `${bin}${delimiter}${process.env["PATH"]}` },
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(output + errors);
}
