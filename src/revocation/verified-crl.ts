/** Converts CRLs to verified answers, and verifies a CRL without a certificate to check. */
import { createHash } from "../platform/node-crypto.ts";
import type { Certificate } from "../x509/certificate.ts";
import { DerError } from "../x509/der.ts";
import { type Crl, parseCrl } from "./crl.ts";
import { type CrlAnswer, checkCrlAlone } from "./crl-check.ts";
import { readCrlNumber, readScope } from "./crl-profile.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

const parsed = new WeakMap<Uint8Array, Crl>();

/** `parseCrl` with the result cached per byte array. Throws {@link DerError}. */
export function readCrl(der: Uint8Array): Crl {
  const known = parsed.get(der);
  if (known) return known;
  const crl = parseCrl(der);
  parsed.set(der, crl);
  return crl;
}

/** Its signature by `issuer` was verified. `der` must share memory with nothing else. Throws {@link DerError}. */
export function toVerifiedCrl(der: Uint8Array, issuer: Certificate): VerifiedAnswer {
  const crl = readCrl(der);
  const { thisUpdate, nextUpdate, scan } = crl;
  return {
    line: `${keyOf(issuer)} ${sha256(readScope(crl))}`,
    der,
    // a copy, because the certificate may be a view of a whole request
    issuer: issuer.der.slice(),
    thisUpdate,
    nextUpdate,
    crlNumber: readCrlNumber(crl),
    revocations: scan.count,
  };
}

/** Whether the key of `issuer` signed the CRL. CRLs by other keys are not used for its certificates. */
export const isSignedBy = ({ line }: VerifiedAnswer, issuer: Certificate): boolean =>
  line.startsWith(`${keyOf(issuer)} `);

export type CrlVerification =
  | { readonly ok: true; readonly answer: VerifiedAnswer }
  /** `message` completes the sentence "The CRL cannot be used: ...". */
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** Whether this is a complete and current CRL signed by `issuer`. Never throws because of the contents. */
export async function verifyCrl(der: Uint8Array, issuer: Certificate, now: number): Promise<CrlVerification> {
  const answer = await check();
  if (answer.status !== "unusable") return { ok: true, answer: toVerifiedCrl(der, issuer) };
  return { ok: false, reason: answer.reason, message: answer.message };

  async function check(): Promise<CrlAnswer> {
    try {
      return await checkCrlAlone({ crl: readCrl(der), issuer, now });
    } catch (error) {
      if (error instanceof DerError)
        return { status: "unusable", reason: "malformed", message: `it cannot be read (${error.message})` };
      throw error;
    }
  }
}

const keyOf = ({ publicKey }: Certificate): string => sha256(publicKey.spki);
const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
