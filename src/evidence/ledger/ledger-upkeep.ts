/**
 * What the object of a ledger does by itself (its alarm): signs the end of the chain, closes segments, moves them to R2,
 * and deletes what is too old.
 */
import { nextDay } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { didSign, readSigningKeys, type Signer } from "../signatures/signing-keys.ts";
import type { ActIndex } from "./act-index.ts";
import type { ClosedSegments } from "./closed-segments.ts";
import { nameGap } from "./damage.ts";
import type { DamageMarks } from "./damage-marks.ts";
import { HEAD_INTERVAL_MS, type Head, type Heads, makeHead, readHead } from "./head.ts";
import { retentionStart } from "./ledger-settings.ts";
import type { OpenSegment } from "./open-segment.ts";
import type { LedgerRecord } from "./record.ts";
import type { RecordSearch } from "./record-search.ts";
import { type ClosedSegment, closeSegment, treeOf } from "./segment.ts";
import type { LedgerOwner } from "./segment-files.ts";
import type { TrafficCounters } from "./traffic.ts";

/** R2 is optional, and so are signing keys. */
export type LedgerEnv = Partial<Pick<Env, "EVIDENCE">> & Pick<Env, "EVIDENCE_RETENTION_DAYS" | "DB">;

/** What one ledger is made of, on the storage of its object. */
export interface LedgerParts {
  readonly owner: LedgerOwner;
  readonly open: OpenSegment;
  readonly closed: ClosedSegments;
  readonly heads: Heads;
  readonly traffic: TrafficCounters;
  readonly alarm: LedgerAlarm;
  readonly damage: DamageMarks;
  readonly search: RecordSearch;
  readonly acts: ActIndex;
}

/** When a ledger's object is called next without a request: the platform keeps one alarm for it. */
export class LedgerAlarm {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
  /** Undefined: not known yet. */
  #at: Instant | null | undefined;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">) {
    this.#storage = storage;
  }

  /** Sets it to this instant, if it does not ring before. */
  async ring(at: Instant): Promise<void> {
    if (this.#at === undefined) this.#at = await this.#storage.getAlarm();
    if (this.#at !== null && this.#at <= at) return;
    this.#at = at;
    await this.#storage.setAlarm(at).catch((error: unknown) => {
      this.#at = undefined;
      throw error;
    });
  }

  /** It has rung: none is set. */
  rang(): void {
    this.#at = null;
  }
}

/** A row holds 2 MB; what was never seen is a segment of 4,096 records that does not compress to it, or names so many PSPs. */
const MAX_ROW_BYTES = 1_900_000;
const fitsRow = ({ bytes, psps }: Pick<ClosedSegment, "bytes" | "psps">): boolean =>
  bytes <= MAX_ROW_BYTES && Buffer.byteLength(JSON.stringify(psps)) <= MAX_ROW_BYTES;

/** Closes the oldest part of the open segment, in one transaction: a record is in one of both, and counted once. */
function closeOldest(
  storage: Pick<DurableObjectStorage, "transactionSync">,
  { open, closed, traffic }: Pick<LedgerParts, "open" | "closed" | "traffic">,
  fi: string,
  signer: Signer | null,
  now: Instant,
): void {
  let batches = open.oldest();
  const [first] = batches;
  if (!first) return;
  const close = () => closeSegment(batches.map(({ lines }) => lines).join("\n"));
  let segment = close();
  while (!fitsRow(segment) && batches.length > 1) {
    batches = batches.slice(0, Math.ceil(batches.length / 2));
    segment = close();
  }
  const { jws } = makeHead(fi, treeOf(segment), signer, now);
  storage.transactionSync(() => {
    for (const record of segment.records) traffic.count(record);
    traffic.store();
    closed.add({ ...segment, head: jws }, first.at);
    open.remove(batches);
  });
  open.forget(batches, segment.records);
  traffic.forgetStored();
}

/** Each takes some 30 ms of processor time, of which an alarm has 30 s; appends wait meanwhile. */
const CLOSED_PER_ALARM = 64;
/** Files that one alarm writes at most: of these the platform allows a thousand. */
const MOVES_PER_ALARM = 32;
const RETRY_MS = 30_000;

export class LedgerUpkeep {
  readonly #storage: DurableObjectStorage;
  readonly #env: LedgerEnv;
  readonly #parts: LedgerParts;

  constructor(storage: DurableObjectStorage, env: LedgerEnv, parts: LedgerParts) {
    this.#storage = storage;
    this.#env = env;
    this.#parts = parts;
  }

