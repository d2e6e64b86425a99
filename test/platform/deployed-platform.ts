import { afterAll } from "vitest";
import { startPlatform } from "./platform.ts";
import { runThere } from "./run-there.ts";

export const platform = await startPlatform();
const { environment } = platform;
const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
// src/cli/cloudflare-api.ts reads them
Object.assign(process.env, environment);

afterAll(async () => {
  // files of tests share a process
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await platform.close();
});

export async function deployThere(): Promise<void> {
  const { code, output } = await runThere("deploy", [], environment);
  if (code !== 0) throw new Error(output);
}
