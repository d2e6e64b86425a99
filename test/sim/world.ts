/** The simulated world of one history: time, stores, and isolates in their locations. */
import { drawClock } from "./clocks.ts";
import { type D1, D1Binding } from "./d1.ts";
import { Objects } from "./durable-objects.ts";
import { Isolate } from "./isolate.ts";
import { Kv, KvBinding } from "./kv.ts";
import { Limiter, LimiterBinding } from "./limiter.ts";
import { Network } from "./network.ts";
import { Queue, QueueBinding } from "./queue.ts";
import { R2, R2Binding } from "./r2.ts";
import { Random } from "./random.ts";
import { type Exchange, Requests } from "./requests.ts";
import { Scheduler } from "./scheduler.ts";
import { type Seed, START } from "./seed.ts";
import type { Swarm } from "./swarm.ts";
import { Counters, Trace } from "./trace.ts";
import { type Caller, type Store, Travel } from "./travel.ts";
import type { WorkerFunction } from "./worker-function.ts";

export interface WorldParts {
  readonly seed: string;
  readonly swarm: Swarm;
  readonly stores: Seed;
  /** Reset by each history, so that its statements are prepared once for a process. */
  readonly database: D1;
  readonly run: WorkerFunction;
  /** The release after it. */
  readonly next: WorkerFunction;
  /** operator-commands.ts */
  readonly commands: WorkerFunction;
  readonly variables: Readonly<Record<string, string | number>>;
  readonly keepTrace: boolean;
}

/** How long the operator waits for a command: an import may wait three minutes for KV. */
const COMMAND_PATIENCE_MS = 300_000;

export class World {
  readonly scheduler = new Scheduler(START);
  readonly counters = new Counters();
  readonly trace: Trace;
  readonly travel: Travel;
  readonly objects: Objects;
  readonly network: Network;
  readonly queue: Queue;
  readonly requests: Requests;
  readonly database: D1;
  readonly swarm: Swarm;
  readonly random: Random;
  readonly exchanges: Exchange[] = [];
  readonly isolates: Isolate[] = [];
  readonly #parts: WorldParts;
  readonly kv: Kv;
  readonly #r2 = new R2();
  readonly #limiter = new Limiter();
  #answered = 0;
  #healed = false;
  #seen = 0;
  /** After a step of a store that changed it, or the first since an answer. */
  onStep: (store: Store) => void = () => {};
  onAnswer: (exchange: Exchange) => void = () => {};

