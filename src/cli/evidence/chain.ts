/**
 * The part of a chain that an archive needs: without gaps, from the record before a range to a head that was signed after
 * it, a minute on either side, so that the archive itself shows that no record of the range is left out.
 */

import { LATE_MS, type MissingRecords } from "../../evidence/archive/manifest.ts";
import type { ChainEnd } from "../../evidence/ledger/chain.ts";
import { checkParts, splitAtGaps } from "../../evidence/ledger/chain.ts";
import { describeGap } from "../../evidence/ledger/damage.ts";
import { type HeadCheck, verifyHead } from "../../evidence/ledger/head.ts";
import type { PublicSigningKey } from "../../evidence/signatures/signing-keys.ts";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { CommandError, EXIT, fail } from "../fail.ts";
import type { AuditService, Gap, ListedRecord } from "./audit-service.ts";

/**
 * The chain is in the order in which records were appended, a range in that of requests: a slow request's record comes
 * late. So records around the range are read, too, and more of them as long as there is a gap.
 */
const MARGINS_MS = [5 * 60_000, 3_600_000, 24 * 3_600_000];
/** ISO 8601 writes years up to 9999 only. */
const LATEST = Date.UTC(10_000, 0) - 1;

export interface GatheredChain {
  readonly before: ChainEnd;
  /** In their order. */
  readonly records: readonly ListedRecord[];
  readonly last: ChainEnd;
  readonly heads: readonly string[];
  /** Records that the service could not give out, or that nothing proves up to these. */
  readonly missing: readonly MissingRecords[];
  /** In sentences: heads that verify by no key. */
  readonly refusedHeads: readonly string[];
}

type SignedHead = Extract<HeadCheck, { ok: true }>["head"] & { readonly jws: string };

interface Range {
  readonly from: Instant;
  readonly to: Instant;
}

/** Nothing was asked in that time, and nothing of it is damaged. */
export class NoRecords extends CommandError {}

export async function gatherChain(
  service: AuditService,
  fi: string,
  asked: Range,
  keys: readonly PublicSigningKey[],
): Promise<GatheredChain> {
  // whatever of the time that is asked for came late is between the ends of this one
  const range = { from: asked.from - LATE_MS, to: asked.to + LATE_MS };
  // signs the end of the chain, if no head covers it yet
  const head = await service.ask("/v1/audit/head", {});
  if (!head.ok) fail(`${service.url} has no head of ${fi}'s ledger: it answered ${head.status}`, EXIT.unknown);
  await head.body?.cancel();
  const preceding = await findPreceding(service, range.from);
  let reason = "";
  for (const margin of MARGINS_MS) {
    const around = await readRecords(service, { from: range.from - margin, to: range.to + margin }, keys);
    const lost = around.gaps.filter(({ from, to }) => Date.parse(to) >= asked.from && Date.parse(from) < asked.to);
    const numbers = numbersWithin(around, range);
    if (numbersWithin(around, asked).length === 0) refuseWithoutRecords(fi, asked, lost);
    const [oldest, newest] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
    const covering =
      findCovering(around.heads, newest, range.to) ??
      (await findLaterHead(service, newest, range.to, margin, keys)) ??
      findCovering(around.heads, newest, 0);
    if (!covering) fail("no signed head covers these records: signing-key rotate makes a key that signs", EXIT.unknown);
    // every record that a head covers was answered before it was signed, but the ledger's clock is not that of who answered
    const until = Date.parse(covering.time) + margin;
    const later = await readRecords(service, { from: range.to + margin, to: until }, keys);
    const first = findFirst(around, oldest, preceding);
    const chain = joinChain({ preceding, first, covering, lost }, around, later);
    if (typeof chain !== "string") return chain;
    reason = chain;
  }
  return fail(`the chain of ${fi} is not whole: ${reason}`);
}

const numbersWithin = ({ records }: ReadRecords, range: Range): number[] =>
  [...records.values()].filter(({ record }) => isAsked(record, range)).map(({ record }) => record.seq);

/** `lost`: gaps of the time that is asked for. */
function refuseWithoutRecords(fi: string, asked: Range, lost: readonly Gap[]): never {
  const none = `${fi} has no record from ${iso(asked.from)} to ${iso(asked.to)}`;
  if (lost.length === 0) throw new NoRecords(none);
  fail([`${none} that can be given out`, ...lost.map(describeGap)].join("; "), EXIT.unknown);
}

/** The number of the chain's first record: the one before the oldest that is asked for, or before the gap there, if it was read. */
function findFirst({ records, gaps }: ReadRecords, oldest: number, preceding: ListedRecord | null): number {
  const before = (gaps.find(({ last_seq }) => last_seq === oldest - 1)?.first_seq ?? oldest) - 1;
  return preceding?.record.seq === before || records.has(before) ? before : oldest;
}

/** From where to where a chain goes. */
interface Ends {
  readonly preceding: ListedRecord | null;
  /** The number of its first record. */
  readonly first: number;
  readonly covering: SignedHead;
  /** Gaps that are named wherever they are. */
  readonly lost: readonly Gap[];
}

