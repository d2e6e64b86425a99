/**
 * The profile of STET (PSD2 API 1.6, part 1, section 3.5). The keyId is where the certificate can be fetched. A stranger's address
 * is not asked: the bank brings the certificate. Where the keyId ends with a SHA-256, as the profile has it, it has to be that one.
 */
import type { Instant } from "../../platform/instant.ts";
import { type CavageParameters, readCavage } from "./cavage.ts";
import type { SignatureReading, SignedRequest } from "./request.ts";

/** Whether a keyId is that of this profile. */
export const isStet = (parameters: CavageParameters): boolean => /^https?:\/\//i.test(parameters.get("keyId") ?? "");

export function readStet(request: SignedRequest, parameters: CavageParameters, now: Instant): SignatureReading {
  const sent = new Set(request.fields.map(({ name }) => name).filter((name) => name.startsWith("psu-")));
  const coverage = {
    always: ["(request-target)", "digest", "date"],
    ifSent: ["content-type", "x-request-id", ...sent],
  };
  const [, sha256] = /_([0-9a-f]{64})$/i.exec(parameters.get("keyId") ?? "") ?? [];
  return {
    ...readCavage(request, parameters, coverage, now),
    profile: "stet",
    names: sha256 === undefined ? {} : { sha256: sha256.toLowerCase() },
  };
}
