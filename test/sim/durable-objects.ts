/** Durable Objects: of each at most one instance, in some isolate. It may move, or be reset in the middle of a call. */
import { createHash } from "node:crypto";
import { clone } from "./clone.ts";
import type { Isolate } from "./isolate.ts";
import { Disk, ObjectStorage } from "./object-storage.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Counters, Trace } from "./trace.ts";
import { type Caller, networkLost, type Travel } from "./travel.ts";

const IDLE_MS = 10_000;
/** The platform's own: six tries of an alarm after the first, each after twice the time. */
const ALARM_TRIES = 6;
const ALARM_RETRY_MS = 2_000;
/** An alarm in the past rings so late. */
const SOONEST_MS = 1_000;
/** How soon after it has come a call is broken off. */
const BROKEN_OFF_MS = { from: 0, to: 12 } as const;

interface Instance {
  readonly isolate: Isolate;
  readonly storage: ObjectStorage;
  readonly methods: Record<string, (...args: unknown[]) => unknown>;
  readonly pending: Set<(error: unknown) => void>;
  readonly forget: () => void;
}

export interface ObjectsParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly travel: Travel;
  readonly counters: Counters;
  readonly trace: Trace;
  /** In which isolate an instance begins. */
  readonly place: () => Isolate;
  /** The bindings of an instance. */
  readonly bind: (caller: Caller) => unknown;
  /** After each change on a disk is durable. */
  readonly stepped: () => void;
  /** The share of runs of alarms that are broken off. */
  readonly failingAlarms: () => number;
}

export class StoredObject {
  readonly className: string;
  readonly name: string;
  readonly disk: Disk;
  #instance: Instance | null = null;
  #usedAt = 0;
  #ringing: number | null = null;
  /** Which alarm runs, or waits to be tried again. */
  #tried: { readonly at: number; readonly tries: number } | null = null;
  readonly #parts: ObjectsParts;

  constructor(className: string, name: string, parts: ObjectsParts) {
    this.className = className;
    this.name = name;
    this.#parts = parts;
    this.disk = new Disk(parts.scheduler, parts.random, () => this.#flushed());
  }

  get isAlive(): boolean {
    return this.#instance !== null;
  }

  /** Runs a method, and answers when what it wrote is durable. */
  call(method: string, args: readonly unknown[], answer: (result: unknown) => void, fail: (error: unknown) => void) {
    const instance = this.#activate();
    const ended = () => instance.pending.delete(crashed);
    const crashed = (error: unknown) => {
      ended();
      fail(error);
    };
    instance.pending.add(crashed);
    const finish = (leave: () => void) => {
      this.disk.whenDurable().then(
        () => {
          if (!instance.pending.has(crashed)) return;
          ended();
          leave();
        },
        () => {},
      );
    };
    const run = async () => await instance.methods[method]?.(...args);
    run().then(
      (result) => finish(() => answer(clone(result))),
      (error: unknown) => finish(() => fail(error)),
    );
  }

  /** Where it is: it begins again elsewhere. */
  reset(fault: string): void {
    const { trace, counters } = this.#parts;
    trace.mark(`${this.className} ${this.name.slice(0, 8)} is reset`);
    counters.fault(fault);
    this.crash();
  }

  /** In the middle of the call that has just come. */
  breakOff(random: Random, fault: string): void {
    const instance = this.#instance;
    this.#parts.scheduler.after(random.between(BROKEN_OFF_MS.from, BROKEN_OFF_MS.to), () => {
      if (instance && instance === this.#instance && instance.pending.size > 0) this.reset(fault);
    });
  }

  /** Its memory is gone, and what was not durable. */
  crash(): void {
    const instance = this.#instance;
    if (!instance) return;
    this.#instance = null;
    instance.storage.leave();
    instance.forget();
    this.disk.crash(networkLost());
    for (const crashed of [...instance.pending]) crashed(networkLost());
    this.#setRing();
  }

