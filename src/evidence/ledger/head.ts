/**
 * A head: the end of an institution's chain at an instant, signed. Whoever has it can show that a record below it was
 * altered, removed, moved or cut off, and prove each record of its tree by itself. A compact JWS (RFC 7515 section 7.1), by the keys that sign answers.
 */
import { createPublicKey, sign, verify } from "node:crypto";
import { toBase64Url } from "../../platform/encoding.ts";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { didSign, importKey, type PublicSigningKey, type Signer } from "../signatures/signing-keys.ts";
import type { ChainEnd } from "./chain.ts";
import { isDamage } from "./damage.ts";
import { parseDocument } from "./record-documents.ts";
import type { TreeEnd } from "./record-tree.ts";
import { endOf, type Segment } from "./segment.ts";
import type { SegmentFiles } from "./segment-files.ts";
import type { SegmentPlaces } from "./segment-places.ts";

/** RFC 8725 section 3.11: what else these keys sign cannot be taken for a head. */
const TYPE = "psp-gate-head+jws";
/** RFC 9864, as the keys are published: EdDSA would leave the curve open. */
const ALGORITHM = "Ed25519";

export interface SignedEnd extends TreeEnd {
  /** `fi_reference_id`. */
  readonly fi: string;
  /** ISO 8601 in UTC: when it was signed. */
  readonly time: string;
}

const utf8 = new TextEncoder();
const encode = (value: object): string => toBase64Url(utf8.encode(JSON.stringify(value)));

export function signHead({ fi, seq, hash, first, root, time }: SignedEnd, key: Signer): string {
  const signed = `${encode({ alg: ALGORITHM, kid: key.kid, typ: TYPE })}.${encode({ fi, seq, hash, first, root, time })}`;
  return `${signed}.${toBase64Url(sign(null, utf8.encode(signed), importKey(key)))}`;
}

export type HeadCheck =
  | { readonly ok: true; readonly head: SignedEnd; readonly kid: string }
  | { readonly ok: false; readonly reason: string };

/** Verifies a head by one of the keys, which must have signed at its time. */
export function verifyHead(jws: string, keys: readonly PublicSigningKey[]): HeadCheck {
  const refuse = (reason: string): HeadCheck => ({ ok: false, reason });
  const parts = jws.split(".");
  const [protectedHeader, payload] = parts.map(decode);
  const { alg, kid, typ } = Object(protectedHeader) as Record<string, unknown>;
  if (parts.length !== 3 || alg !== ALGORITHM || typ !== TYPE || typeof kid !== "string")
    return refuse(`is not a head: a JWS of the type ${TYPE}, signed by ${ALGORITHM}, was expected`);
  const key = keys.find((one) => one.kid === kid);
  if (!key) return refuse(`is signed by the key ${kid}, which is not among the given keys`);
  const { kty, crv, x } = key;
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: "jwk" });
  const signed = utf8.encode(parts.slice(0, 2).join("."));
  // a text has one spelling: else a byte of it could be altered unnoticed
  const signature = Buffer.from(parts[2] ?? "", "base64url");
  if (toBase64Url(signature) !== parts[2] || !verify(null, signed, publicKey, signature))
    return refuse(`has a signature that is not that of the key ${kid}: it was altered`);
  const head = readEnd(payload);
  if (!head) return refuse("does not name an institution, a record, its hash, a tree of records and a time");
  if (!didSign(key, Date.parse(head.time))) return refuse(`is of ${head.time}, when the key ${kid} did not sign`);
  return { ok: true, head, kid };
}

const decode = (part: string): unknown => parseDocument(Buffer.from(part, "base64url").toString("utf8"));

const isHash = (text: unknown): text is string => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
const isSeq = (seq: unknown): seq is number => Number.isSafeInteger(seq);

function readEnd(payload: unknown): SignedEnd | null {
  const { fi, seq, hash, first, root, time = "" } = Object(payload) as Partial<SignedEnd>;
  const isEnd = typeof fi === "string" && isSeq(seq) && isHash(hash) && isSeq(first) && isHash(root);
  return isEnd && boundedInstant(Date.parse(time)) !== null ? { fi, seq, hash, first, root, time } : null;
}

/** What a head of our own says: its signature is not looked at. */
export const readHead = (jws: string | null): SignedEnd | null => readEnd(decode(jws?.split(".")[1] ?? ""));

export const HEADS_TABLE = `
  CREATE TABLE IF NOT EXISTS heads (
    seq  INTEGER NOT NULL PRIMARY KEY,
    hash TEXT    NOT NULL,
    time INTEGER NOT NULL,
    jws  TEXT -- null: there was no signing key
  ) STRICT`;