  /**
   * Signs, closes, moves and deletes what is due, and lets the alarm ring for what comes next. After a failure it rings
   * again, too: the platform gives up an alarm that failed six times, and an institution without requests sets no other.
   */
  async keep(now: Instant): Promise<void> {
    const { alarm } = this.#parts;
    alarm.rang();
    await this.#keepDue(now).catch(async (error: unknown) => {
      this.#log("ledger_alarm", { error: messageOf(error) });
      await alarm.ring(now + RETRY_MS);
    });
  }

  async #keepDue(now: Instant): Promise<void> {
    const { owner, open, closed, heads, traffic, alarm, acts } = this.#parts;
    const { signer } = readSigningKeys(this.#env);
    for (let count = 0; owner.fi !== null && open.isFull(now) && count < CLOSED_PER_ALARM; count++)
      closeOldest(this.#storage, this.#parts, owner.fi, signer, now);
    this.signEnd(now);
    const next = await this.#moveToFiles(now).catch((error: unknown) => {
      this.#log("ledger_files", { error: messageOf(error) });
      this.#dropOldest(true);
      return now + RETRY_MS;
    });
    const looked = await this.#lookAtDamage(now).catch((error: unknown) => {
      this.#log("ledger_files", { error: messageOf(error) });
      return now + RETRY_MS;
    });
    const until = retentionStart(this.#env.EVIDENCE_RETENTION_DAYS, now);
    const { oldest } = closed;
    const isUnfinished = this.#storage.transactionSync(() => {
      heads.deleteOld(now);
      traffic.rollUp(now, until);
      return acts.forget(oldest?.first_seq ?? open.end.seq - open.records + 1);
    });
    // what came meanwhile has its own
    const closes = open.isFull(now) ? now : open.closesAt;
    const due = [next, looked, closes, isUnfinished ? now : null, oldest === null ? null : nextDay(now)];
    for (const at of due) if (at !== null) await alarm.ring(at);
    if (heads.isDue(open.end)) await alarm.ring(now + HEAD_INTERVAL_MS);
  }

  /** Signs the end of the chain if records are in no head. The newest head; null if there is no record. */
  signEnd(now: Instant): Head | null {
    const { owner, open, heads, traffic } = this.#parts;
    const { signer, published } = readSigningKeys(this.#env);
    const { fi } = owner;
    const key = published.find(({ kid }) => kid === signer?.kid);
    // one that a clock signed which was too far behind proves nothing: it is signed again as soon as the clock is right
    const isProof = !key || !heads.newest || didSign(key, heads.newest.time) || !didSign(key, now);
    // records that came to a closed segment have its head; the tree of the newest one is of those that did not
    const isOfThese = open.records === 0 || readHead(heads.newest?.jws ?? null)?.first === open.first;
    const isSigned = (heads.newest?.jws != null && isProof && isOfThese) || !signer;
    if (fi === null || (!heads.isDue(open.end) && isSigned)) return heads.newest;
    const head = this.#storage.transactionSync(() => {
      this.countOpen();
      traffic.store();
      return heads.sign(fi, open.tree, signer, now);
    });
    traffic.forgetStored();
    return head;
  }

  /** Counts the records of the open segment that are not counted yet. */
  countOpen(): void {
    const { open, traffic } = this.#parts;
    for (const text of open.textsAfter(traffic.counted)) traffic.count(JSON.parse(text) as LedgerRecord);
  }

  /** Returns when there is more to do; null if all is done. Throws StoreError. */
  async #moveToFiles(now: Instant): Promise<Instant | null> {
    const { owner, closed } = this.#parts;
    const files = owner.filesIn(this.#env.EVIDENCE);
    if (!files) this.#dropOldest(false);
    const until = retentionStart(this.#env.EVIDENCE_RETENTION_DAYS, now);
    for (let moves = 0; moves < MOVES_PER_ALARM; moves++) {
      const moved =
        (files && ((await closed.moveOldest(files)) || (await closed.indexOldest(files, now)))) ||
        (await closed.expireOldest(files, until));
      if (!moved) {
        closed.deleteIndexed(now);
        return null;
      }
    }
    return now;
  }

  /** Whether what was damaged still is; tells D1. Returns when to look again; null if nothing is damaged. Throws StoreError. */
  async #lookAtDamage(now: Instant): Promise<Instant | null> {
    const { owner, closed, damage, search } = this.#parts;
    const { fi } = owner;
    if (fi === null) return null;
    const oldest = closed.oldest?.first_seq ?? Number.POSITIVE_INFINITY;
    for (const { file, first_seq, last_seq } of damage.takeDue(now)) {
      if (last_seq < oldest) await damage.heal(file);
      // marks it or heals it
      else await search.range(first_seq, first_seq);
    }
    const told = await damage.tell(this.#env.DB, fi, now);
    for (const one of told) this.#log("ledger_damaged", { ...nameGap(one), file: one.file });
    return damage.nextDue;
  }

  #dropOldest(failing: boolean): void {
    const segments = this.#parts.closed.dropOldest(failing);
    if (segments > 0) this.#log("ledger_full", { segments });
  }

  #log(event: string, what: object): void {
    console.error(JSON.stringify({ event, fi: this.#parts.owner.fi, ...what }));
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
