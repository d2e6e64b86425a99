/**
 * What the Durable Object of an institution does (ledger.ts): appends records to the chain and finds them; what it does by
 * itself is in ledger-upkeep.ts. `now` is in milliseconds since 1970.
 *
 * SQL is synchronous: whatever stands between two awaits is one step, which nothing else can divide.
 */
import { ClosedSegments } from "./closed-segments.ts";
import { HeadSearch } from "./head-search.ts";
import { HEAD_INTERVAL_MS, HEADS_TABLE, type Head, Heads } from "./heads.ts";
import { LedgerAlarm } from "./ledger-alarm.ts";
import { LedgerOwner, OWNER_TABLE } from "./ledger-owner.ts";
import { type LedgerEnv, type LedgerParts, LedgerUpkeep } from "./ledger-upkeep.ts";
import { idIn, OPEN_SEGMENT_TABLE, OpenSegment } from "./open-segment.ts";
import type { LedgerEntry } from "./record.ts";
import { RecordSearch } from "./record-search.ts";
import { SegmentPlaces } from "./segment-places.ts";
import { CLOSED_SEGMENT_TABLES } from "./segment-tables.ts";
import { TRAFFIC_TABLES, type Traffic, TrafficCounters } from "./traffic.ts";

const TABLES = [OWNER_TABLE, OPEN_SEGMENT_TABLE, CLOSED_SEGMENT_TABLES, HEADS_TABLE, TRAFFIC_TABLES];

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
    const [owner, closed, heads] = [new LedgerOwner(sql), new ClosedSegments(sql), new Heads(sql)];
    const open = new OpenSegment(sql, closed.end);
    const [traffic, alarm] = [new TrafficCounters(sql), new LedgerAlarm(storage)];
    this.#parts = { owner, open, closed, heads, traffic, alarm };
    this.#upkeep = new LedgerUpkeep(storage, env, this.#parts);
    const places = new SegmentPlaces(sql);
    const files = () => owner.filesIn(env.EVIDENCE);
    this.search = new RecordSearch(open, places, files);
    this.headSearch = new HeadSearch(heads, places, files);
  }

  /**
   * Appends entries (JSON of LedgerEntry) of an institution, in one row. `again`: an attempt before may have appended
   * them; those that it has are left out. Returns the number of the last record.
   */
  async append(fiId: number, entries: readonly string[], again: boolean, now: number): Promise<{ seq: number }> {
    const { owner, open, alarm } = this.#parts;
    const fresh = again ? await this.#leaveOutStored(entries) : entries;
    const appended = open.append(fresh, now);
    if (owner.fi === null && appended > 0) owner.note(fiId, (JSON.parse(fresh[0] ?? "") as LedgerEntry).fi);
    await alarm.ring(open.isFull(now) ? now : now + HEAD_INTERVAL_MS);
    return { seq: open.end.seq };
  }

  /** A segment that is closed meanwhile is looked at, too. */
  async #leaveOutStored(entries: readonly string[]): Promise<readonly string[]> {
    const { open, closed } = this.#parts;
    for (;;) {
      const { seq } = closed.end;
      const stored = await this.search.findClosed(entries.map(idIn));
      const isStored = (id: string) => stored.has(id) || open.has(id);
      if (closed.end.seq === seq) return entries.filter((entry) => !isStored(idIn(entry)));
    }
  }

  /** See {@link LedgerUpkeep.keep}. */
  async keep(now: number): Promise<void> {
    await this.#upkeep.keep(now);
  }

  /** The newest head. Signs one now if records are in none. Null if there is no record. */
  head(now: number): Head | null {
    return this.#upkeep.signEnd(now);
  }

  traffic(from: number, to: number): Traffic {
    this.#upkeep.countOpen();
    return this.#parts.traffic.read(from, to);
  }

  /** Signs the end of the chain now, as {@link head}. Sets the alarm again, if the platform has given it up. */
  async state(now: number): Promise<LedgerState> {
    const { open, closed, alarm } = this.#parts;
    const head = this.#upkeep.signEnd(now);
    const oldest = closed.oldest?.first_seq ?? (open.records > 0 ? closed.end.seq + 1 : null);
    if (oldest !== null) await alarm.ring(now + HEAD_INTERVAL_MS);
    return { seq: open.end.seq, keptFrom: oldest, waiting: closed.waiting, head };
  }
}
