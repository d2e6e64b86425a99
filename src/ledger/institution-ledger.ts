/**
 * What the Durable Object of an institution does (ledger.ts): appends records to the chain, signs its end, closes
 * segments and moves them to R2, and counts traffic. `now` is in milliseconds since 1970.
 *
 * SQL is synchronous: whatever stands between two awaits is one step, which nothing else can divide.
 */
import { nextDay } from "../days.ts";
import { readSigningKeys } from "../signatures/signing-keys.ts";
import { ClosedSegments } from "./closed-segments.ts";
import { retentionStart } from "./evidence-retention.ts";
import { HeadSearch } from "./head-search.ts";
import { HEAD_INTERVAL_MS, HEADS_TABLE, type Head, Heads } from "./heads.ts";
import { LedgerAlarm } from "./ledger-alarm.ts";
import { idIn, OPEN_SEGMENT_TABLE, OpenSegment } from "./open-segment.ts";
import type { LedgerEntry } from "./record.ts";
import { readFacts } from "./record-facts.ts";
import { RecordSearch } from "./record-search.ts";
import { closeOldest } from "./segment-closing.ts";
import { SegmentFiles } from "./segment-files.ts";
import { SegmentPlaces } from "./segment-places.ts";
import { CLOSED_SEGMENT_TABLES } from "./segment-tables.ts";
import { TRAFFIC_TABLES, type Traffic, TrafficCounters } from "./traffic.ts";

const INSTITUTION_TABLE = `
  CREATE TABLE IF NOT EXISTS institution (
    one   INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    fi_id INTEGER NOT NULL,
    fi    TEXT    NOT NULL -- fi_reference_id
  ) STRICT`;

/** R2 is optional, and so are signing keys. */
export type LedgerEnv = Partial<Pick<Env, "EVIDENCE">> & Pick<Env, "EVIDENCE_RETENTION_DAYS">;

/** Of one institution. */
interface Institution {
  readonly fi_id: number;
  readonly fi: string;
}

export interface LedgerState {
  /** The number of the last record; 0 if there is none. */
  readonly seq: number;
  /** The oldest record that can be read; null if none can. */
  readonly keptFrom: number | null;
  /** Closed segments that are not in R2. */
  readonly waiting: { readonly segments: number; readonly bytes: number };
  readonly head: Head | null;
}

/** Each takes some 30 ms of processor time, of which an alarm has 30 s; appends wait meanwhile. */
const CLOSED_PER_ALARM = 64;
/** Files that one alarm writes at most: of these the platform allows a thousand. */
const MOVES_PER_ALARM = 32;
const RETRY_MS = 30_000;

export class InstitutionLedger {
  readonly #storage: DurableObjectStorage;
  readonly #env: LedgerEnv;
  readonly #heads: Heads;
  readonly #closed: ClosedSegments;
  readonly #open: OpenSegment;
  readonly #traffic: TrafficCounters;
  readonly #alarm: LedgerAlarm;
  /** Its records, for those who may read them. */
  readonly search: RecordSearch;
  readonly headSearch: HeadSearch;
  #institution: Institution | null;

