import { afterAll } from "vitest";
import "./in-process.ts";
import { startPlatform } from "./platform.ts";

export const platform = await startPlatform();
const { environment } = platform;
const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
// src/cli/deployment/cloudflare-api.ts reads them
Object.assign(process.env, environment);

afterAll(async () => {
  // files of tests share a process
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await platform.close();
});

/** Deploys to each of these in this process; deployed.test.ts does it as operators do. */
export async function deployThere(...environments: readonly ("staging" | null)[]): Promise<void> {
  // loaded behind what it reads of the environment
  const { deployHere } = await import("./deploy-here.ts");
  for (const each of environments) {
    const { code, stderr } = await deployHere(each);
    if (code !== 0) throw new Error(stderr);
  }
}
