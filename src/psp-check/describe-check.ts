/** The answer to a PSP check, in the form of the interface. */
import { writeWarnings } from "../eidas/warnings.ts";
import type { Version } from "../platform/version.ts";
import { checkRegisters } from "../registers/check.ts";
import type { RegisterMaxAges } from "../registers/manifest.ts";
import { describeEvidence } from "./answer-evidence.ts";
import { type Decision, decideOnCheck } from "./decision.ts";
import type { PspCheck } from "./psp-check.ts";

/**
 * The PSP check result in the interface's spelling. A missing value is "" where the interface has a string. Version
 * `latest` adds codes of warnings, the decision and the evidence, which lacks what belongs to one request alone
 * (kept-answer.ts). `now` in milliseconds since 1970.
 */
export function describeCheck(
  check: PspCheck,
  jurisdiction: string,
  version: Version,
  maxAges: RegisterMaxAges,
  now: number,
  decision: Decision = decideOnCheck(check, jurisdiction, now, maxAges),
) {
  const { psp, validity, warnings, home, host } = check;
  return {
    eIDAS: {
      validity,
      data: {
        QTSPCommonName: psp.QTSPCommonName ?? "",
        authNumber: psp.authNumber ?? "",
        pspSubjectName: psp.pspSubjectName ?? "",
      },
      ...writeWarnings(warnings, version === "latest"),
    },
    ...checkRegisters({
      authNumber: psp.authNumber,
      jurisdiction,
      home,
      host,
      subjectName: psp.pspSubjectName,
      now,
      maxAges,
      codes: version === "latest",
    }),
    ...(version === "latest" && { decision, evidence: describeEvidence(check, now) }),
  };
}
