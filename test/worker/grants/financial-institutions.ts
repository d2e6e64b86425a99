/** Two tenants, for tests of the stores alone. */
import { env } from "cloudflare:workers";
import { insertFinancialInstitution } from "../../../src/institutions/financial-institutions.ts";

/** Their ids in D1. */
export async function insertTwoFis(): Promise<[number, number]> {
  const ids: number[] = [];
  for (const name of ["one", "two"]) {
    const fiReferenceId = `PSDXX-${crypto.randomUUID()}`;
    const fi = { name, fiReferenceId, clientId: crypto.randomUUID(), secretHash: "hash", now: 0 };
    await insertFinancialInstitution(env.DB, fi);
    const find = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1").bind(fiReferenceId);
    ids.push((await find.first<number>("id")) ?? 0);
  }
  const [one = 0, two = 0] = ids;
  return [one, two];
}
