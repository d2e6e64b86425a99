/**
 * The step that makes events and sees to their deliveries, each minute. It looks at the lists and registers once a refresh
 * or an import of them has settled, when the next one becomes stale, and when a day begins somewhere, since an authorisation may
 * begin or end on a day that the register names. Each hour it learns of PSPs that are new to an institution.
 */

import { deleteOldEvents } from "../events/event-log.ts";
import { addNotice, findStaleSources, tellNotices } from "../events/notices.ts";
import { SWEEP_START, type SweepPlace, type SweepScope, sweepSome } from "../events/sweep.ts";
import { listDatabases } from "../institutions/databases.ts";
import { hashText } from "../platform/node-crypto.ts";
import { StoreError } from "../platform/stores.ts";
import { listRegisters, type RegisterManifest, registerMaxAges } from "../registers/manifest.ts";
import { nextRegisterDay } from "../registers/status.ts";
import { listTrustLists, type TrustListManifest } from "../trust/anchors.ts";
import { lookAfterDeliveries } from "./deliveries.ts";
import { listRefreshes, type Refresh } from "./refreshes.ts";
import type { RefreshEnv, Step } from "./schedule.ts";

/** A step is recorded as of its beginning and may write for a minute and more; KV may show for another what was before. */
const SETTLE_MS = 3 * 60_000;
/** A PSP that gets its first token, and changes within this time, is known as it is afterwards. */
const LEARN_MS = 3_600_000;
/** After a sweep that left out the institutions of a database. */
const REPEAT_MS = 10 * 60_000;

const SWEEP_BOUNDS = { pages: 40, psps: 500 };
/** Two calls of a store each. */
const INSTITUTIONS_PER_STEP = 50;

interface EventsState {
  /** When the sources were last looked at, and when they are again without any change. */
  readonly lookedAt: number;
  readonly lookAt: number;
  /** Digest of the sources that were read last, and when it was first read. */
  readonly seen: string | null;
  readonly seenAt: number;
  /** Digest of the sources that were swept last; null: none, not for all institutions, or before they had settled. */
  readonly swept: string | null;
  readonly sweptAt: number;
  /** When the last sweep of any scope ended. */
  readonly learntAt: number;
  readonly sweep:
    | (SweepPlace & { readonly sources: string; readonly whole: boolean; readonly scope: SweepScope })
    | null;
}

const NEVER: EventsState = {
  lookedAt: 0,
  lookAt: 0,
  seen: null,
  seenAt: 0,
  swept: null,
  sweptAt: 0,
  learntAt: 0,
  sweep: null,
};

export const runEvents: Step = async ({ env, stepState, now, clock }) => {
  const known = readState(stepState);
  const recorded = known.sweep === null ? settleTimes(await listRefreshes(env.DB)) : [];
  const looked = known.sweep === null && isToLook(known, recorded, now);
  const forgotten = looked ? await forgetOld(env, now) : { failures: [] };
  const begun = looked ? await look(env, known, recorded, now) : learnIfDue(known, now);
  const swept = begun.sweep === null ? null : await sweep(env, begun, begun.sweep, now);
  const told = swept === null ? await tellNotices(env, now, INSTITUTIONS_PER_STEP) : null;
  const deliveries = await lookAfterDeliveries(env, listDatabases(env), now, clock);
  const failures = [
    ...forgotten.failures,
    ...(swept?.failures ?? []),
    ...(told?.failures ?? []),
    ...deliveries.failures,
  ];
  const state = swept?.state ?? begun;
  const heavy = (swept?.compared ?? 0) > 100;
  if (failures.length > 0)
    return { ok: false, message: [...new Set(failures)].join("; "), stepState: state, light: !heavy };
  const summary = [
    ...(swept && swept.compared > 0
      ? [`compared ${swept.compared} PSPs of institutions, ${swept.changed} had changed`]
      : []),
    ...(told?.summaries ?? []),
    ...(deliveries.attempted > 0 ? [`${deliveries.attempted} deliveries`] : []),
  ];
  return {
    ok: true,
    stepState: state,
    unfinished: false,
    heavy,
    summary: summary.join("; ") || "nothing to tell",
    quiet: summary.length === 0,
  };
};