  #activate(): Instance {
    const { scheduler, random, counters, trace, place, bind } = this.#parts;
    const known = this.#instance;
    const isIdle = scheduler.now - this.#usedAt > IDLE_MS && known?.pending.size === 0 && !this.disk.isDirty;
    this.#usedAt = scheduler.now;
    if (known && !(isIdle && random.chance(0.5))) return known;
    if (known) {
      counters.fault("object is evicted");
      known.storage.leave();
      known.forget();
    }
    const isolate = place();
    trace.note(() => `${this.className} ${this.name.slice(0, 8)} begins in ${isolate.name}`);
    const storage = new ObjectStorage(this.disk);
    const caller = { isolate, gate: () => this.disk.whenDurable() };
    const state = { storage, id: { name: this.name, toString: () => this.name }, waitUntil: () => {} };
    const methods = new (isolate.objectClass(this.className))(state, bind(caller));
    const forget = isolate.onDeath(() => this.crash());
    const instance: Instance = { isolate, storage, methods, pending: new Set(), forget };
    this.#instance = instance;
    return instance;
  }

  #flushed(): void {
    this.#setRing();
    this.#parts.stepped();
  }

  #setRing(): void {
    const { alarmAt } = this.disk;
    if (alarmAt === null || alarmAt === this.#ringing) return;
    this.#ringing = alarmAt;
    const { scheduler } = this.#parts;
    scheduler.after(Math.max(alarmAt - scheduler.now, SOONEST_MS), () => {
      if (this.#ringing !== alarmAt) return;
      this.#ringing = null;
      if (this.disk.alarmAt === alarmAt) this.#ring(alarmAt, 0);
    });
  }

  #ring(at: number, tries: number): void {
    const { scheduler, counters, random, failingAlarms } = this.#parts;
    counters.fault(tries === 0 ? "an alarm rings" : "an alarm is tried again");
    this.#activate();
    const run = { at, tries };
    this.#tried = run;
    // while it runs none is set
    this.disk.touch();
    this.disk.alarmAt = null;
    const again = () => {
      if (this.#tried !== run) return;
      // a crash has put it back
      if (this.disk.alarmAt === at) this.disk.alarmAt = null;
      // it was set again: then that one rings
      if (this.disk.alarmAt !== null) return;
      if (tries === ALARM_TRIES) return counters.fault("an alarm is given up");
      scheduler.after(ALARM_RETRY_MS * 2 ** tries, () => {
        if (this.#tried === run && this.disk.alarmAt === null) this.#ring(at, tries + 1);
      });
    };
    this.call("alarm", [], () => {}, again);
    if (random.chance(failingAlarms())) this.breakOff(random, "an object is reset in its alarm");
  }
}

export class Objects {
  readonly all = new Map<string, StoredObject>();
  readonly #parts: ObjectsParts;

  constructor(parts: ObjectsParts) {
    this.#parts = parts;
  }

  #breaksOff: Random | null = null;

  /** `random`: of when it is reset. */
  resetNextCall(random: Random): void {
    this.#breaksOff = random;
  }

  find(className: string, name: string): StoredObject {
    const key = `${className} ${name}`;
    let found = this.all.get(key);
    if (!found) {
      found = new StoredObject(className, name, this.#parts);
      this.all.set(key, found);
    }
    return found;
  }

  /** `env.<binding>` of one caller. */
  namespace(className: string, caller: Caller) {
    const { random } = this.#parts;
    const stub = (name: string) => this.#stub(this.find(className, name), caller);
    const idOf = (text: string) => ({ toString: () => text });
    const namespace = {
      newUniqueId: () => idOf(authentic(className, Buffer.from(random.fill(new Uint8Array(24))).toString("hex"))),
      idFromString: (text: string) => {
        if (!/^[0-9a-f]{64}$/.test(text) || authentic(className, text.slice(0, 48)) !== text)
          throw new TypeError("Invalid Durable Object ID: must be 64 hex digits of this namespace");
        return idOf(text);
      },
      idFromName: (name: string) => idOf(name),
      get: (id: { toString(): string }) => stub(id.toString()),
      getByName: stub,
      jurisdiction: () => namespace,
    };
    return namespace;
  }

  #stub(object: StoredObject, caller: Caller): object {
    const send = (method: string, args: unknown[]) => {
      const sent = clone(args);
      const what = `${object.className} ${object.name.slice(0, 8)}: ${method}`;
      return this.#parts.travel.send(caller, "object", what, (answer, fail) => {
        object.call(method, sent, answer, fail);
        if (this.#breaksOff === null) return;
        object.breakOff(this.#breaksOff, "an object is reset in a call");
        this.#breaksOff = null;
      });
    };
    return new Proxy(
      {},
      { get: (_, name) => (name === "then" ? undefined : (...args: unknown[]) => send(String(name), args)) },
    );
  }
}

/** Ids are of their namespace: an invented one is none. */
const authentic = (className: string, random: string): string =>
  random + createHash("sha256").update(`${className} ${random}`).digest("hex").slice(0, 16);
