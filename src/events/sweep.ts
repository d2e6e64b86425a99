/**
 * The sweep: after a list or a register has changed, the PSPs in which some institution has an interest are read again and
 * compared with what that institution knows. So a change of 100,000 PSPs costs as much as the interest in PSPs, in steps
 * of a bounded number of statements and reads, and nothing has to be remembered of the import itself.
 *
 * An event and the standing that it leads to are stored in one transaction, on the condition that the institution still
 * knows the former one: a step that is repeated tells nothing twice.
 */
import { databaseOf } from "../institutions/databases.ts";
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore, StoreError } from "../platform/stores.ts";
import { shareReads } from "../psp-check/shared-reads.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import type { EventEvidence } from "./event.ts";
import { insertEvent } from "./event-log.ts";
import { findGrants, type Grants, type Interest, listInterest, listNext } from "./interest.ts";
import { type ReadIssuers, readIssuers } from "./issuers.ts";
import { restandMetPsp } from "./met-psps.ts";
import { LEARN } from "./observed-facts.ts";
import {
  compareStandings,
  digestStanding,
  isIncomplete,
  makeStanding,
  type PspStanding,
  readHomeRegister,
  type StandingChange,
} from "./standing.ts";

/** Of one institution that are read and compared together: four keys of KV each, a hundred in a call. */
const PSPS_AT_ONCE = 50;

export const STANDING_STATEMENTS = {
  learn: LEARN,
  change: `
    UPDATE psp_standings SET digest = :digest, standing = :standing, seen_at = :now
    WHERE fi_id = :fiId AND psp_id = :pspId AND digest = :known`,
  // a later interest begins with what is then
  forget: "DELETE FROM psp_standings WHERE fi_id = ?1 AND psp_id = ?2 AND digest = ?3",
} as const;

/** Where the next step begins. */
export interface SweepPlace {
  /** The least id of an institution that is not finished. */
  readonly fi: number;
  /** The last PSP of it that was compared; `""`: none. */
  readonly psp: string;
}

export const SWEEP_START: SweepPlace = { fi: 0, psp: "" };

export interface SweepStep {
  /** Null: all institutions are finished. */
  readonly place: SweepPlace | null;
  readonly compared: number;
  /** Standings that had changed. */
  readonly changed: number;
  /** Of institutions whose database did not answer: they are left out. */
  readonly failures: readonly string[];
}

type Stores = Pick<Env, "DB" | "KV">;

/** `new`: only PSPs of which an institution knows nothing yet, or what was true at a grant, so that the next change of them is one. */
export type SweepScope = "all" | "new";

/** What a step may do: an invocation of the Worker may make a thousand calls of stores. */
export interface SweepBounds {
  /** Of {@link PSPS_AT_ONCE} PSPs of one institution, some eight calls each. */
  readonly pages: number;
  /** Is exceeded by a page at most. */
  readonly psps: number;
}

/** One step. */
export async function sweepSome(
  env: Stores,
  from: SweepPlace,
  now: Instant,
  bounds: SweepBounds,
  scope: SweepScope = "all",
): Promise<SweepStep> {
  let place = from;
  let [compared, changed] = [0, 0];
  const failures: string[] = [];
  for (let page = 0; page < bounds.pages && compared < bounds.psps; page++) {
    const [fi] = await listNext(env.DB, place.fi, 1);
    if (!fi) return { place: null, compared, changed, failures };
    const after = fi.id === place.fi ? place.psp : "";
    try {
      const db = databaseOf(env, fi);
      const interests = await listInterest(db, fi.id, after, PSPS_AT_ONCE);
      const looked = scope === "all" ? interests : interests.filter(({ digest }) => isIncomplete(digest));
      changed += await comparePage(env, db, fi.id, looked, now);
      compared += looked.length;
      const last = interests.at(-1);
      place = last && interests.length === PSPS_AT_ONCE ? { fi: fi.id, psp: last.pspId } : { fi: fi.id + 1, psp: "" };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failures.push(error.message);
      place = { fi: fi.id + 1, psp: "" };
    }
  }
  return { place, compared, changed, failures };
}