/** Without a setting. */
const RETENTION_DAYS = 90;

async function forgetOld(env: RefreshEnv, now: number): Promise<{ readonly failures: readonly string[] }> {
  const failures: string[] = [];
  for (const { db } of listDatabases(env))
    try {
      await deleteOldEvents(db, env.EVENT_RETENTION_DAYS ?? RETENTION_DAYS, now);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failures.push(error.message);
    }
  return { failures };
}

/** When what a task has loaded is settled. One without a success has loaded nothing. */
const settleTimes = (refreshes: readonly Refresh[]): number[] =>
  refreshes.filter(({ task }) => /^(trust|register)\//.test(task)).map(({ checkedAt }) => (checkedAt ?? 0) + SETTLE_MS);

const isToLook = ({ lookedAt, lookAt }: EventsState, settled: readonly number[], now: number): boolean =>
  now >= lookAt || settled.some((instant) => instant > lookedAt && instant <= now);

/**
 * Reads what is loaded, writes notices of stale sources, and begins a sweep if one is due. A change that may not have
 * settled (another source has led here) is swept now, and once more when it has.
 */
async function look(
  env: RefreshEnv,
  known: EventsState,
  settled: readonly number[],
  now: number,
): Promise<EventsState> {
  const [lists, registers] = await Promise.all([listTrustLists(env.KV), listRegisters(env.KV)]);
  const { notices, nextAt } = findStaleSources(lists, registers, registerMaxAges(env), now);
  for (const notice of notices) await addNotice(env.DB, notice, now);
  const sources = digestSources(lists, registers);
  const seenAt = sources === known.seen ? known.seenAt : now;
  const isSettled = now >= seenAt + SETTLE_MS || settled.every((instant) => instant <= now);
  const nextBegins = nextRegisterDay(now);
  const lookAt = Math.min(nextAt, nextBegins, isSettled ? nextBegins : seenAt + SETTLE_MS);
  const looked = { ...known, lookedAt: now, lookAt, seen: sources, seenAt };
  const read = isSettled ? sources : `${sources} unsettled`;
  const due = ![sources, read].includes(known.swept ?? "") || now >= nextRegisterDay(known.sweptAt);
  return { ...looked, sweep: due ? begin(read, "all") : null };
}

const begin = (sources: string, scope: SweepScope) => ({ ...SWEEP_START, sources, whole: true, scope });

const learnIfDue = (known: EventsState, now: number): EventsState =>
  known.sweep === null && known.swept !== null && now >= known.learntAt + LEARN_MS
    ? { ...known, sweep: begin(known.swept, "new") }
    : known;

async function sweep(env: RefreshEnv, state: EventsState, from: NonNullable<EventsState["sweep"]>, now: number) {
  const { place, ...result } = await sweepSome(env, from, now, SWEEP_BOUNDS, from.scope);
  const whole = from.whole && result.failures.length === 0;
  if (place)
    return { ...result, state: { ...state, sweep: { ...place, sources: from.sources, whole, scope: from.scope } } };
  if (from.scope === "new") return { ...result, state: { ...state, learntAt: now, sweep: null } };
  const lookAt = whole ? state.lookAt : now + REPEAT_MS;
  return {
    ...result,
    state: {
      ...state,
      lookAt,
      swept: whole ? from.sources : null,
      sweptAt: state.lookedAt,
      learntAt: now,
      sweep: null,
    },
  };
}

function digestSources(lists: readonly TrustListManifest[], registers: readonly RegisterManifest[]): string {
  const parts = [
    ...lists.map(({ source, jurisdiction, keys }) => [source, jurisdiction, Object.entries(keys).sort()]),
    ...registers.map(({ source, country, hash }) => [source, country, hash]),
  ];
  const sorted = parts.map((part) => JSON.stringify(part)).sort();
  return hashText("sha256", JSON.stringify(sorted));
}

/** An empty object before the first step. */
const readState = (state: unknown): EventsState => ({ ...NEVER, ...(state as Partial<EventsState>) });
