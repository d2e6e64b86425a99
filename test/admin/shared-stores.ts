/**
 * For commands that a test runs in its own process (run-here.ts): all of a file share the stores of own-state.ts, opened
 * once. A test mocks src/admin/stores.ts by {@link sharing}.
 */
import "./own-state.ts";
import { afterAll } from "vitest";
import type * as stores from "../../src/admin/stores.ts";

type WithStores = typeof stores.withStores;

let opened: Promise<stores.Stores> | null = null;
let end: () => void = () => {};
let ended: Promise<unknown> | null = null;

/** The module with a withStores that lends the shared stores; migrations of the database are looked at each time. */
export function sharing(real: typeof stores): typeof stores {
  const open = () =>
    new Promise<stores.Stores>((resolve, reject) => {
      const ending = new Promise<void>((done) => {
        end = done;
      });
      ended = real.withStores({ remote: false }, (lent) => {
        resolve(lent);
        return ending;
      });
      ended.catch(reject);
    });
  const withStores: WithStores = async (_, work) => {
    opened ??= open();
    return await work(await opened);
  };
  return { ...real, withStores };
}

afterAll(async () => {
  end();
  await ended;
});
