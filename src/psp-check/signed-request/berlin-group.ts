/**
 * The profile of the Berlin Group: NextGenPSD2 XS2A Framework, Implementation Guidelines 1.3, section 12. The request carries
 * `Digest`, `Signature` and `TPP-Signature-Certificate`. Method and target need not be covered. Since 1.3.4 `Date` is not demanded,
 * and some banks refuse it. Without one the signature says no time: only the memory of ids (grants/request-ids.ts) finds a replay.
 */
import type { Instant } from "../../platform/instant.ts";
import { type CavageParameters, readCavage } from "./cavage.ts";
import { type Coverage, hasField, readOnly, type SignatureReading, type SignedRequest } from "./request.ts";

/** Section 12.2. Further headers may be covered: banks ask for some. A date that is sent counts, so it has to be the PSP's. */
const COVERAGE: Coverage = {
  always: ["digest", "x-request-id"],
  ifSent: ["date", "psu-id", "psu-corporate-id", "tpp-redirect-uri"],
};
const DATED: Coverage = { ...COVERAGE, always: [...COVERAGE.always, "date"] };

export function readBerlinGroup(request: SignedRequest, parameters: CavageParameters, now: Instant): SignatureReading {
  const reading = readCavage(request, parameters, request.requireDate ? DATED : COVERAGE, now);
  // the request has the certificate itself: a keyId of another form, as some banks demand it, is not needed
  const [, serial] = /^SN=([0-9A-Fa-f:]+)(?:,|$)/.exec(parameters.get("keyId") ?? "") ?? [];
  const certificate = hasField(request, HEADER) ? readOnly(request, HEADER) : null;
  return {
    ...reading,
    profile: "berlin-group",
    problems: [...reading.problems, ...(certificate && !("value" in certificate) ? [certificate] : [])],
    certificate: certificate && "value" in certificate ? certificate.value : null,
    names: serial === undefined ? {} : { serial: serial.replaceAll(":", "").toLowerCase() },
  };
}

const HEADER = "tpp-signature-certificate";
