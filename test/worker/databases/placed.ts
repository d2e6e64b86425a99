/** Runs the tests of another file with the sandbox's institutions in other databases than the first. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { databaseOf } from "../../../src/institutions/databases.ts";
import { placement } from "../sandbox.ts";

export async function runPlaced(databases: typeof placement, load: () => Promise<unknown>): Promise<void> {
  Object.assign(placement, databases);
  await load();

  test("what they stored is in these databases", async () => {
    const count = "SELECT count(*) FROM tokens JOIN financial_institutions fi ON fi.id = fi_id AND database = ?1";
    const countIn = async (database: number) =>
      await databaseOf(env, { database }).prepare(count).bind(databases.sandbox).first<number>("count(*)");
    expect(await countIn(databases.sandbox)).toBeGreaterThan(0);
    expect(await countIn(1)).toBe(0);
  });
}
