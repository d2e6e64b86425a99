/** Judges kept answers again, without a store or the network: the same answers and instant give the same sentence. */
import type { Instant } from "../platform/instant.ts";
import type { Certificate } from "../x509/certificate.ts";
import { parseCrl } from "./crl.ts";
import { readCrlNumber } from "./crl-profile.ts";
import { describeSilence } from "./distribution-points.ts";
import { judgeVerified } from "./judge-source.ts";
import { holderOf, NO_CRL } from "./revocation.ts";
import { checkAnswer, type Issued, issuedAt, type SignerPath } from "./revocation-sources.ts";
import { describeStatus, type RevocationEvidence, type RevocationStatus } from "./revocation-status.ts";

/** What one source said: the DER of an OCSP response or CRL, or why there was none that could be used. */
export type SaidAnswer = Pick<RevocationEvidence, "source" | "url"> &
  /** `responder`: what CRLs said on the certificate of its responder; absent if that was not looked at. */
  (
    | { readonly der: Uint8Array; readonly responder?: readonly SaidAnswer[] | undefined }
    | { readonly answer: Extract<RevocationEvidence["answer"], { status: "unusable" | "unavailable" }> }
  );

/** `said`: for each certificate of the path but the anchor, in the order of asking. Throws {@link DerError}. */
export const judgeAgain = (
  path: readonly Certificate[],
  said: readonly (readonly SaidAnswer[])[],
  at: Instant,
  signers: readonly SignerPath[] = [],
): Promise<RevocationStatus[]> =>
  Promise.all(
    path.slice(0, -1).map(async (certificate, i) => {
      const issued = issuedAt(path, i, signers);
      const evidence = await Promise.all((said[i] ?? []).map((each) => judgeSaid(each, issued, at)));
      return describeStatus(holderOf(certificate), evidence, at, () => describeSilence(certificate));
    }),
  );

async function judgeSaid(said: SaidAnswer, issued: Issued, at: Instant): Promise<RevocationEvidence> {
  if (!("der" in said)) return said;
  const { source: kind, url, der } = said;
  const crlNumber = kind === "CRL" ? readCrlNumber(parseCrl(der)) : null;
  const { responder } = said;
  const checkDelegate =
    responder && ((delegate: Certificate) => describeDelegate({ ...issued, certificate: delegate }, responder, at));
  const source = { kind, slot: { key: "" }, check: checkAnswer(kind, issued), keptFrom: url };
  return judgeVerified(source, { der, crlNumber }, url, at, checkDelegate ?? null);
}

async function describeDelegate(issued: Issued, said: readonly SaidAnswer[], at: Instant): Promise<RevocationStatus> {
  const evidence = await Promise.all(said.map((each) => judgeSaid(each, issued, at)));
  return describeStatus(holderOf(issued.certificate), evidence, at, NO_CRL);
}
