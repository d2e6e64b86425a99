/**
 * What the Durable Object of an institution does (ledger.ts): appends records to the chain and finds them; what it does by
 * itself is in ledger-upkeep.ts.
 *
 * SQL is synchronous: whatever stands between two awaits is one step, which nothing else can divide.
 */
import { timeOfRecordId } from "../../grants/record-order.ts";
import type { Instant } from "../../platform/instant.ts";
import { ACTS_TABLE, ActIndex, actorOf } from "./act-index.ts";
import { CHAIN_START, compareHead, type HeadComparison } from "./chain.ts";
import { CLOSED_SEGMENT_TABLES, ClosedSegments } from "./closed-segments.ts";
import { DAMAGE_TABLE, DamageMarks } from "./damage-marks.ts";
import { HEAD_INTERVAL_MS, HEADS_TABLE, type Head, HeadSearch, Heads, type SignedEnd } from "./head.ts";
import { LedgerAlarm, type LedgerEnv, type LedgerParts, LedgerUpkeep } from "./ledger-upkeep.ts";
import { OPEN_SEGMENT_TABLE, OpenSegment } from "./open-segment.ts";
import type { LedgerEntry } from "./record.ts";
import { type RecordProof, RecordProofs } from "./record-proofs.ts";
import { RecordSearch } from "./record-search.ts";
import { LedgerOwner, OWNER_TABLE } from "./segment-files.ts";
import { SegmentPlaces } from "./segment-places.ts";
import { type OutcomeTotal, TRAFFIC_TABLES, TrafficCounters } from "./traffic.ts";

const TABLES = [
  OWNER_TABLE,
  OPEN_SEGMENT_TABLE,
  CLOSED_SEGMENT_TABLES,
  HEADS_TABLE,
  TRAFFIC_TABLES,
  DAMAGE_TABLE,
  ACTS_TABLE,
];

export interface LedgerState {
  /** The number of the last record; 0 if there is none. */
  readonly seq: number;
  /** The oldest record that can be read; null if none can. */
  readonly keptFrom: number | null;
  /** Closed segments that are not in R2. */
  readonly waiting: { readonly segments: number; readonly bytes: number };
  readonly head: Head | null;
}

export interface LedgerTotals extends Pick<LedgerState, "seq" | "waiting"> {
  /** Records that are in no signed head. */
  readonly unsigned: number;
  /** When the newest head was made; null if there is none. */
  readonly headAt: Instant | null;
  readonly outcomes: readonly OutcomeTotal[];
}

export class InstitutionLedger {
  readonly #storage: Pick<DurableObjectStorage, "transactionSync">;
  readonly #parts: LedgerParts;
  readonly #upkeep: LedgerUpkeep;
  /** Its records, for those who may read them. */
  readonly search: RecordSearch;
  readonly headSearch: HeadSearch;
  readonly #proofs: RecordProofs;
  readonly acts: ActIndex;

  constructor(storage: DurableObjectStorage, env: LedgerEnv) {
    this.#storage = storage;
    const { sql } = storage;
    for (const tables of TABLES) sql.exec(tables);
    const [owner, heads, alarm] = [new LedgerOwner(sql), new Heads(sql), new LedgerAlarm(storage)];
    const damage = new DamageMarks(sql, alarm);
    const places = new SegmentPlaces(sql, damage);
    const closed = new ClosedSegments(sql, places);
    const open = new OpenSegment(sql, closed.end);
    const files = () => owner.filesIn(env.EVIDENCE);
    this.search = new RecordSearch(open, places, files);
    this.acts = new ActIndex(sql);
    const [search, acts, traffic] = [this.search, this.acts, new TrafficCounters(sql)];
    this.#parts = { owner, open, closed, heads, traffic, alarm, damage, search, acts };
    this.#upkeep = new LedgerUpkeep(storage, env, this.#parts);
    this.headSearch = new HeadSearch(heads, places, files);
    this.#proofs = new RecordProofs(open, places, search, files);
  }

