/** The stores of own-state.ts, migrated, and opened once for all tests of a file: each opening starts a runtime. */
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Stores } from "../../src/cli/stores.ts";
import { STATE_DIR } from "./own-state.ts";

let opened: ReturnType<typeof open> | null = null;

/** Runs `work` on them, as withStores of src/cli does; they stay open until the file's tests have run. */
export async function withOwnStores<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
  const [{ stores }, { withBegunWork }] = await Promise.all([openOnce(), import("../../src/cli/begun-work.ts")]);
  return await withBegunWork((ctx) => work({ ...stores, ctx }));
}

function openOnce() {
  opened ??= open();
  return opened;
}

async function open() {
  // loaded here, behind own-state.ts and the mocks of the test
  const [
    { findPending, migrate },
    { waitForStores },
    { listDatabases },
    { openLocalStores },
    { readDeploymentTables },
  ] = await Promise.all([
    import("../../src/cli/database/migrations.ts"),
    import("../../src/cli/busy-stores.ts"),
    import("../../src/institutions/databases.ts"),
    import("../../src/cli/stores.ts"),
    import("../../src/cli/deployment/tables.ts"),
  ]);
  const runtime = await openLocalStores(join(STATE_DIR, "v3"), readDeploymentTables(null));
  const { env, end } = waitForStores(runtime.env);
  for (const { db } of listDatabases(env)) await migrate(db, (await findPending(db)).migrations);
  return { end, runtime, stores: { env, pending: [] } };
}

afterAll(async () => {
  const all = await opened;
  all?.end();
  await all?.runtime.close();
});
