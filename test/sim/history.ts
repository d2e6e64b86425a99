/** One history: a world, its actors and faults, and every promise that broke in it. */

import { VERSION } from "../../src/platform/version.ts";
import { BANKS_TASK, EBA_TASK } from "../../src/refresh/schedule.ts";
import { D1 } from "./d1.ts";
import { Facts } from "./facts.ts";
import { INVARIANTS } from "./invariants/all.ts";
import type { Judged } from "./invariants/invariant.ts";
import type { Kind } from "./kinds.ts";
import { makeListsDue, setDue } from "./loaded-lists.ts";
import { Random } from "./random.ts";
import { makeSeed, type Seed, START, variables } from "./seed.ts";
import { drawSwarm, isScheduled, type Swarm } from "./swarm.ts";
import type { ThemeName } from "./themes.ts";
import type { Counters } from "./trace.ts";
import { addWebhooks } from "./webhook-receivers.ts";
import { bundleText, compileWorker, type Patch, type WorkerFunction } from "./worker-function.ts";
import { act } from "./workload.ts";
import { World } from "./world.ts";

interface Broken {
  readonly promise: string;
  readonly how: string;
  /** Seconds after the beginning. */
  readonly at: number;
}

export interface History {
  readonly broken: readonly Broken[];
  readonly counters: Counters;
  readonly digest: string;
  readonly trace: readonly string[];
  readonly requests: number;
  readonly swarm: Swarm;
}

/** What histories of one process share. */
export interface Setup {
  readonly stores: Seed;
  readonly database: D1;
  readonly run: WorkerFunction;
  /** The release after it. */
  readonly next: WorkerFunction;
  readonly commands: WorkerFunction;
  readonly variables: Readonly<Record<string, string | number>>;
}

export async function prepare(patches: readonly Patch[] = []): Promise<Setup> {
  const [text, commands, stores] = await Promise.all([
    bundleText(),
    bundleText("test/sim/operator-commands.ts"),
    makeSeed(),
  ]);
  // what the operator's commands alone do is not in the Worker; what both do is changed in both
  const ofWorker = patches.filter(({ from }) => text.includes(from));
  const ofCommands = patches.filter((patch) => !ofWorker.includes(patch) || commands.includes(patch.from));
  return {
    stores,
    database: new D1(() => START, stores.database),
    run: compileWorker(text, ofWorker),
    next: compileWorker(text.replaceAll(`"${VERSION}"`, '"99.0.0"'), ofWorker),
    commands: compileWorker(commands, ofCommands),
    variables: variables(),
  };
}

/** Long enough for a late call, a lost client and the ledger's alarm. */
const QUIET_MS = 120_000;
const LONGEST_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Of the cron trigger, which comes at least once. */
const TWICE_SHARE = 0.25;
/** Within which it comes again: while the first run does its work, or after it. */
const TWICE_MS = 2_000;

/** `theme`: one that it has in any case. `swarm`: another world than that of the seed, as for a shorter history. */
export async function runHistory(
  setup: Setup,
  seed: string,
  {
    theme = null as ThemeName | null,
    swarm = drawSwarm(new Random(`${seed}/swarm`), theme),
    keepTrace = false,
    stopAtFirst = true,
  } = {},
): Promise<History> {
  const world = new World({ ...setup, seed, swarm, keepTrace });
  const { scheduler, counters, trace } = world;
  const facts = new Facts();
  const broken: Broken[] = [];
  const judged: Judged = {
    world,
    facts,
    broken: (promise, how) => {
      const at = (scheduler.now - START) / 1000;
      if (!broken.some((each) => each.promise === promise && each.how === how)) broken.push({ promise, how, at });
    },
    occurred: (promise) => counters.condition(promise),
  };
  let [answers, looked] = [0, ""];
  world.onStep = (store) => {
    // a step that changes nothing, with nothing said since, shows nothing new
    const state = `${world.database.changes} ${answers}`;
    if (store === "D1" && state === looked) return;
    if (store === "D1") looked = state;
    for (const { onStep } of INVARIANTS) onStep?.(judged, store);
  };
  world.onAnswer = (exchange) => {
    answers++;
    for (const { onAnswer } of INVARIANTS) onAnswer?.(judged, exchange);
  };
  const accounts = Array.from({ length: swarm.accounts }, (_, i) => `account-${i + 1}`);
  const underWay: Promise<void>[] = [];
  for (const { at, kind, seed: own } of swarm.entries) {
    scheduler.after(at, () => {
      const drawn = new Random(own);
      trace.mark(`now: ${kind}`);
      if (kind === "an isolate dies") world.kill(drawn);
      else if (kind === "an object is reset") world.move(drawn);
      else underWay.push(act({ facts, world, accounts }, kind as Kind, drawn));
    });
  }
  if (swarm.events) addWebhooks(world.database, scheduler.now);
  if (swarm.lists) makeListsDue(world.database, scheduler.now);
  if (swarm.eba) for (const task of [EBA_TASK, BANKS_TASK]) setDue(world.database, task, scheduler.now);
  if (isScheduled(swarm)) {
    const triggering = world.random.fork("cron");
    const trigger = () => {
      world.runScheduled(triggering);
      if (!swarm.calm && triggering.chance(TWICE_SHARE)) {
        counters.fault("the cron trigger fires twice");
        scheduler.after(triggering.between(0, TWICE_MS), () => world.runScheduled(triggering));
      }
      scheduler.after(MINUTE_MS + triggering.between(-1_000, 1_000), trigger);
    };
    scheduler.after(triggering.between(0, MINUTE_MS), trigger);
  }
  const isOver = () => stopAtFirst && broken.length > 0;
  await scheduler.runUntil(START + swarm.activeMs, isOver);
  world.heal();
  if (!isOver()) await scheduler.runUntil(START + swarm.activeMs + QUIET_MS, isOver);
  for (const { atEnd, patienceMs = LONGEST_MS } of INVARIANTS) {
    if (!atEnd || isOver()) continue;
    let done = false;
    const judging = atEnd(judged).then(() => {
      done = true;
    });
    await scheduler.runUntil(START + patienceMs, () => done);
    if (done) await judging;
    else judged.broken("it ends", "the service did not answer within an hour after its faults had ended");
  }
  world.end();
  return { broken, counters, digest: trace.digest(), trace: trace.lines, requests: world.exchanges.length, swarm };
}
