/**
 * The CRLs of one URL and one issuer name: one per signing key and scope, each with the certificate that verified it.
 * Two CAs may name the same URL, and a CA may be changing its key.
 */

import { sameBytes } from "../platform/encoding.ts";
import { hashBytes, hashText } from "../platform/node-crypto.ts";
import { type Certificate, CertificateError, parseCertificate } from "../x509/certificate.ts";
import { children, DerError, encodeDer, expect, readDer, Tag } from "../x509/der.ts";
import { type Name, nameKey } from "../x509/name.ts";
import { crlMemory } from "./answer-memory.ts";
import { parseCrl } from "./crl.ts";
import { findSigner } from "./crl-check.ts";
import { readCrlNumber, readScope } from "./crl-profile.ts";
import { type CacheSlot, isSameAnswer, LONGEST_SPAN_MS, type SlotReading } from "./kept-answers.ts";
import { type Problem, type VerifiedAnswer, validUntil } from "./verified-answer.ts";

export const CRLS = "revocation/crls/";

/** The key can be computed from a certificate alone: from the CRL's URL and the name of the issuer. */
export const crlKey = (url: string, issuer: Name): string =>
  `${CRLS}${hashText("sha256", `${nameKey(issuer)} ${url}`)}`;

/** `known`: certificates that may have signed what is kept, and are not parsed again. */
export const crlSlot = (url: string, issuer: Name, known: readonly Certificate[] = []): CacheSlot =>
  crlSlotAt(crlKey(url, issuer), url, known);

export const crlSlotAt = (key: string, url: string, known: readonly Certificate[] = []): CacheSlot => ({
  key,
  memory: crlMemory,
  crlUrl: url,
  read: (value, held) => readCrls(value, held, known),
  encode: encodeCrls,
  keptUntil: (answer) => Math.max(validUntil(answer), answer.thisUpdate + LONGEST_SPAN_MS),
});

/** SEQUENCE OF SEQUENCE { issuer Certificate, crl CertificateList } */
const encodeCrls = (answers: readonly VerifiedAnswer[]): Uint8Array =>
  encodeDer(
    Tag.sequence,
    ...answers.flatMap(({ issuer, der }) => (issuer ? [encodeDer(Tag.sequence, issuer, der)] : [])),
  );

function decodeCrls(value: Uint8Array): { issuer: Uint8Array; der: Uint8Array }[] {
  const what = "kept CRLs";
  return children(expect(readDer(value, what), Tag.sequence, what), what).map((pair) => {
    const [issuer, crl, ...more] = children(expect(pair, Tag.sequence, what), what);
    if (!issuer || !crl || more.length > 0) throw new DerError(`${what}: not a certificate and a CRL`);
    return { issuer: issuer.raw, der: crl.raw };
  });
}

async function readCrls(
  value: Uint8Array,
  held: readonly VerifiedAnswer[],
  signers: readonly Certificate[],
): Promise<SlotReading> {
  const answers: VerifiedAnswer[] = [];
  let problem: Problem | null = null;
  try {
    for (const { issuer, der } of decodeCrls(value)) {
      const known = held.find((answer) => isSameAnswer(answer.der, der) && isSameAnswer(answer.issuer ?? der, issuer));
      const signer = () => signers.find((each) => sameBytes(each.der, issuer)) ?? parseCertificate(issuer);
      const verified = known ?? (await verify(der, signer()));
      if ("line" in verified) answers.push(verified);
      else problem = verified;
    }
  } catch (error) {
    if (!(error instanceof DerError || error instanceof CertificateError)) throw error;
    problem = { reason: "malformed", message: `it cannot be read (${error.message})` };
  }
  return { answers, problem };
}

/** Verifies the signature only. Whether the CRL is current, and what it says, is checked at each use. */
async function verify(der: Uint8Array, issuer: Certificate): Promise<VerifiedAnswer | Problem> {
  // a copy, so that the CRL does not keep the rest of the value in memory
  const own = der.slice();
  const signer = await findSigner(parseCrl(own), [issuer]);
  return "reason" in signer ? signer : toVerifiedCrl(own, signer);
}

/** Its signature by `issuer` was verified. `der` must share memory with nothing else. Throws {@link DerError}. */
export function toVerifiedCrl(der: Uint8Array, issuer: Certificate): VerifiedAnswer {
  const crl = parseCrl(der);
  const { thisUpdate, nextUpdate, scan } = crl;
  return {
    line: `${keyOf(issuer)} ${hashText("sha256", readScope(crl))}`,
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

const keyOf = ({ publicKey }: Certificate): string => hashBytes("sha256", publicKey.spki);