  /**
   * Appends entries of an institution, in one row. `again`: an earlier attempt may have appended them; those that it has are
   * left out. A first attempt may come after the one that followed it. Then the open segment has its entries, or closed ones do,
   * of which it is not newer. Returns the number of the last record.
   */
  async append(fiId: number, entries: readonly LedgerEntry[], again: boolean, now: Instant): Promise<{ seq: number }> {
    const { owner, open, closed, alarm } = this.#parts;
    let stored: ReadonlySet<string> = new Set();
    const mayBeHere = again || entries.some(({ id }) => (timeOfRecordId(id) ?? 0) <= closed.latest);
    // a segment that is closed meanwhile is looked at, too
    for (let seq = -1; mayBeHere && seq !== closed.end.seq; ) {
      seq = closed.end.seq;
      stored = await this.search.findClosed(entries);
    }
    // in one step with the append: another attempt may be under way
    const fresh = mayBeHere ? entries.filter(({ id }) => !(stored.has(id) || open.has(id))) : entries;
    const appended = this.#appendNow(fresh, now);
    const [first] = fresh;
    if (owner.fi === null && first && appended > 0) owner.note(fiId, first.fi);
    await alarm.ring(open.isFull(now) ? now : now + HEAD_INTERVAL_MS);
    return { seq: open.end.seq };
  }

  #appendNow(entries: readonly LedgerEntry[], now: Instant): number {
    const { open } = this.#parts;
    const [first] = entries;
    // what systems ask for is in no index, and costs nothing here
    if (!entries.some((entry) => actorOf(entry) !== null) || (first && open.has(first.id)))
      return open.append(entries, now);
    return this.#storage.transactionSync(() => {
      this.acts.add(entries, open.end.seq + 1);
      return open.append(entries, now);
    });
  }

  /** See {@link LedgerUpkeep.keep}. */
  async keep(now: Instant): Promise<void> {
    await this.#upkeep.keep(now);
  }

  /** The newest head. Signs one now if records are in none. Null if there is no record. */
  head(now: Instant): Head | null {
    return this.#upkeep.signEnd(now);
  }

  /** See {@link RecordProofs.find}: of records by their numbers. */
  async prove(seqs: readonly number[], now: Instant): Promise<(RecordProof | null)[]> {
    return await this.#proofs.find(seqs, () => this.#upkeep.signEnd(now));
  }

  /** With the head of today; that is null if there is no record. Null if the kept head is of another institution. Throws StoreError. */
  async compare(
    kept: SignedEnd,
    fi: string,
    now: Instant,
  ): Promise<(HeadComparison & { readonly head: Head | null }) | null> {
    const head = this.#upkeep.signEnd(now);
    // the reference at the first record is that of all heads
    if (kept.fi !== (this.#parts.owner.fi ?? fi)) return null;
    return { ...(await compareHead(this.search, kept, head ?? CHAIN_START)), head };
  }

  /** What its records count, with those that are not stored yet. */
  get traffic(): TrafficCounters {
    this.#upkeep.countOpen();
    return this.#parts.traffic;
  }

  /** For the operator's monitor, which asks often: nothing is signed or stored for it. */
  totals(from: Instant): LedgerTotals {
    this.#upkeep.countOpen();
    const { open, closed, heads, traffic } = this.#parts;
    const { seq } = open.end;
    const { seq: signed, time } = heads.newest ?? { seq: 0, time: null };
    return { seq, unsigned: seq - signed, headAt: time, waiting: closed.waiting, outcomes: traffic.readTotals(from) };
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
  async state(now: Instant): Promise<LedgerState> {
    const { open, closed, alarm } = this.#parts;
    const head = this.#upkeep.signEnd(now);
    const oldest = this.#oldest;
    if (oldest !== null) await alarm.ring(now + HEAD_INTERVAL_MS);
    return { seq: open.end.seq, keptFrom: oldest, waiting: closed.waiting, head };
  }
}
