/**
 * The storage of a Durable Object. What is written is seen at once and durable a moment later: whatever the object sends
 * waits for that (the output gate). A crash takes back what was not durable yet.
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { type Find, prepareFind } from "../../src/cli/database/sqlite-rows.ts";
import { clone } from "./clone.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";

const DURABLE_MS = { from: 1, to: 15 } as const;

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What an object has on disk, whichever instance of it lives. */
export class Disk {
  readonly values = new Map<string, unknown>();
  #sql: DatabaseSync | null = null;
  readonly #finds = new Map<string, Find>();
  alarmAt: number | null = null;
  /** What was there before the changes that are not durable yet. */
  #undo: { readonly values: Map<string, unknown>; readonly alarmAt: number | null } | null = null;
  #waiters: Waiter[] = [];
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #flushed: () => void;

  constructor(scheduler: Scheduler, random: Random, flushed: () => void) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#flushed = flushed;
  }

  get sql(): DatabaseSync {
    this.#sql ??= new DatabaseSync(":memory:");
    return this.#sql;
  }

  get isDirty(): boolean {
    return this.#undo !== null;
  }

  prepare(sql: string): Find {
    const find = this.#finds.get(sql) ?? prepareFind(this.sql, sql, (bytes) => new Uint8Array(bytes).buffer);
    this.#finds.set(sql, find);
    return find;
  }

  /** Before each change. */
  touch(): void {
    if (this.#undo) return;
    const undo = { values: new Map(this.values), alarmAt: this.alarmAt };
    this.#undo = undo;
    this.#sql?.exec("BEGIN");
    this.#scheduler.after(this.#random.between(DURABLE_MS.from, DURABLE_MS.to), () => {
      if (this.#undo === undo) this.#flush();
    });
  }

  /** Before the first change of its SQL tables. */
  touchSql(): void {
    const { sql } = this;
    if (this.#undo && !sql.isTransaction) sql.exec("BEGIN");
    this.touch();
  }

  whenDurable(): Promise<void> {
    if (!this.#undo) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  #flush(): void {
    this.#undo = null;
    if (this.#sql?.isTransaction) this.#sql.exec("COMMIT");
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { resolve } of waiters) resolve();
    this.#flushed();
  }

  crash(error: unknown): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    if (this.#undo) {
      this.values.clear();
      for (const [key, value] of this.#undo.values) this.values.set(key, value);
      this.alarmAt = this.#undo.alarmAt;
      this.#undo = null;
      if (this.#sql?.isTransaction) this.#sql.exec("ROLLBACK");
    }
    for (const { reject } of waiters) reject(error);
  }

  close(): void {
    this.#sql?.close();
  }
}

const CHANGES = /^\s*(?:INSERT|UPDATE|DELETE|CREATE|REPLACE|DROP|ALTER)/i;

const toSql = (value: unknown): SQLInputValue =>
  value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SQLInputValue);

/** `ctx.storage` of one instance: of one that is gone, it throws. */
export class ObjectStorage {
  readonly #disk: Disk;
  #gone = false;
  readonly kv: object;
  readonly sql: object;

  constructor(disk: Disk) {
    this.#disk = disk;
    const live = () => this.#live();
    this.kv = {
      get: (key: string) => clone(live().values.get(key)),
      put: (key: string, value: unknown) => {
        const stored = clone(value);
        live().touch();
        disk.values.set(key, stored);
      },
      delete: (key: string) => {
        live().touch();
        return disk.values.delete(key);
      },
    };
    this.sql = { exec: (sql: string, ...values: unknown[]) => this.#exec(sql, values) };
  }

  leave(): void {
    this.#gone = true;
  }

  async setAlarm(at: number | Date): Promise<void> {
    this.#live().touch();
    this.#disk.alarmAt = Number(at);
  }

  async getAlarm(): Promise<number | null> {
    return this.#live().alarmAt;
  }

  async deleteAll(): Promise<void> {
    this.#live().touch();
    this.#disk.values.clear();
    this.#disk.alarmAt = null;
  }

  transactionSync<Result>(work: () => Result): Result {
    const { sql } = this.#live();
    this.#disk.touchSql();
    sql.exec("SAVEPOINT step");
    try {
      const result = work();
      sql.exec("RELEASE step");
      return result;
    } catch (error) {
      sql.exec("ROLLBACK TO step");
      sql.exec("RELEASE step");
      throw error;
    }
  }

  #exec(sql: string, values: readonly unknown[]): object[] {
    const disk = this.#live();
    if (CHANGES.test(sql)) disk.touchSql();
    if (values.length === 0 && /^\s*CREATE/i.test(sql)) {
      disk.sql.exec(sql);
      return [];
    }
    return disk.prepare(sql)(values.map(toSql));
  }

  #live(): Disk {
    if (this.#gone) throw new Error("This object is no longer alive");
    return this.#disk;
  }
}
