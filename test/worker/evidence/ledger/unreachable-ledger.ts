/** Ledgers that do not answer. */
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { waitingRecords } from "../../../../src/evidence/ledger/recorder.ts";

const fails = async () => {
  throw new Error("internal error; reference = secret-of-the-inside");
};

export const unreachableLedger = {
  getByName: () => ({ append: fails, state: fails, head: fails, list: fails, find: fails, range: fails, heads: fails }),
} as unknown as Env["LEDGER"];

/** Runs `work` while no ledger answers. Then they come back: what waits is appended, and no test leaves work behind. */
export async function whileUnreachable<Result>(work: (bindings: Cloudflare.Env) => Promise<Result>): Promise<Result> {
  let ledgers = unreachableLedger;
  const getByName = (name: string) => ledgers.getByName(name);
  const result = await work({ ...env, LEDGER: { getByName } as unknown as Env["LEDGER"] });
  ledgers = env.LEDGER;
  await vi.waitUntil(() => waitingRecords.queues === 0, { timeout: 60_000 });
  return result;
}
