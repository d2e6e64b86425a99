/** Runs one of the product's scripts as npm does: with the repository's node before the system's. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";

const ROOT = join(import.meta.dirname, "../..");
const BIN = join(ROOT, "node_modules/.bin");

const SCRIPTS = { deploy: "src/cli/deployment/deploy.ts", main: "src/cli/main.ts" } as const;

/** `script`: of src/cli. `environment`: of the platform, and what else differs. `output`: of both streams. */
export async function runThere(
  script: keyof typeof SCRIPTS,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly output: string }> {
  const child = spawn(join(BIN, "node"), [SCRIPTS[script], ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment, CI: "true", PATH: `${BIN}${delimiter}${process.env["PATH"]}` },
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, output: output + errors };
}
