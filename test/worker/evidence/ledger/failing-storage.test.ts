/** Each call that the object of a ledger makes of its storage and of R2 fails once: nothing is lost, doubled or miscounted. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkChain } from "../../../../src/evidence/ledger/chain.ts";
import type { InstitutionLedger } from "../../../../src/evidence/ledger/institution-ledger.ts";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import { DAY, FI_ID, MINUTE, makeEntries, NOON, type Opened, withLedger } from "./made-entries.ts";

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { objects } = await env.EVIDENCE.list({ prefix: `ledger/${FI_ID}/` });
  for (const { key } of objects) await env.EVIDENCE.delete(key);
});
afterEach(() => void vi.restoreAllMocks());

/** The call number `at` fails, from 1 on: `lost` after it was carried out. */
interface Failure {
  readonly at: number;
  readonly lost: boolean;
  calls: number;
  /** It was a statement: one that has failed was not carried out. */
  sync?: boolean;
}
/** Of a failure that is not armed: no call makes it the first one. */
const NOT_YET = Number.NEGATIVE_INFINITY;
type Method = (...args: unknown[]) => unknown;

/** A store whose methods of these names fail as they are told; `sql` of a storage is one in turn. */
function failing<Store extends object>(store: Store, methods: RegExp, failure: Failure): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "sql") return failing(value as object, /^exec$/, failure);
      if (typeof value !== "function") return value;
      const carryOut: Method = (...args) => Reflect.apply(value as Method, target, args);
      if (!methods.test(String(name))) return carryOut;
      return (...args: unknown[]) => {
        // what only reads leaves nothing half done
        const isTried = !/^\s*SELECT/.test(String(args[0]));
        if (!isTried || ++failure.calls !== failure.at) return carryOut(...args);
        failure.sync = name === "exec";
        if (failure.sync) throw new Error("the statement failed");
        return (async () => {
          if (failure.lost) await carryOut(...args);
          throw new Error("the store failed");
        })();
      };
    },
  });
}

/** A day, the next one, and one long after: each is closed, moved to R2 and indexed, and the first ones go. */
const [DAY_2, LATE] = [NOON + DAY, NOON + 2_556 * DAY];
const SENT = [NOON, DAY_2, LATE].map((time) => makeEntries(2, time));

/** Sends a batch until it is answered, as isolates do. */
async function append(ledger: InstitutionLedger, batch: number, now: number): Promise<void> {
  const entries = SENT[batch] ?? [];
  await ledger.append(FI_ID, entries, false, now).catch(() => ledger.append(FI_ID, entries, true, now));
}

async function expectWhole(ledger: InstitutionLedger, { now, sent, expired = 0 }: Step): Promise<number | null> {
  const { keptFrom } = await ledger.state(now);
  const texts: string[] = [];
  for (let from: number | null = keptFrom ?? 1; from !== null; ) {
    const page = await ledger.search.range(from, Number.MAX_SAFE_INTEGER);
    texts.push(...page.texts);
    from = page.next;
  }
  const records = texts.map((text) => JSON.parse(text) as LedgerRecord);
  const [first] = records;
  expect(checkChain(texts, { seq: (first?.seq ?? 1) - 1, hash: first?.prev ?? "" }).ok).toBe(true);
  // what it says is kept can be read, each record once
  const ids = SENT.flat().map(({ id }) => id);
  expect(records.map(({ id }) => id)).toEqual(ids.slice((keptFrom ?? 1) - 1, sent));
  expect(keptFrom).toBeLessThanOrEqual(expired + 1);
  const counts = ledger.traffic.read(0, now + DAY);
  // what is older than the records is not counted any more
  if (expired === 0) expect(counts.reduce((sum, { requests }) => sum + requests, 0)).toBe(sent);
  return keptFrom;
}

interface Step {
  readonly name: string;
  readonly before: (ledger: InstitutionLedger) => Promise<void>;
  readonly step: (ledger: InstitutionLedger, now: number) => Promise<void>;
  readonly now: number;
  /** How many records there are by then, and how many of them may go. */
  readonly sent: number;
  readonly expired?: number;
}
const STEPS: readonly Step[] = [
  { name: "a first append", before: async () => {}, step: (ledger, now) => append(ledger, 0, now), now: NOON, sent: 2 },
  {
    name: "an alarm that signs",
    before: (ledger) => append(ledger, 0, NOON),
    step: (ledger, now) => ledger.keep(now),
    now: NOON + MINUTE,
    sent: 2,
  },
  {
    name: "an alarm that closes a segment, moves it and writes an index",
    before: async (ledger) => {
      await append(ledger, 0, NOON);
      await append(ledger, 1, DAY_2);
    },
    step: (ledger, now) => ledger.keep(now),
    now: DAY_2 + MINUTE,
    sent: 4,
  },
  {
    name: "an alarm that deletes",
    before: async (ledger) => {
      await append(ledger, 0, NOON);
      await append(ledger, 1, DAY_2);
      await ledger.keep(DAY_2);
      await append(ledger, 2, LATE);
    },
    step: (ledger, now) => ledger.keep(now),
    now: LATE + 4 * DAY,
    sent: 6,
    expired: 4,
  },
];

async function attempt(made: Step, failure: Failure): Promise<void> {
  const { before, step, now, expired = 0 } = made;
  await withLedger(async ({ ledger, storage, open }: Opened) => {
    await before(ledger);
    const EVIDENCE = failing(env.EVIDENCE, /^(head|get|put|delete)$/, failure);
    const faulty = open({ EVIDENCE }, failing(storage, /^(getAlarm|setAlarm)$/, failure));
    failure.calls = 0;
    // the platform rings an alarm again that has failed
    await step(faulty, now).catch(() => step(faulty, now));
    const { calls } = failure;
    failure.calls = NOT_YET;
    expect(await storage.getAlarm()).not.toBeNull();
    await expectWhole(faulty, made);
    await faulty.keep(now + DAY);
    expect(await expectWhole(open(), made)).toBe(expired + 1);
    failure.calls = calls;
  });
}

test.each(STEPS)("$name", async (step) => {
  const whole = { at: 0, lost: false, calls: NOT_YET };
  await attempt(step, whole);
  for (let at = 1; at <= whole.calls; at++) {
    const failure: Failure = { at, lost: false, calls: NOT_YET };
    await attempt(step, failure);
    if (!failure.sync) await attempt(step, { ...failure, lost: true, calls: NOT_YET });
  }
});
