/**
 * The step that makes events and sees to their deliveries, each minute. It looks at the lists and registers once a refresh
 * or an import of them has settled, when the next one becomes stale, and when a day begins somewhere, since an authorisation may
 * begin or end on a day that the register names. Each hour it learns of PSPs that are new to an institution.
 */

import { deleteOldEvents } from "../events/event-log.ts";
import { tellOfMetPsps } from "../events/met-news.ts";
import { addNotice, tellNotices } from "../events/notices.ts";
import { findStaleSources } from "../events/stale-sources.ts";
import { SWEEP_START, type SweepPlace, type SweepScope, sweepSome } from "../events/sweep.ts";
import { recordCommandActs } from "../evidence/ledger/command-acts.ts";
import { listDatabases } from "../institutions/databases.ts";
import type { Instant } from "../platform/instant.ts";
import { hashText } from "../platform/node-crypto.ts";
import { StoreError } from "../platform/stores.ts";
import { listRegisters, type RegisterManifest, registerMaxAges } from "../registers/manifest.ts";
import { nextRegisterDay } from "../registers/status.ts";
import { listTrustLists, type TrustListManifest } from "../trust/anchors.ts";
import { lookAfterDeliveries } from "./deliveries.ts";
import { listRefreshes, type Refresh } from "./refreshes.ts";
import type { RefreshEnv, Step } from "./schedule.ts";

/**
 * From the run that sees what a task has recorded to the one that looks at it: KV may show for a minute what was before. Runs
 * are a minute apart. They are counted, since the clock of the isolate that has recorded it may be another one.
 */
const SETTLE_RUNS = 3;
/** A PSP that gets its first token, and changes within this time, is known as it is afterwards. */
const LEARN_MS = 3_600_000;
/** After a sweep that left out the institutions of a database. */
const REPEAT_MS = 10 * 60_000;

const SWEEP_BOUNDS = { pages: 40, psps: 500 };
/** Two calls of a store each. */
const INSTITUTIONS_PER_STEP = 50;

interface EventsState {
  /** How many have been counted. */
  readonly runs: number;
  /** Of each task that loads sources, when it last found them current, and the run that saw that first. */
  readonly recorded: Readonly<Record<string, { readonly checkedAt: Instant; readonly run: number }>>;
  /** When the sources were last looked at, and when they are again without any change. */
  readonly lookedAt: Instant;
  readonly lookAt: Instant;
  /** The run that looked at them last, and the one that does so again; null: none. */
  readonly lookedRun: number;
  readonly lookRun: number | null;
  /** Digest of the sources that were read last, and the run that read it first. */
  readonly seen: string | null;
  readonly seenRun: number;
  /** Digest of the sources that were swept last; null: none, or not for all institutions. */
  readonly swept: string | null;
  readonly sweptAt: Instant;
  /** When the last sweep of any scope ended. */
  readonly learntAt: Instant;
  readonly sweep:
    | (SweepPlace & { readonly sources: string; readonly whole: boolean; readonly scope: SweepScope })
    | null;
}

const NEVER: EventsState = {
  runs: 0,
  recorded: {},
  lookedAt: 0,
  lookAt: 0,
  lookedRun: 0,
  lookRun: null,
  seen: null,
  seenRun: 0,
  swept: null,
  sweptAt: 0,
  learntAt: 0,
  sweep: null,
};

