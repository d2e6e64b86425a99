/**
 * The proof of one record of a ledger, as one JSON file: the record, the records after it up to a signed head, and the
 * documents that it is based on. Everything but the keys hangs by hashes on the head's signature, so nothing else is signed:
 * the chain ends in the head's hash, the record names its basis, and the basis its documents.
 *
 * It shows the records in between whole, since the chain is over their texts: who gets it can read them.
 */
import * as z from "zod";
import { fromBase64, toBase64 } from "../../platform/encoding.ts";
import { boundedInstant } from "../../platform/instant.ts";
import { checkChain, hashRecord } from "../ledger/chain.ts";
import { verifyHead } from "../ledger/head.ts";
import type { LedgerRecord } from "../ledger/record.ts";
import { parseDocument } from "../ledger/record-documents.ts";
import { type Replay, replay } from "../replay/replay.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";

const FORM = "psp-gate proof of a record, 1";

/** A key that evidence brings with it, of this service's kind. Whoever made the evidence may have written anything there. */
export const archivedKey = z.looseObject({
  ...{ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string().regex(/^[\w-]{43}$/), kid: z.string() },
  ...{ nbf: z.number(), exp: z.number().optional() },
});

const proof = z.strictObject({
  form: z.literal(FORM),
  /** As it is stored. */
  record: z.string(),
  /** SHA-256 of its text, for who looks by hand. */
  hash: z.string(),
  /** The texts of the records after it, up to the head. */
  after: z.array(z.string()),
  /** Compact JWS (evidence/ledger/head.ts). */
  head: z.string(),
  /** The service's public keys (RFC 7517). */
  keys: z.array(archivedKey),
  /** Base64 by SHA-256. */
  documents: z.record(z.string(), z.base64()),
});

export interface RecordProof {
  readonly record: string;
  readonly after: readonly string[];
  readonly head: string;
  readonly keys: readonly PublicSigningKey[];
  readonly documents: ReadonlyMap<string, Uint8Array>;
}

export const writeProof = ({ record, after, head, keys, documents }: RecordProof): string =>
  JSON.stringify(
    {
      form: FORM,
      ...{ record, hash: hashRecord(record), after, head, keys },
      documents: Object.fromEntries([...documents].map(([sha256, bytes]) => [sha256, toBase64(bytes)])),
    },
    null,
    1,
  );

export type ProofVerdict =
  | {
      readonly ok: true;
      readonly record: LedgerRecord;
      readonly kid: string;
      /** ISO 8601: when the head was signed. */
      readonly signedAt: string;
      readonly replay: Replay;
    }
  | { readonly ok: false; readonly reason: string };

/** Whether a file says that it is such a proof. */
export const isProof = (text: string): boolean => text.slice(0, 200).includes(FORM);

/** `keys`: of the service, from elsewhere; null: those of the file, which prove only that it agrees with itself. */
export async function verifyProof(text: string, keys: readonly PublicSigningKey[] | null): Promise<ProofVerdict> {
  const refuse = (reason: string): ProofVerdict => ({ ok: false, reason });
  const parsed = parse(text);
  if (!parsed) return refuse("the file is not the proof of a record");
  const { record: stored, hash, after, head: jws, documents } = parsed;
  if (hash !== hashRecord(stored)) return refuse("the record was altered: its SHA-256 is another one");
  const record = readRecord(stored);
  if (!record) return refuse("the record is none: JSON with its number, its time and the hash before it was expected");
  const chain = checkChain([stored, ...after], { seq: record.seq - 1, hash: record.prev });
  if (!chain.ok) return refuse(`record ${chain.seq} ${chain.reason}`);
  const head = verifyHead(jws, keys ?? (parsed.keys as unknown as PublicSigningKey[]));
  if (!head.ok) return refuse(`the head ${head.reason}`);
  const { fi, seq, hash: end, time } = head.head;
  if (fi !== record.fi) return refuse("the head is of another institution");
  if (seq !== chain.end.seq || end !== chain.end.hash)
    return refuse("the head is not of the last record: a record was altered, removed or added");
  const replayed = await replay(record, async (sha256) => {
    const kept = documents[sha256];
    return kept === undefined ? null : fromBase64(kept);
  });
  return { ok: true, record, kid: head.kid, signedAt: time, replay: replayed };
}

const parse = (text: string): z.infer<typeof proof> | null => proof.safeParse(parseDocument(text)).data ?? null;

function readRecord(text: string): LedgerRecord | null {
  const record = Object(parseDocument(text)) as Partial<LedgerRecord>;
  const isRecord = Number.isSafeInteger(record.seq) && typeof record.prev === "string" && Array.isArray(record.checks);
  return isRecord && isDated(record) ? (record as LedgerRecord) : null;
}

/** Whether its times are instants: whoever made the evidence may have written anything there. */
export const isDated = ({ time = "", as_of = time }: Partial<LedgerRecord>): boolean =>
  [time, as_of].every((instant) => boundedInstant(Date.parse(instant)) !== null);
