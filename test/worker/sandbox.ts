/** The sandbox in the test's own D1 and KV, and the headers with which a bank's backend speaks. */
import { env } from "cloudflare:workers";
import { seedSandbox } from "../../src/admin/sandbox.ts";
import { OTHER_FI, SANDBOX_FI } from "../sandbox-fis.ts";

/** Loads what `npm start` loads; call it once per file, before the first request. */
export const loadSandbox = (): Promise<void> => seedSandbox(env, JSON.parse(env.TEST_SANDBOX));

export { OTHER_FI, SANDBOX_FI };

/** A fixture's certificate as the `eidas` header carries it. */
export function eidasHeader(name: string): string {
  const pem = env.TEST_CERTIFICATES[name];
  if (pem === undefined) throw new Error(`fixtures/certificates/${name}.pem: no such fixture`);
  return pem.replaceAll(/-----[^-]+-----|\s/g, "");
}
