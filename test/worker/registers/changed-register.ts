/** The sandbox's home register, imported again with a change. */
import { env } from "cloudflare:workers";
import type { Sandbox } from "../../../src/cli/sandbox/files.ts";
import { importRegister } from "../../../src/registers/import/import-register.ts";
import { readRegisterFile } from "../../../src/registers/import/own-form.ts";

/** Every category of the PSP has the status; all else is as in the sandbox. `published`: ISO 8601. */
export async function importStatus(
  authNumber: string,
  status: string,
  published = new Date().toISOString(),
): Promise<void> {
  const sandbox: Sandbox = JSON.parse(env.TEST_SANDBOX);
  const register = sandbox.registers.map((text) => JSON.parse(text)).find(({ country }) => country === "XX");
  for (const psp of register.psps)
    if (psp.authNumber === authNumber) for (const category of psp.categories) category.status = status;
  const file = readRegisterFile(JSON.stringify({ ...register, published }));
  if (!file.ok) throw new Error(JSON.stringify(file.problems));
  await importRegister(env, file.register, { now: Date.now(), force: true });
}