export const runEvents: Step = async ({ env, stepState, now, clock }) => {
  const last = readState(stepState);
  const known = last.sweep === null ? countRun(last, await listRefreshes(env.DB)) : last;
  const looked = known.sweep === null && isToLook(known, now);
  const forgotten = looked ? await forgetOld(env, now) : { failures: [] };
  const begun = looked ? await look(env, known, now) : learnIfDue(known, now);
  const swept = begun.sweep === null ? null : await sweep(env, begun, begun.sweep, now);
  const told = swept === null ? await tellNotices(env, now, INSTITUTIONS_PER_STEP) : null;
  const met = await tellOfMet(env, now);
  const deliveries = await lookAfterDeliveries(env, listDatabases(env), now, clock);
  const acts = await recordActs(env);
  const failures = [
    ...acts.failures,
    ...forgotten.failures,
    ...(swept?.failures ?? []),
    ...(told?.failures ?? []),
    ...met.failures,
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
    ...(met.told > 0 ? [`told of ${met.told} PSPs that were met`] : []),
    ...(deliveries.attempted > 0 ? [`${deliveries.attempted} deliveries`] : []),
    ...(acts.recorded > 0 ? [`recorded ${acts.recorded} changes by commands`] : []),
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

/** A command that refreshes reaches no ledger. */
async function recordActs(env: RefreshEnv) {
  const { LEDGER, JURISDICTION = "", LEDGER_RECORDS = "on" } = env;
  if (!LEDGER) return { recorded: 0, failures: [] };
  let recorded = 0;
  const ofLedgers: string[] = [];
  const { failures } = await inEachDatabase(env, async (db) => {
    const done = await recordCommandActs({ LEDGER, JURISDICTION, LEDGER_RECORDS }, db);
    recorded += done.recorded;
    ofLedgers.push(...done.failures);
  });
  return { recorded, failures: [...failures, ...ofLedgers] };
}

/** Without a setting. */
const RETENTION_DAYS = 90;

const forgetOld = (env: RefreshEnv, now: Instant) =>
  inEachDatabase(env, async (db) => {
    await deleteOldEvents(db, env.EVENT_RETENTION_DAYS ?? RETENTION_DAYS, now);
  });

async function tellOfMet(env: RefreshEnv, now: Instant) {
  let told = 0;
  const { failures } = await inEachDatabase(env, async (db) => {
    told += await tellOfMetPsps(db, now);
  });
  return { told, failures };
}

/** `failures`: the messages of databases that did not answer. */
async function inEachDatabase(env: RefreshEnv, work: (db: D1Database) => Promise<void>) {
  const failures: string[] = [];
  for (const { db } of listDatabases(env))
    try {
      await work(db);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failures.push(error.message);
    }
  return { failures };
}

/** One more, and what it sees that tasks have recorded. One without a success has loaded nothing. */
function countRun(known: EventsState, refreshes: readonly Refresh[]): EventsState {
  const runs = known.runs + 1;
  const recorded = refreshes.flatMap(({ task, checkedAt }) => {
    if (checkedAt === null || !/^(trust|register)\//.test(task)) return [];
    const before = known.recorded[task];
    return [[task, before?.checkedAt === checkedAt ? before : { checkedAt, run: runs }]];
  });
  return { ...known, runs, recorded: Object.fromEntries(recorded) };
}

/** The runs by which what tasks have loaded is settled. */
const settleRuns = ({ recorded }: EventsState): number[] => Object.values(recorded).map(({ run }) => run + SETTLE_RUNS);

const isToLook = (known: EventsState, now: Instant): boolean =>
  now >= known.lookAt ||
  (known.lookRun !== null && known.runs >= known.lookRun) ||
  settleRuns(known).some((run) => run > known.lookedRun && run <= known.runs);

/**
 * Reads what is loaded, writes notices of stale sources, and begins a sweep if one is due. While a change may not have settled
 * none is: KV may show here what was before a state that a watch has seen elsewhere, and that would be told as a change.
 */
async function look(env: RefreshEnv, known: EventsState, now: Instant): Promise<EventsState> {
  const { runs } = known;
  const [lists, registers] = await Promise.all([listTrustLists(env.KV), listRegisters(env.KV)]);
  const { notices, nextAt } = findStaleSources(lists, registers, registerMaxAges(env), now);
  for (const notice of notices) await addNotice(env.DB, notice, now);
  const sources = digestSources(lists, registers);
  const seenRun = sources === known.seen ? known.seenRun : runs;
  const isSettled = runs >= seenRun + SETTLE_RUNS || settleRuns(known).every((run) => run <= runs);
  const nextBegins = nextRegisterDay(now);
  const looked = {
    ...{ ...known, lookedAt: now, lookedRun: runs, seen: sources, seenRun },
    lookAt: Math.min(nextAt, nextBegins),
    lookRun: isSettled ? null : seenRun + SETTLE_RUNS,
  };
  const due = isSettled && (sources !== known.swept || now >= nextRegisterDay(known.sweptAt));
  return { ...looked, sweep: due ? begin(sources, "all") : null };
}

const begin = (sources: string, scope: SweepScope) => ({ ...SWEEP_START, sources, whole: true, scope });

const learnIfDue = (known: EventsState, now: Instant): EventsState =>
  known.sweep === null && known.swept !== null && now >= known.learntAt + LEARN_MS
    ? { ...known, sweep: begin(known.swept, "new") }
    : known;

async function sweep(env: RefreshEnv, state: EventsState, from: NonNullable<EventsState["sweep"]>, now: Instant) {
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
    // by run, too: one that breaks off may have been swept, and the next put back what was before
    ...registers.map(({ source, country, hash, run }) => [source, country, hash, run]),
  ];
  const sorted = parts.map((part) => JSON.stringify(part)).sort();
  return hashText("sha256", JSON.stringify(sorted));
}

/** An empty object before the first step. */
const readState = (state: unknown): EventsState => ({ ...NEVER, ...(state as Partial<EventsState>) });
