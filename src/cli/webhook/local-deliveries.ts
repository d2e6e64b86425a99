/** Deliveries on this machine, where no schedule runs: with the local secrets, and by the rules of `npm start`. */
import { parseEnv } from "node:util";
import { takeTurns } from "../../events/deliveries.ts";
import { UNKNOWN_MS } from "../../events/pace.ts";
import { listDatabases } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import { readDevVars } from "../keys/keys.ts";

/** Where webhooks of the local service may lead: also to this machine, unless wrangler.toml or the environment says otherwise. */
export const LOCAL_TARGETS = "loopback";

export const localTargets = ({ WEBHOOK_TARGETS }: Pick<Env, "WEBHOOK_TARGETS">): string =>
  process.env["WEBHOOK_TARGETS"] ?? (WEBHOOK_TARGETS === "public" ? LOCAL_TARGETS : WEBHOOK_TARGETS);

/** The bindings with what a delivery needs beside them. */
export const withLocalSecrets = async (env: Env): Promise<Env> => ({
  ...env,
  ...parseEnv(await readDevVars()),
  WEBHOOK_TARGETS: localTargets(env),
});

const MOST_AT_ONCE = 100;

interface LocalDelivery {
  readonly webhook: string;
  /** Completes the sentence "The receiver ...". */
  readonly outcome: string;
}

/** Makes the deliveries that are due, one after the other, and says how they ended. Others are repeated with the next change. */
export async function deliverDue(env: Env): Promise<LocalDelivery[]> {
  const local = await withLocalSecrets(env);
  // its library signs: few commands need it
  const { deliver } = await import("../../events/deliver.ts");
  const made: LocalDelivery[] = [];
  for (const { db } of listDatabases(env)) {
    const turns = { webhookMs: UNKNOWN_MS * MOST_AT_ONCE, runMs: UNKNOWN_MS * MOST_AT_ONCE };
    for (const id of await takeTurns(db, clock.now(), MOST_AT_ONCE, turns)) {
      const { outcome, delivery } = await deliver(db, id, { env: local, now: clock.now(), clock: clock.now });
      if (outcome !== null) made.push({ webhook: delivery?.webhookId ?? id, outcome });
    }
  }
  return made;
}
