/** The sandbox in the test's own D1 and KV, and the headers with which a bank's backend speaks. */
import { env } from "cloudflare:workers";
// before two ledgers load it at once: each would wait for the other's promise (cold-worker.ts)
import "../../src/evidence/ledger/institution-ledger.ts";
import { seedSandbox } from "../../src/cli/sandbox/sandbox.ts";
import { listDatabases } from "../../src/institutions/databases.ts";
import { copyInstitution } from "../../src/institutions/institution-placement.ts";
import { OTHER_FI, SANDBOX_FI } from "../sandbox-fis.ts";
import { migrate } from "./migrate.ts";

/** The databases of the two FIs, for {@link loadSandbox}: test/worker/databases/ runs tests with others. */
export const placement = { sandbox: 1, other: 1 };

/** Loads what `npm start` loads; call it once per file, before the first request. */
export async function loadSandbox(): Promise<void> {
  await seedSandbox(env, JSON.parse(env.TEST_SANDBOX));
  const place = env.DB.prepare("UPDATE financial_institutions SET database = ?2 WHERE fi_reference_id = ?1");
  for (const [{ fi_reference_id }, database] of [
    [SANDBOX_FI, placement.sandbox],
    [OTHER_FI, placement.other],
  ] as const)
    if (database !== 1) {
      await migrateAll();
      await place.bind(fi_reference_id, database).run();
      await copyInstitution(env, fi_reference_id);
    }
}

/** Each file begins with the first database migrated: the others are for few. */
export async function migrateAll(): Promise<void> {
  for (const { db } of listDatabases(env)) await migrate(db);
}

export { OTHER_FI, SANDBOX_FI };

/** A fixture's certificate as the `eidas` header carries it. */
export function eidasHeader(name: string): string {
  const pem = env.TEST_CERTIFICATES[name];
  if (pem === undefined) throw new Error(`fixtures/certificates/${name}.pem: no such fixture`);
  return pem.replaceAll(/-----[^-]+-----|\s/g, "");
}
