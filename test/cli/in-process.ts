/**
 * Commands that run in this process (run-here.ts) use stores that are opened once for all tests of a file: as a process,
 * a command costs more than a second of processor time. What only a process can show is tested with admin-command.ts.
 * Import it before src/cli.
 */
import { vi } from "vitest";
import type { Stores } from "../../src/cli/stores.ts";
import { withOwnStores } from "./own-stores.ts";

vi.mock("../../src/cli/stores.ts", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  withStores: <Result>(_: object, work: (stores: Stores) => Promise<Result>) => withOwnStores(work),
}));
