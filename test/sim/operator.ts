/** The operator disables an institution for a while, and erases what is kept of an account. */
import type { Facts } from "./facts.ts";
import type { Random } from "./random.ts";
import type { Exchange } from "./requests.ts";
import type { World } from "./world.ts";

interface Stage {
  readonly world: World;
  readonly facts: Facts;
  readonly random: Random;
  /** fi_reference_id. */
  readonly fi: string;
}

/** Until it is done. */
async function setStatus({ world, facts, random, fi }: Stage, status: "active" | "disabled"): Promise<void> {
  const { scheduler } = world;
  const change = { fi, status, begunAt: scheduler.now, endedAt: null as number | null };
  facts.statuses.push(change);
  for (;;) {
    const result = await world.command<{ readonly ok: boolean }>(
      "setStatus",
      [fi, status],
      random,
      drawLife(world, random, KILLED_MS),
    );
    if (result?.ok) break;
    await scheduler.sleep(random.between(1_000, 10_000));
  }
  change.endedAt = scheduler.now;
}

/** One after the other: two at once would leave it to chance what is last. */
export async function disable(stage: Stage): Promise<void> {
  const { world, facts, random, fi } = stage;
  if (facts.statuses.some((each) => each.fi === fi)) return;
  await setStatus(stage, "disabled");
  await world.scheduler.sleep(random.between(1_000, 100_000));
  await setStatus(stage, "active");
}

const KILLED_MS = { from: 2, to: 60 } as const;

/** How long a command lives: some are killed before their end. Undefined: it is not. */
export const drawLife = (
  { swarm }: World,
  random: Random,
  { from, to }: { readonly from: number; readonly to: number },
  share = 0.2,
): number | undefined => (!swarm.calm && random.chance(share) ? random.between(from, to) : undefined);

const FIND = "SELECT id FROM financial_institutions WHERE fi_reference_id = ?1";

export async function erase({ world, facts, random, fi }: Stage, account: string): Promise<void> {
  const { scheduler, database } = world;
  const [row] = database.read(FIND, fi);
  // a command is no request: it has what invariants ask of one
  const exchange = { id: 0, status: 0, sentAt: scheduler.now, answeredAt: null, servedAt: null };
  const known = exchange as unknown as Exchange;
  facts.erasures.push({ fi, account, exchange: known });
  facts.ends.push({ fi, account, consentId: null, token: null, exchange: known });
  facts.blocks.push({ fi, account, block: false, exchange: known });
  const done = await world.command("eraseAccount", [row?.["id"], account], random, drawLife(world, random, KILLED_MS));
  known.answeredAt = scheduler.now;
  if (done === null) return;
  known.status = 204;
  known.servedAt = scheduler.now;
}