  constructor(storage: DurableObjectStorage, env: LedgerEnv) {
    this.#storage = storage;
    this.#env = env;
    const { sql } = storage;
    for (const tables of [INSTITUTION_TABLE, OPEN_SEGMENT_TABLE, CLOSED_SEGMENT_TABLES, HEADS_TABLE, TRAFFIC_TABLES])
      sql.exec(tables);
    this.#institution =
      [...sql.exec<Institution & Record<string, SqlStorageValue>>("SELECT fi_id, fi FROM institution")][0] ?? null;
    this.#alarm = new LedgerAlarm(storage);
    this.#heads = new Heads(sql);
    this.#closed = new ClosedSegments(sql);
    this.#traffic = new TrafficCounters(sql);
    this.#open = new OpenSegment(sql, this.#closed.end);
    const places = new SegmentPlaces(sql);
    this.search = new RecordSearch(this.#open, places, () => this.#files());
    this.headSearch = new HeadSearch(this.#heads, places, () => this.#files());
  }

  /**
   * Appends entries (JSON of LedgerEntry) of an institution, in one row. `again`: an attempt before may have appended
   * them; those that it has are left out. Returns the number of the last record.
   */
  async append(fiId: number, entries: readonly string[], again: boolean, now: number): Promise<{ seq: number }> {
    const fresh = again ? await this.#leaveOutStored(entries) : entries;
    const appended = this.#open.append(fresh, now);
    if (!this.#institution && appended > 0) {
      const { fi } = JSON.parse(fresh[0] ?? "") as LedgerEntry;
      this.#storage.sql.exec("INSERT INTO institution (one, fi_id, fi) VALUES (1, ?1, ?2)", fiId, fi);
      this.#institution = { fi_id: fiId, fi };
    }
    await this.#alarm.ring(this.#open.isFull(now) ? now : now + HEAD_INTERVAL_MS);
    return { seq: this.#open.end.seq };
  }

  /** A segment that is closed meanwhile is looked at, too. */
  async #leaveOutStored(entries: readonly string[]): Promise<readonly string[]> {
    for (;;) {
      const { seq } = this.#closed.end;
      const stored = await this.search.findClosed(entries.map(idIn));
      const isStored = (id: string) => stored.has(id) || this.#open.has(id);
      if (this.#closed.end.seq === seq) return entries.filter((entry) => !isStored(idIn(entry)));
    }
  }

  /**
   * Signs, closes, moves and deletes what is due, and lets the alarm ring for what comes next. After a failure it rings
   * again, too: the platform gives up an alarm that failed six times, and an institution without requests sets no other.
   */
  async keep(now: number): Promise<void> {
    this.#alarm.rang();
    await this.#keepDue(now).catch(async (error: unknown) => {
      this.#log("ledger_alarm", { error: messageOf(error) });
      await this.#alarm.ring(now + RETRY_MS);
    });
  }

  async #keepDue(now: number): Promise<void> {
    const tables = { open: this.#open, closed: this.#closed, traffic: this.#traffic };
    const [fi, { signer }] = [this.#institution?.fi, readSigningKeys(this.#env)];
    for (let closed = 0; fi !== undefined && this.#open.isFull(now) && closed < CLOSED_PER_ALARM; closed++)
      closeOldest(this.#storage, tables, fi, signer, now);
    this.#signEnd(now);
    const next = await this.#moveToFiles(now).catch((error: unknown) => {
      this.#log("ledger_files", { error: messageOf(error) });
      this.#dropOldest(true);
      return now + RETRY_MS;
    });
    const until = retentionStart(this.#env.EVIDENCE_RETENTION_DAYS, now);
    this.#storage.transactionSync(() => {
      this.#heads.deleteOld(now);
      this.#traffic.rollUp(now, until);
    });
    // what came meanwhile has its own
    const closes = this.#open.isFull(now) ? now : this.#open.closesAt;
    const due = [next, closes, this.#closed.oldest === null ? null : nextDay(now)];
    for (const at of due) if (at !== null) await this.#alarm.ring(at);
    if (this.#heads.isDue(this.#open.end)) await this.#alarm.ring(now + HEAD_INTERVAL_MS);
  }

  /** Null if there is no record. */
  #signEnd(now: number): Head | null {
    const { end } = this.#open;
    const { signer } = readSigningKeys(this.#env);
    const { newest } = this.#heads;
    const isSigned = newest?.jws != null || !signer;
    if (!this.#institution || (!this.#heads.isDue(end) && isSigned)) return newest;
    const { fi } = this.#institution;
    const head = this.#storage.transactionSync(() => {
      this.#countOpen();
      this.#traffic.store();
      return this.#heads.sign(fi, end, signer, now);
    });
    this.#traffic.forgetStored();
    return head;
  }

  #dropOldest(failing: boolean): void {
    const segments = this.#closed.dropOldest(failing);
    if (segments > 0) this.#log("ledger_full", { segments });
  }

  #log(event: string, what: object): void {
    console.error(JSON.stringify({ event, fi: this.#institution?.fi ?? null, ...what }));
  }

  /** Returns when there is more to do; null if all is done. Throws StoreError. */
  async #moveToFiles(now: number): Promise<number | null> {
    const files = this.#files();
    if (!files) this.#dropOldest(false);
    const until = retentionStart(this.#env.EVIDENCE_RETENTION_DAYS, now);
    for (let moves = 0; moves < MOVES_PER_ALARM; moves++) {
      const moved =
        (files && ((await this.#closed.moveOldest(files)) || (await this.#closed.indexOldest(files, now)))) ||
        (await this.#closed.expireOldest(files, until));
      if (!moved) {
        this.#closed.deleteIndexed(now);
        return null;
      }
    }
    return now;
  }

  #files(): SegmentFiles | null {
    const { EVIDENCE } = this.#env;
    return EVIDENCE && this.#institution ? new SegmentFiles(EVIDENCE, this.#institution.fi_id) : null;
  }

  /** The newest head. Signs one now if records are in none. Null if there is no record. */
  head(now: number): Head | null {
    return this.#signEnd(now);
  }

  #countOpen(): void {
    for (const text of this.#open.textsAfter(this.#traffic.counted)) this.#traffic.count(readFacts(text));
  }

  traffic(from: number, to: number): Traffic {
    this.#countOpen();
    return this.#traffic.read(from, to);
  }

  /** Signs the end of the chain now, as {@link head}. Sets the alarm again, if the platform has given it up. */
  async state(now: number): Promise<LedgerState> {
    const head = this.#signEnd(now);
    const oldest = this.#closed.oldest?.first_seq ?? (this.#open.records > 0 ? this.#closed.end.seq + 1 : null);
    if (oldest !== null) await this.#alarm.ring(now + HEAD_INTERVAL_MS);
    return { seq: this.#open.end.seq, keptFrom: oldest, waiting: this.#closed.waiting, head };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
