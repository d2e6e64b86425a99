/**
 * What the Durable Object of an institution does (ledger.ts): appends records to the chain and finds them; what it does by
 * itself is in ledger-upkeep.ts. `now` is in milliseconds since 1970.
 *
 * SQL is synchronous: whatever stands between two awaits is one step, which nothing else can divide.
 */
import { ClosedSegments } from "./closed-segments.ts";
import { DAMAGE_TABLE, DamageMarks } from "./damage-marks.ts";
import type { SignedEnd } from "./head.ts";
import { compareHead, type HeadComparison } from "./head-comparison.ts";
import { HeadSearch } from "./head-search.ts";
import { HEAD_INTERVAL_MS, HEADS_TABLE, type Head, Heads } from "./heads.ts";
import { LedgerAlarm } from "./ledger-alarm.ts";
import { LedgerOwner, OWNER_TABLE } from "./ledger-owner.ts";
import { type LedgerEnv, type LedgerParts, LedgerUpkeep } from "./ledger-upkeep.ts";
import { idIn, OPEN_SEGMENT_TABLE, OpenSegment } from "./open-segment.ts";
import { CHAIN_START, type LedgerEntry } from "./record.ts";
import { RecordSearch } from "./record-search.ts";
import { SegmentPlaces } from "./segment-places.ts";
import { CLOSED_SEGMENT_TABLES } from "./segment-tables.ts";
import { TRAFFIC_TABLES, type Traffic, TrafficCounters } from "./traffic.ts";

const TABLES = [OWNER_TABLE, OPEN_SEGMENT_TABLE, CLOSED_SEGMENT_TABLES, HEADS_TABLE, TRAFFIC_TABLES, DAMAGE_TABLE];

export interface LedgerState {
  /** The number of the last record; 0 if there is none. */
  readonly seq: number;
  /** The oldest record that can be read; null if none can. */
  readonly keptFrom: number | null;
  /** Closed segments that are not in R2. */
  readonly waiting: { readonly segments: number; readonly bytes: number };
  readonly head: Head | null;
}

export class InstitutionLedger {
  readonly #parts: LedgerParts;
  readonly #upkeep: LedgerUpkeep;
  /** Its records, for those who may read them. */
  readonly search: RecordSearch;
  readonly headSearch: HeadSearch;

  constructor(storage: DurableObjectStorage, env: LedgerEnv) {
    const { sql } = storage;
    for (const tables of TABLES) sql.exec(tables);
    const [owner, heads, alarm] = [new LedgerOwner(sql), new Heads(sql), new LedgerAlarm(storage)];
    const damage = new DamageMarks(sql, alarm);
    const places = new SegmentPlaces(sql, damage);
    const closed = new ClosedSegments(sql, places);
    const open = new OpenSegment(sql, closed.end);
    const files = () => owner.filesIn(env.EVIDENCE);
    this.search = new RecordSearch(open, places, files);
    this.#parts = { owner, open, closed, heads, traffic: new TrafficCounters(sql), alarm, damage, search: this.search };
    this.#upkeep = new LedgerUpkeep(storage, env, this.#parts);
    this.headSearch = new HeadSearch(heads, places, files);
  }

  /**
   * Appends entries (JSON of LedgerEntry) of an institution, in one row. `again`: an attempt before may have appended
   * them; those that it has are left out. Returns the number of the last record.
   */
  async append(fiId: number, entries: readonly string[], again: boolean, now: number): Promise<{ seq: number }> {
    const { owner, open, closed, alarm } = this.#parts;
    let stored: ReadonlySet<string> = new Set();
    // a segment that is closed meanwhile is looked at, too
    for (let seq = -1; again && seq !== closed.end.seq; ) {
      seq = closed.end.seq;
      stored = await this.search.findClosed(entries.map(idIn));
    }
    // in one step with the append: another attempt may be under way
    const isFresh = (id: string) => !(stored.has(id) || open.has(id));
    const fresh = again ? entries.filter((entry) => isFresh(idIn(entry))) : entries;
    const appended = open.append(fresh, now);
    if (owner.fi === null && appended > 0) owner.note(fiId, (JSON.parse(entries[0] ?? "") as LedgerEntry).fi);
    await alarm.ring(open.isFull(now) ? now : now + HEAD_INTERVAL_MS);
    return { seq: open.end.seq };
  }

  /** See {@link LedgerUpkeep.keep}. */
  async keep(now: number): Promise<void> {
    await this.#upkeep.keep(now);
  }

  /** The newest head. Signs one now if records are in none. Null if there is no record. */
  head(now: number): Head | null {
    return this.#upkeep.signEnd(now);
  }

  /** With the head of today; that is null if there is no record. Null if the kept head is of another institution. Throws StoreError. */
  async compare(
    kept: SignedEnd,
    fi: string,
    now: number,
  ): Promise<(HeadComparison & { readonly head: Head | null }) | null> {
    const head = this.#upkeep.signEnd(now);
    // the reference as of the first record is that of all heads
    if (kept.fi !== (this.#parts.owner.fi ?? fi)) return null;
    return { ...(await compareHead(this.search, kept, head ?? CHAIN_START)), head };
  }

  traffic(from: number, to: number): Traffic {
    this.#upkeep.countOpen();
    return this.#parts.traffic.read(from, to);
  }

  /** How many records can be read. */
  get kept(): number {
    const oldest = this.#oldest;
    return oldest === null ? 0 : this.#parts.open.end.seq - oldest + 1;
  }

  /** The number of the oldest record that can be read; null if none can. */
  get #oldest(): number | null {
    const { open, closed } = this.#parts;
    return closed.oldest?.first_seq ?? (open.records > 0 ? closed.end.seq + 1 : null);
  }

  /** Signs the end of the chain now, as {@link head}. Sets the alarm again, if the platform has given it up. */
  async state(now: number): Promise<LedgerState> {
    const { open, closed, alarm } = this.#parts;
    const head = this.#upkeep.signEnd(now);
    const oldest = this.#oldest;
    if (oldest !== null) await alarm.ring(now + HEAD_INTERVAL_MS);
    return { seq: open.end.seq, keptFrom: oldest, waiting: closed.waiting, head };
  }
}