  constructor(parts: WorldParts) {
    this.#parts = parts;
    const { scheduler, counters } = this;
    this.swarm = parts.swarm;
    this.random = new Random(parts.seed);
    this.trace = new Trace(() => scheduler.now - START, parts.keepTrace);
    this.database = parts.database;
    this.database.begin(() => scheduler.now);
    this.kv = new Kv(parts.stores.keys, scheduler, this.random.fork("kv"), counters);
    const shared = { scheduler, counters, trace: this.trace };
    const { outages, strayShare } = parts.swarm;
    const stepped = (store: Store) => {
      // what only reads changes nothing
      const state = parts.database.changes + this.#answered;
      if (store === "D1" && state === this.#seen) return;
      this.#seen = state;
      this.onStep(store);
    };
    this.travel = new Travel({ ...shared, random: this.random.fork("travel"), outages, strayShare, stepped });
    const { sources, receivers } = parts.swarm;
    this.network = new Network({ ...shared, random: this.random.fork("network"), sources, receivers });
    const consuming = this.random.fork("queue");
    this.queue = new Queue({
      ...{ scheduler, counters, random: consuming },
      twice: () => (this.#healed ? 0 : parts.swarm.sentTwice),
      place: () => this.#place(null, consuming),
      envOf: (isolate) => this.#envOf(isolate),
    });
    this.requests = new Requests({
      ...{ ...shared, swarm: parts.swarm, exchanges: this.exchanges },
      place: (location, random) => this.#place(location, random),
      envOf: (isolate) => this.#envOf(isolate),
      isHealed: () => this.#healed,
      answered: (exchange) => {
        this.#answered++;
        this.onAnswer(exchange);
      },
    });
    const placing = this.random.fork("places");
    this.objects = new Objects({
      ...shared,
      random: this.random.fork("objects"),
      travel: this.travel,
      place: () => this.#place(null, placing),
      bind: (caller) => this.#bind(caller),
      stepped: () => this.onStep("object"),
      failingAlarms: () => (this.#healed ? 0 : parts.swarm.failingAlarms),
    });
  }

  /** The isolate dies: one that is chosen, if there is one. */
  kill(random: Random): void {
    const alive = this.isolates.filter((isolate) => isolate.alive);
    if (alive.length === 0) return;
    const isolate = random.pick(alive);
    this.trace.mark(`${isolate.name} dies`);
    this.counters.fault("an isolate dies");
    isolate.die();
  }

  /** An object is reset where it is, and begins again elsewhere. */
  move(random: Random): void {
    if (random.chance(0.7)) {
      this.objects.resetNextCall(random);
      return;
    }
    const alive = [...this.objects.all.values()].filter((object) => object.isAlive);
    if (alive.length > 0) random.pick(alive).reset("an object is reset");
  }

  /** From now on nothing fails. */
  heal(): void {
    this.#healed = true;
    this.travel.heal();
    this.network.heal();
  }

  /** Frees what a history holds of the machine. */
  end(): void {
    for (const { disk } of this.objects.all.values()) disk.close();
  }

  readonly #envs = new WeakMap<Isolate, unknown>();

  #envOf(isolate: Isolate): unknown {
    const known = this.#envs.get(isolate) ?? this.#bind({ isolate });
    this.#envs.set(isolate, known);
    return known;
  }

  #bind(caller: Caller): unknown {
    const { travel, scheduler, objects } = this;
    const { variables, database } = this.#parts;
    return {
      ...variables,
      RATE_LIMIT_REQUESTS: this.swarm.requestLimit,
      DB: new D1Binding(database, travel, caller),
      KV: new KvBinding(this.kv, travel, caller, scheduler),
      EVIDENCE: new R2Binding(this.#r2, travel, caller, scheduler),
      RATE_LIMITER: new LimiterBinding(this.#limiter, 15_000, travel, caller, scheduler),
      SIGN_IN_LIMITER: new LimiterBinding(this.#limiter, 30, travel, caller, scheduler),
      RATE_WINDOW: objects.namespace("RateWindow", caller),
      AUTHORIZATION_CODE: objects.namespace("AuthorizationCode", caller),
      LEDGER: objects.namespace("Ledger", caller),
      EVENTS: new QueueBinding(this.queue, travel, caller),
    };
  }

  /** The cron trigger, somewhere. */
  runScheduled(random: Random): void {
    const isolate = this.#place(null, random);
    this.trace.mark(`the scheduled run begins in ${isolate.name}`);
    const context = { waitUntil: (work: Promise<unknown>) => void work.catch(() => {}) };
    void isolate.entry.scheduled({}, this.#envOf(isolate), context).catch(() => {});
  }

  /** Runs an operator's command in an isolate of its own, which dies after `livesMs` if it is not at its end. Null: it failed, or died. */
  command<Result>(
    name: string,
    values: readonly unknown[],
    random: Random,
    livesMs = COMMAND_PATIENCE_MS,
  ): Promise<Result | null> {
    const own = this.random.fork(`operator ${random.word()}`);
    const isolate = this.#begin("operator", random.pick(this.swarm.locations), own, this.#parts.commands);
    const run = isolate.exported(name) as (...values: unknown[]) => Promise<Result>;
    this.trace.mark(`the operator: ${name}`);
    return new Promise((resolve) => {
      let underWay = true;
      const end = (result: Result | null) => {
        if (!underWay) return;
        underWay = false;
        resolve(result);
        // its process ends: nothing that it began goes on
        isolate.die();
      };
      isolate.onDeath(() => end(null));
      run(this.#envOf(isolate), ...values).then(end, (error: unknown) => {
        this.trace.note(() => `the operator's ${name} failed: ${String(error)}`);
        end(null);
      });
      isolate.after(livesMs, () => {
        if (!underWay) return;
        this.counters.fault("a command is killed");
        this.trace.mark(`the operator's ${name} is killed`);
        isolate.die();
      });
    });
  }

  /** An isolate in a location (null: in any): one that is there, or a cold one. */
  #place(wanted: string | null, random: Random): Isolate {
    const { swarm } = this;
    const location = wanted ?? random.pick(swarm.locations);
    const there = this.isolates.filter((isolate) => isolate.alive && isolate.location === location);
    if (there.length >= swarm.isolatesEach || (there.length > 0 && random.chance(0.8))) return random.pick(there);
    // by its place among those of its location: what a shorter history leaves out changes no other's clock
    const name = `${location}-${this.isolates.filter((isolate) => isolate.location === location).length + 1}`;
    const isolate = this.#begin(name, location, this.random.fork(name), this.#chooseRelease(name));
    this.isolates.push(isolate);
    this.counters.fault("an isolate begins cold");
    this.counters.fault(`clock: ${swarm.clocks}`);
    this.trace.mark(`${name} begins, its clock ${isolate.now() - this.scheduler.now} ms off`);
    return isolate;
  }

  /** While a deployment is under way both answer. */
  #chooseRelease(name: string): WorkerFunction {
    const { swarm } = this;
    if (!swarm.deploying || this.random.fork(`${name} release`).chance(0.5)) return this.#parts.run;
    this.counters.fault("an isolate of the next release");
    return this.#parts.next;
  }

  #begin(name: string, location: string, own: Random, run: WorkerFunction): Isolate {
    return new Isolate({
      name,
      location,
      clock: drawClock(this.swarm.clocks, own.fork("clock")),
      scheduler: this.scheduler,
      random: own,
      run,
      resolve: (from, host) => this.network.resolve(from, host),
      fetch: (from, input, init) => this.network.fetch(from, input, init),
      log: (from, line) => this.trace.note(() => `${from.name} logs ${line}`),
    });
  }
}
