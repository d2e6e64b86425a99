/** How `webhook test` learns of its delivery: it waits for the deployed service, or makes the attempt itself. */
import { parseEnv } from "node:util";
import { clock } from "../platform/clock.ts";
import { readDevVars } from "./key-files.ts";

export interface TestDelivery {
  readonly id: string;
  readonly status: "pending" | "delivered" | "dead";
  /** Completes the sentence "The receiver ..."; null: there was no attempt yet. */
  readonly outcome: string | null;
}

const READ = "SELECT id, status, outcome FROM webhook_deliveries WHERE id = ?1";
const readDelivery = async (db: D1Database, id: string): Promise<TestDelivery> =>
  (await db.prepare(READ).bind(id).first<TestDelivery>()) ?? { id, status: "pending", outcome: null };

const POLL_MS = 3_000;
/** The run of the next minute, and a timeout of the receiver. */
const LONGEST_WAIT_MS = 120_000;

/** Of the deployed service. After the first attempt the outcome is known, whatever follows. */
export async function awaitDelivery(db: D1Database, id: string): Promise<TestDelivery> {
  const until = clock.now() + LONGEST_WAIT_MS;
  for (;;) {
    const delivery = await readDelivery(db, id);
    if (delivery.outcome !== null || clock.now() >= until) return delivery;
    await clock.wait(POLL_MS);
  }
}

/** On this machine, where no schedule runs: with the local secrets. */
export async function deliverHere(env: Env, db: D1Database, id: string): Promise<TestDelivery> {
  const secrets = parseEnv(await readDevVars());
  // its library signs: no other command needs it
  const { deliver } = await import("../events/deliver.ts");
  await deliver(db, id, { env: { ...env, ...secrets }, now: clock.now(), clock: clock.now });
  return await readDelivery(db, id);
}
