/**
 * Judges kept answers again, without a store and without the network: from the same answers and the same instant follows
 * the same status, with the same sentence.
 */
import type { Certificate } from "../x509/certificate.ts";
import { judgeVerified } from "./ask-source.ts";
import { readCrlNumber } from "./crl-profile.ts";
import { holderOf } from "./revocation.ts";
import { checkAnswer, checkEndedAnswer, type Issued, issuedAt } from "./revocation-sources.ts";
import { describeStatus, type RevocationEvidence, type RevocationStatus } from "./revocation-status.ts";
import { readCrl } from "./verified-crl.ts";

/** What one source said: the DER of an OCSP response or CRL, or why there was none that could be used. */
export type SaidAnswer = Pick<RevocationEvidence, "source" | "url"> &
  (
    | { readonly der: Uint8Array }
    | { readonly answer: Extract<RevocationEvidence["answer"], { status: "unusable" | "unavailable" }> }
  );

/**
 * The status of each certificate of the path (leaf first, anchor last) but the anchor. `said`: for each of them, in the
 * order in which it was asked. `at`: milliseconds since 1970. Throws {@link DerError} for bytes that are no CRL.
 */
export const judgeAgain = (
  path: readonly Certificate[],
  said: readonly (readonly SaidAnswer[])[],
  at: number,
): Promise<RevocationStatus[]> =>
  Promise.all(
    path.slice(0, -1).map(async (certificate, i) => {
      const issued = issuedAt(path, i);
      const evidence = await Promise.all((said[i] ?? []).map((each) => judgeSaid(each, issued, at)));
      return describeStatus(holderOf(certificate), evidence, at);
    }),
  );

async function judgeSaid(said: SaidAnswer, issued: Issued, at: number): Promise<RevocationEvidence> {
  if (!("der" in said)) return said;
  const { source: kind, url, der } = said;
  const checks = { check: checkAnswer(kind, issued), checkEnded: checkEndedAnswer(kind, issued) };
  const crlNumber = kind === "CRL" ? readCrlNumber(readCrl(der)) : null;
  return judgeVerified({ kind, slot: { key: "" }, ...checks, keptFrom: url }, { der, crlNumber }, url, at);
}
