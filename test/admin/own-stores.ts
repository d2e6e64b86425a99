/** The stores of own-state.ts, migrated, and opened once for all tests of a file: each opening starts a runtime. */
import { afterAll } from "vitest";
import type { Stores } from "../../src/admin/stores.ts";
import { STATE_DIR } from "./own-state.ts";
import { type StoreRuntime, startStores } from "./store-runtime.ts";

const ctx = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext;

let opened: Promise<{ readonly runtime: StoreRuntime; readonly stores: Stores }> | null = null;

/** Runs `work` on them, as withStores of src/admin does; they stay open until the file's tests have run. */
export async function withOwnStores<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
  opened ??= open();
  return await work((await opened).stores);
}

async function open() {
  // loaded here, behind own-state.ts and the mocks of the test
  const [{ findPending, migrate }, { waitForStores }, { listDatabases }] = await Promise.all([
    import("../../src/admin/migrations.ts"),
    import("../../src/admin/busy-stores.ts"),
    import("../../src/databases.ts"),
  ]);
  const runtime = await startStores(STATE_DIR);
  const { env } = waitForStores(runtime.env);
  for (const { db } of listDatabases(env)) await migrate(db, (await findPending(db)).migrations);
  return { runtime, stores: { env, ctx, pending: [] } };
}

afterAll(async () => {
  await (await opened)?.runtime.stop();
});
