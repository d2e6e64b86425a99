/** The stores of own-state.ts, opened once for all tests of a file: each opening starts a runtime. */
import "./own-state.ts";
import { afterAll, vi } from "vitest";
import type { Stores } from "../../src/admin/stores.ts";

let opened: Promise<Stores> | null = null;
let close: () => void = () => {};
let closed: Promise<void> | null = null;

/** Runs `work` on them, as withStores of src/admin does; they stay open until the file's tests have run. */
export async function withOwnStores<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
  opened ??= open();
  return await work(await opened);
}

function open(): Promise<Stores> {
  const ending = new Promise<void>((resolve) => {
    close = resolve;
  });
  return new Promise((resolve, reject) => {
    // loaded here, behind own-state.ts and the mocks of the test; itself it may be mocked: in-process.ts
    closed = vi.importActual<typeof import("../../src/admin/stores.ts")>("../../src/admin/stores.ts").then((actual) =>
      actual.withStores({ remote: false }, (stores) => {
        resolve(stores);
        return ending;
      }),
    );
    closed.catch(reject);
  });
}

afterAll(async () => {
  close();
  await closed;
});