interface Changed {
  readonly pspId: string;
  readonly digest: string;
  readonly text: string;
  readonly known: string;
  readonly changes: readonly StandingChange[];
  readonly evidence: (change: StandingChange) => readonly EventEvidence[];
}

/** Compares and stores; returns how many standings changed. */
async function comparePage(
  env: Stores,
  db: D1Database,
  fiId: number,
  interests: readonly Interest[],
  now: Instant,
): Promise<number> {
  if (interests.length === 0) return 0;
  const kv = shareReads(env.KV);
  const pspIds = interests.map(({ pspId }) => pspId);
  const [readings, issued] = await Promise.all([
    Promise.all(pspIds.map((pspId) => readHomeRegister(kv, pspId, now))),
    readIssuers(env.DB, kv, pspIds, now),
  ]);
  const statements: D1PreparedStatement[] = [];
  const changed: Changed[] = [];
  interests.forEach(({ pspId, digest: known, standing }, i) => {
    const reading = readings[i] ?? null;
    const issuers = issued[i] ?? { issuers: [], evidence: new Map() };
    const after = makeStanding(reading, issuers, now);
    if (after === null) return;
    const text = JSON.stringify(after);
    const digest = digestStanding(text);
    if (known === null || standing === null)
      statements.push(bindNamed(db, STANDING_STATEMENTS.learn, { fiId, pspId, digest, standing: text, now }));
    else if (known !== digest) {
      const changes = compareStandings(JSON.parse(standing) as PspStanding, after);
      changed.push({ pspId, digest, text, known, changes, evidence: (change) => cite(change, reading, issuers) });
    }
  });
  const told = changed.filter(({ changes }) => changes.length > 0);
  const grants = await findGrants(
    db,
    fiId,
    told.map(({ pspId }) => pspId),
    now,
  );
  const grantsOf = new Map(told.map(({ pspId }, i) => [pspId, grants[i] ?? null]));
  for (const psp of changed) statements.push(...tell(db, fiId, psp, grantsOf.get(psp.pspId) ?? null, now));
  if (statements.length > 0) await callStore("D1", () => db.batch(statements));
  // one that was completed only has not changed
  return changed.filter(({ known, changes }) => changes.length > 0 || !isIncomplete(known)).length;
}

/** `grants`: null if the institution has no interest in the PSP any more, or nothing of interest has changed. */
function tell(db: D1Database, fiId: number, changed: Changed, grants: Grants | null, now: Instant) {
  const { pspId, digest, text, known, changes, evidence } = changed;
  if (grants === null && changes.length > 0) return [db.prepare(STANDING_STATEMENTS.forget).bind(fiId, pspId, known)];
  const events = (grants === null ? [] : changes).flatMap((change) => {
    const { type, before, after } = change;
    const data = { psp_id: pspId, before, after, evidence: evidence(change), grants };
    // a PSP may change to and fro, each time at another instant
    const key = JSON.stringify([known, digest, now, type === "qtsp.withdrawn" ? after : null]);
    return insertEvent(db, { fiId, type, subject: pspId, data, key }, { before: known }, now);
  });
  const standing = { fiId, pspId, digest, standing: text, now, known };
  const { register } = JSON.parse(text) as PspStanding;
  const met = restandMetPsp(db, fiId, pspId, register, now);
  return [...events, bindNamed(db, STANDING_STATEMENTS.change, standing), met];
}

function cite(change: StandingChange, reading: RegisterReading | null, issued: ReadIssuers): EventEvidence[] {
  if (change.type === "qtsp.withdrawn") return [...(issued.evidence.get(change.after.certificates[0] ?? "") ?? [])];
  const manifests = reading?.manifests ?? [];
  return manifests.map(({ country, source, hash }) => ({ document: `register ${country} ${source}`, sha256: hash }));
}