/** Of what was read around the range and later; why it is not whole, in words. */
function joinChain(
  { preceding, first, covering, lost }: Ends,
  around: ReadRecords,
  later: ReadRecords,
): GatheredChain | string {
  const isPart = (seq: number) => seq >= first && seq <= covering.seq;
  const edge = preceding ? [[preceding.record.seq, preceding] as const] : [];
  const bySeq = new Map([...edge, ...around.records, ...later.records]);
  const records = [...bySeq.values()]
    .filter(({ record }) => isPart(record.seq))
    .sort((a, b) => a.record.seq - b.record.seq);
  const isNamed = (gap: Gap) =>
    (gap.last_seq >= first && gap.first_seq <= covering.seq) ||
    lost.some(({ first_seq }) => first_seq === gap.first_seq);
  const named = [...around.gaps, ...later.gaps].filter(isNamed);
  const gaps = [...new Map(named.map((gap) => [gap.first_seq, gap])).values()];
  const signed = [...around.heads, ...later.heads, [covering.seq, covering] as const]
    .filter(([seq]) => bySeq.has(seq) && isPart(seq))
    .sort(([a], [b]) => a - b);
  const heads = [...new Map(signed).values()];
  const proven = gaps.length === 0 ? { records, missing: [] } : leaveOutUnsigned(records, gaps, heads);
  const oldest = proven.records[0]?.record;
  const before: ChainEnd = { seq: (oldest?.seq ?? first) - 1, hash: oldest?.prev ?? "" };
  const numbered = proven.records.map(({ text, record: { seq, prev } }) => ({ seq, prev, text }));
  const chain = checkParts(numbered, proven.missing, before);
  if (!chain.ok) return `record ${chain.seq} ${chain.reason}`;
  const last = chain.ends.at(-1);
  if (last?.seq !== covering.seq) return `ends with record ${last?.seq}, before its head`;
  const refusedHeads = [...new Set([...around.refused, ...later.refused])];
  return { ...{ before, ...proven, last, refusedHeads }, heads: heads.map(({ jws }) => jws) };
}

/** Of what is before a gap only that which a signed head covers: the part is proven by nothing else. */
function leaveOutUnsigned(
  records: readonly ListedRecord[],
  gaps: readonly Gap[],
  heads: readonly SignedHead[],
): Pick<GatheredChain, "records" | "missing"> {
  const parts = splitAtGaps(
    records.map((listed) => ({ seq: listed.record.seq, listed })),
    gaps,
  );
  const kept: ListedRecord[] = [];
  const missing: MissingRecords[] = [...gaps];
  for (const part of parts) {
    const isSigned = new Set(heads.map(({ seq }) => seq));
    const covered = part.findLastIndex(({ seq }) => isSigned.has(seq)) + 1;
    kept.push(...part.slice(0, covered).map(({ listed }) => listed));
    const open = part.slice(covered);
    const times = open.map(({ listed: { record } }) => record.time).sort();
    const [first, last, from = "", to = from] = [open[0], open.at(-1), times[0], times.at(-1)];
    if (first && last) missing.push({ first_seq: first.seq, last_seq: last.seq, from, to, reason: "unsigned" });
  }
  return { records: kept, missing: missing.sort((a, b) => a.first_seq - b.first_seq) };
}

const isAsked = ({ time }: ListedRecord["record"], { from, to }: Range): boolean =>
  Date.parse(time) >= from && Date.parse(time) < to;

const iso = (time: Instant): string => new Date(time).toISOString();

/** The first two by number. */
interface ReadRecords {
  readonly records: ReadonlyMap<number, ListedRecord>;
  readonly heads: ReadonlyMap<number, SignedHead>;
  readonly gaps: readonly Gap[];
  /** Heads that verify by none of the keys, in sentences. */
  readonly refused: readonly string[];
}

async function readRecords(
  service: AuditService,
  range: Range,
  keys: readonly PublicSigningKey[],
): Promise<ReadRecords> {
  const records = new Map<number, ListedRecord>();
  const heads = new Map<number, SignedHead>();
  const [gaps, refused]: [Gap[], string[]] = [[], []];
  const to = Math.min(range.to, LATEST);
  if (range.from >= to) return { records, heads, gaps, refused };
  for await (const page of service.pages({ from: range.from, to })) {
    for (const each of page.data) records.set(each.record.seq, each);
    for (const jws of page.heads) {
      const checked = verifyHead(jws, keys);
      if (checked.ok) heads.set(checked.head.seq, { ...checked.head, jws });
      // another one may prove the same records
      else refused.push(`a head of the ledger ${checked.reason}`);
    }
    gaps.push(...page.gaps);
  }
  return { records, heads, gaps, refused };
}

/** The first head that covers the record and was signed at `from` or later. */
const findCovering = (heads: ReadonlyMap<number, SignedHead>, newest: number, from: Instant): SignedHead | null =>
  [...heads.values()]
    .filter(({ seq, time }) => seq >= newest && Date.parse(time) >= from)
    .sort((a, b) => a.seq - b.seq)[0] ?? null;

/** The newest record before this instant; null if there is none. */
async function findPreceding(service: AuditService, to: Instant): Promise<ListedRecord | null> {
  for await (const { data } of service.pages({ to }, 1)) if (data[0]) return data[0];
  return null;
}

/** A head comes after the next record, which may be long after the range. */
async function findLaterHead(
  service: AuditService,
  newest: number,
  to: Instant,
  margin: number,
  keys: readonly PublicSigningKey[],
): Promise<SignedHead | null> {
  for (let [from, width] = [to + margin, margin]; from <= clock.now(); from += width, width *= 4) {
    const { heads } = await readRecords(service, { from, to: from + width }, keys);
    const head = findCovering(heads, newest, to);
    if (head) return head;
  }
  return null;
}
