import { databaseOf, type Placed } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { MEMORY_SHARES } from "../../platform/memory.ts";
import { STORE_TIMEOUT_MS, StoreError } from "../../platform/stores.ts";
import { tagEntries } from "./account-tag.ts";
import { askLedger, type LedgerEnv } from "./ask-ledger.ts";
import { type Queue, type Sending, type WaitingRecord, WaitingRecords } from "./waiting-records.ts";

/**
 * Records of a busy institution gather for so long: an append takes 0.4 ms of processor time beside what each record takes. Of
 * the 130 that gather at 2,600 checks a second each bears 3 µs; twice as long would spare half of it, and lose twice as many.
 */
const GATHERING_MS = 50;
/** Of the heap: the text of so much is below the 2 MB of a row, whatever JSON has to escape in it. */
const BATCH = { records: 512, bytes: 640 * 1024 } as const;
const TAKEN_OVER_AFTER_MS = 15_000;
const ENDS_AFTER_MS = 25_000;
const RETRY_MS = { first: 100, last: 2_000 } as const;
/** Of a log line. */
const LOGGED_IDS = 200;
const LOST = "the ledger cannot be reached, and there is no room for more";

type RecorderEnv = LedgerEnv & Pick<Env, "DB">;
/** The institution, as far as a record needs it. */
interface Recorded extends Placed {
  readonly id: number;
  readonly fiReferenceId: string;
}

export const waitingRecords = new WaitingRecords(MEMORY_SHARES.records);

/** Records an answer after the response. */
export function record(
  env: RecorderEnv,
  ctx: Pick<ExecutionContext, "waitUntil">,
  fi: Recorded,
  made: WaitingRecord,
  now: Instant,
): void {
  const lost = waitingRecords.add(fi.id, made);
  if (lost.length > 0) logLost(lost);
  takeUp(env, ctx, fi, now);
}

/** Sends what waits, unless another request does. */
function takeUp(env: RecorderEnv, ctx: Pick<ExecutionContext, "waitUntil">, fi: Recorded, now: Instant): void {
  const queue = waitingRecords.queueOf(fi.id);
  if (queue.driver && isWithin(TAKEN_OVER_AFTER_MS, queue.driver.since, now)) return;
  const driver = { since: now };
  queue.driver = driver;
  ctx.waitUntil(drive(env, fi, queue, driver));
}

/** Not of what is to begin in an hour: the clock has jumped back since. */
const isWithin = (milliseconds: number, since: Instant, now: Instant): boolean => Math.abs(now - since) < milliseconds;

async function drive(
  env: RecorderEnv,
  fi: Recorded,
  queue: Queue,
  driver: NonNullable<Queue["driver"]>,
): Promise<void> {
  // the answer goes first
  await scheduler.wait(0);
  for (let failures = 0; queue.driver === driver; ) {
    const now = clock.now();
    const sending = nextOf(queue, now);
    if (sending === "under way") {
      await scheduler.wait(GATHERING_MS);
      continue;
    }
    if (!sending) {
      queue.driver = null;
      waitingRecords.drop(fi.id);
      return;
    }
    const error = await send(env, fi, sending);
    if (error === null) {
      waitingRecords.confirm(queue, sending);
      failures = 0;
      await scheduler.wait(GATHERING_MS);
      continue;
    }
    if (queue.sending === sending) queue.sending = { ...sending, again: true, at: 0 };
    if (queue.driver !== driver) return;
    if (clock.now() - driver.since > ENDS_AFTER_MS) {
      // the next request takes them up
      queue.driver = null;
      logIds("record_waiting", fi, [...sending.records, ...queue.waiting.map(({ record }) => record)], error.message);
      return;
    }
    await scheduler.wait(Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.last));
  }
}

/** What is to be sent: again, what was sent without an answer; else what waits. Null if there is nothing. */
function nextOf(queue: Queue, now: Instant): Sending | "under way" | null {
  const { sending } = queue;
  if (!sending) return waitingRecords.take(queue, BATCH, now);
  // that of the request before, if that is still at work
  if (isWithin(STORE_TIMEOUT_MS, sending.at, now)) return "under way";
  queue.sending = { ...sending, again: true, at: now };
  return queue.sending;
}

/** Null if the ledger has kept them. */
async function send(
  env: RecorderEnv,
  fi: Recorded,
  { records, again }: Pick<Sending, "records" | "again">,
): Promise<StoreError | null> {
  try {
    const untagged = ({ message }: StoreError) => logIds("account_not_tagged", fi, records, message);
    const entries = await tagEntries(() => databaseOf(env, fi), fi.id, records, clock.now(), untagged);
    await askLedger(env, fi.id, (ledger) => ledger.append(fi.id, entries, again), STORE_TIMEOUT_MS);
    return null;
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** Pauses between the attempts of {@link recordNow}. */
const ATTEMPTS_MS = [0, 100, 400] as const;

/**
 * Records an answer before it leaves. False if its ledger did not confirm it: then the answer has to be withheld. What was done is
 * done, so its record waits as any other, and says that its answer was withheld. A ledger that fails is asked again, not one
 * that is silent: the bank's customer waits. Each attempt is one that may be repeated: a late one may be carried out after those
 * that follow it, where the record travels with others.
 */
export async function recordNow(
  env: RecorderEnv,
  ctx: Pick<ExecutionContext, "waitUntil">,
  fi: Recorded,
  made: WaitingRecord,
): Promise<boolean> {
  const begun = clock.now();
  for (const pause of ATTEMPTS_MS) {
    if (clock.now() - begun >= STORE_TIMEOUT_MS) break;
    if (pause > 0) await scheduler.wait(pause);
    const error = await send(env, fi, { records: [made], again: true });
    if (error === null) {
      // of answers that were withheld before, by a request that has ended
      if (waitingRecords.has(fi.id)) takeUp(env, ctx, fi, clock.now());
      return true;
    }
    logIds("record_refused", fi, [made], error.message);
  }
  const entry = { ...made.entry, withheld: true } as const;
  record(env, ctx, fi, { ...made, entry, sentBefore: true }, clock.now());
  return false;
}

/** Of any institution: each entry says of which. */
function logLost(lost: readonly WaitingRecord[]): void {
  for (const [fiReferenceId, records] of Map.groupBy(lost, ({ entry }) => entry.fi))
    logIds("record_lost", { fiReferenceId }, records, LOST);
}

function logIds(
  event: string,
  fi: Pick<Recorded, "fiReferenceId">,
  records: readonly WaitingRecord[],
  reason: string,
): void {
  const ids = records.slice(0, LOGGED_IDS).map(({ entry }) => entry.id);
  console.error(JSON.stringify({ event, fi: fi.fiReferenceId, records: records.length, reason, ids }));
}
