/** What a check on the page finds: all that its page shows, as plain data that can be kept. */

import { toBase64 } from "../../platform/encoding.ts";
import { describeCheck } from "../../psp-check/answer.ts";
import type { Chain } from "../../psp-check/check-budget.ts";
import { decideOnCheck } from "../../psp-check/decision.ts";
import type { PspCheck } from "../../psp-check/psp-check.ts";
import { describePsp, type PspReport } from "../../psp-check/psp-report.ts";
import type { RegisterMaxAges } from "../../registers/manifest.ts";

/** Times in milliseconds since 1970. */
export interface Question {
  /** ISO code in upper case. */
  readonly jurisdiction: string;
  /** The instant as of which is checked. */
  readonly at: number;
  /** When it was asked. */
  readonly now: number;
}

export interface Found {
  readonly ok: true;
  /** The file's name, or that it was pasted. */
  readonly from: string;
  /** The certificate's organizationName; null if it has none. */
  readonly name: string | null;
  readonly authNumber: string | null;
  /** The answer of GET /v1/psp/eidas in version `latest`. */
  readonly answer: ReturnType<typeof describeCheck>;
  readonly report: PspReport;
  readonly certificate: {
    /** SHA-256 of the DER, hex. */
    readonly sha256: string;
    readonly notBefore: number;
    readonly notAfter: number;
    /** The header `eidas`: base64 of the DER, with the issuers after it. */
    readonly header: string;
  };
  /** Status periods of the listed service, oldest first; ISO 8601. */
  readonly periods: readonly { readonly status: string; readonly from: string }[];
  /** Of the record that it left; absent if the service keeps none. */
  readonly evidenceId?: string;
  /** See `Evidence`. Absent of results that were kept before 0.12.0. */
  readonly doubts?: PspCheck["evidence"]["doubts"];
}

/** A file that could not be checked. `message` is a sentence. */
interface NotFound {
  readonly ok: false;
  readonly from: string;
  readonly message: string;
}

export type Finding = Found | NotFound;

export function describeFinding(
  from: string,
  { leaf, issuers }: Chain,
  check: PspCheck,
  { jurisdiction, at }: Question,
  maxAges: RegisterMaxAges,
): Found {
  const decision = decideOnCheck(check, jurisdiction, at, maxAges);
  const answer = describeCheck(check, jurisdiction, "latest", maxAges, at, decision);
  return {
    ok: true,
    from,
    name: check.psp.pspSubjectName,
    authNumber: check.psp.authNumber,
    answer,
    report: describePsp(check, { ...answer, decision }, jurisdiction, at),
    certificate: {
      sha256: leaf.fingerprint,
      notBefore: check.psp.notBefore,
      notAfter: check.psp.notAfter,
      header: [leaf, ...issuers].map(({ der }) => toBase64(der)).join("="),
    },
    periods: check.evidence.anchor?.periods ?? [],
    doubts: check.evidence.doubts,
  };
}
