/**
 * Where the key of a sandbox's CA is kept: beside the other local secrets, or of a deployment in a file of this machine,
 * because a deployed secret cannot be read back. There it is a secret, too, for the console's page.
 */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import type { Authority } from "../../sandbox/pki/authority.ts";
import { EXIT, fail } from "../fail.ts";
import { addLocalKey, readDevVars } from "../keys/keys.ts";
import { DEV_VARS } from "../stores.ts";
import { environmentOption, type Target } from "../target.ts";
import { wrangler } from "../wrangler.ts";

const SECRET = "SANDBOX_CA";

const fileOf = (environment: string): string => join(dirname(DEV_VARS), `.sandbox-ca.${environment}`);

/** Of a sandbox: makes the CA, if there is none, and keeps it. Its list has to be loaded (sandbox/sandbox-load.ts). */
export async function openCa({ remote, environment }: Target): Promise<Authority> {
  // its library is for these commands alone
  const { makeSandboxCa, openSandboxCa } = await import("../../sandbox/sandbox-ca.ts");
  const place = remote ? fileOf(environment ?? "") : DEV_VARS;
  const known = remote ? await readFile(place, "utf8").catch(() => "") : (parseEnv(await readDevVars())[SECRET] ?? "");
  const secret = known === "" ? await makeSandboxCa() : known;
  if (known === "") {
    if (remote) {
      await putSecret(secret, environment);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, `${secret}\n`, { mode: 0o600 });
      await chmod(place, 0o600);
    } else await addLocalKey(SECRET, secret);
  }
  return (await openSandboxCa(secret)) ?? fail(`${place}: ${SECRET} is no key of a sandbox: take it out`, EXIT.unknown);
}

async function putSecret(input: string, environment: Target["environment"]): Promise<void> {
  const { code, output } = await wrangler(["secret", "put", SECRET, ...environmentOption(environment)], { input });
  if (code !== 0) fail(`wrangler could not store the secret ${SECRET}:\n${output}`);
}
