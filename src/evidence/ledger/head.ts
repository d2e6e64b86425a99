/**
 * A head: the end of an institution's chain at an instant, signed. Whoever has it can show that a record below it was
 * altered, removed, moved or cut off. A compact JWS (RFC 7515 section 7.1), by the keys that sign answers.
 */
import { createPublicKey, sign, verify } from "node:crypto";
import { toBase64Url } from "../../platform/encoding.ts";
import { importKey, type Signer } from "../signatures/private-key.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";
import { didSign } from "../signatures/signing-period.ts";
import type { ChainEnd } from "./record.ts";

/** RFC 8725 section 3.11: what else these keys sign cannot be taken for a head. */
const TYPE = "psp-gate-head+jws";
/** RFC 9864, as the keys are published: EdDSA would leave the curve open. */
const ALGORITHM = "Ed25519";

export interface SignedEnd extends ChainEnd {
  /** `fi_reference_id`. */
  readonly fi: string;
  /** ISO 8601 in UTC: when it was signed. */
  readonly time: string;
}

const utf8 = new TextEncoder();
const encode = (value: object): string => toBase64Url(utf8.encode(JSON.stringify(value)));

export function signHead({ fi, seq, hash, time }: SignedEnd, key: Signer): string {
  const signed = `${encode({ alg: ALGORITHM, kid: key.kid, typ: TYPE })}.${encode({ fi, seq, hash, time })}`;
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
  if (!head) return refuse("does not name an institution, a record, its hash and a time");
  if (!didSign(key, Date.parse(head.time))) return refuse(`is of ${head.time}, when the key ${kid} did not sign`);
  return { ok: true, head, kid };
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}

function readEnd(payload: unknown): SignedEnd | null {
  const { fi, seq, hash, time } = Object(payload) as Partial<SignedEnd>;
  const isEnd = typeof fi === "string" && Number.isSafeInteger(seq) && /^[0-9a-f]{64}$/.test(hash ?? "");
  if (!isEnd || seq === undefined || hash === undefined || Number.isNaN(Date.parse(time ?? ""))) return null;
  return { fi, seq, hash, time: time ?? "" };
}