const NEWEST = "SELECT seq, hash, time, jws FROM heads ORDER BY seq DESC LIMIT 1";
const BETWEEN = "SELECT seq, hash, time, jws FROM heads WHERE seq BETWEEN ?1 AND ?2 ORDER BY seq";
const FIRST_SIGNED = "SELECT seq, hash, time, jws FROM heads WHERE seq >= ?1 AND jws IS NOT NULL ORDER BY seq LIMIT 1";
const INSERT = `
  INSERT INTO heads (seq, hash, time, jws) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (seq) DO UPDATE SET time = excluded.time, jws = excluded.jws`;
// by its key, as they are few: 2,880
const DELETE_OLD = "DELETE FROM heads WHERE time < ?1 AND seq < (SELECT max(seq) FROM heads)";

/** After the first record that no head covers. Alarms may be late: with it a minute of activity has a head. */
export const HEAD_INTERVAL_MS = 55_000;
const KEPT_MS = 2 * 86_400_000;

export interface Head extends ChainEnd {
  readonly time: Instant;
  /** Null without a signing key. */
  readonly jws: string | null;
}
type HeadRow = Head & Record<string, SqlStorageValue>;

/** The signed ends of one institution's chain. Those of every minute are kept for two days, those of closed segments with them. */
export class Heads {
  readonly #sql: SqlStorage;
  #newest: Head | null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#newest = [...sql.exec<HeadRow>(NEWEST)][0] ?? null;
  }

  get newest(): Head | null {
    return this.#newest;
  }

  /** Whether the end of the chain is in no head. */
  isDue({ seq }: ChainEnd): boolean {
    return seq > (this.#newest?.seq ?? 0);
  }

  /** Signs the end of the chain, and keeps it. */
  sign(fi: string, end: TreeEnd, signer: Signer | null, now: Instant): Head {
    const head = makeHead(fi, end, signer, now);
    this.#sql.exec(INSERT, head.seq, head.hash, head.time, head.jws);
    this.#newest = head;
    return head;
  }

  between(from: number, to: number): Head[] {
    return [...this.#sql.exec<HeadRow>(BETWEEN, from, to)];
  }

  /** The first signed one that covers the record; null if none does. */
  firstSigned(seq: number): Head | null {
    return [...this.#sql.exec<HeadRow>(FIRST_SIGNED, seq)][0] ?? null;
  }

  deleteOld(now: Instant): void {
    this.#sql.exec(DELETE_OLD, now - KEPT_MS);
  }
}

export const makeHead = (fi: string, end: TreeEnd, signer: Signer | null, now: Instant): Head => ({
  ...{ seq: end.seq, hash: end.hash, time: now },
  jws: signer && signHead({ fi, ...end, time: new Date(now).toISOString() }, signer),
});

/** Of two million records: a proof that shows more than these is none that anybody reads. */
const FAR_SEGMENTS = 500;

/** Finds signed ends: those of closed segments, and of the last two days every minute's. */
export class HeadSearch {
  readonly #heads: Heads;
  readonly #places: SegmentPlaces;
  readonly #files: () => SegmentFiles | null;

  constructor(heads: Heads, places: SegmentPlaces, files: () => SegmentFiles | null) {
    this.#heads = heads;
    this.#places = places;
    this.#files = files;
  }

  /**
   * Those between two records. `covered`: if none of them is signed and covers this record, the first one that is and
   * does, however late the first key was made. Throws StoreError.
   */
  async between(from: number, to: number, covered = from): Promise<Head[]> {
    const closed: Head[] = [];
    const files = this.#files();
    for (let seq = from; seq <= to; ) {
      const segment = await this.#places.findFrom(files, seq);
      if (!segment || segment.last_seq > to) break;
      if (!isDamage(segment)) closed.push(headOf(segment));
      seq = segment.last_seq + 1;
    }
    const heads = new Map(this.#heads.between(from, to).map((head) => [head.seq, head]));
    // the end of a segment that was closed without a signing key, or by a clock that was wrong, may have been signed since
    for (const head of closed) if ((heads.get(head.seq)?.jws ?? null) === null) heads.set(head.seq, head);
    const isCovering = ({ seq, jws }: Head) => seq >= covered && jws !== null;
    const far = [...heads.values()].some(isCovering) ? null : await this.#findSigned(to + 1);
    return [...heads.values(), ...(far ? [far] : [])].sort((a, b) => a.seq - b.seq);
  }

  /** The first signed end that covers the record; null if there is none, or too much before it. */
  async #findSigned(record: number): Promise<Head | null> {
    const recent = this.#heads.firstSigned(record);
    if (!recent) return null;
    const files = this.#files();
    for (let [seq, reads] = [record, 0]; reads < FAR_SEGMENTS; reads++) {
      const segment = await this.#places.findFrom(files, seq);
      if (!segment || segment.last_seq >= recent.seq) return recent;
      if (!isDamage(segment) && segment.head !== null) return headOf(segment);
      seq = segment.last_seq + 1;
    }
    return null;
  }
}

const headOf = (segment: Segment): Head => ({ ...endOf(segment), time: segment.last_time, jws: segment.head });
