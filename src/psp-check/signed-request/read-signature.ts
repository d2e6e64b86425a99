/** Which profile a request's signature is of, and what that profile reads. A request with two signatures has none that counts. */
import type { Instant } from "../../platform/instant.ts";
import { readBerlinGroup } from "./berlin-group.ts";
import { readCavageParameters } from "./cavage.ts";
import { readDetachedJws } from "./detached-jws.ts";
import { readMessageSignature } from "./message-signature.ts";
import { problem, type SignatureProblem } from "./problems.ts";
import { hasField, NO_READING, readOnly, type SignatureReading, type SignedRequest } from "./request.ts";
import { isStet, readStet } from "./stet.ts";

/** It never throws for what the request contains. */
export async function readSignature(request: SignedRequest, now: Instant): Promise<SignatureReading> {
  const [hasJws, hasInput, hasSignature] = ["x-jws-signature", "signature-input", "signature"].map((name) =>
    hasField(request, name),
  );
  if (hasJws && (hasInput || hasSignature))
    return refuse(problem("signature_ambiguous", "the request has x-jws-signature and Signature: send one of them"));
  if (hasInput) return await readMessageSignature(request, now);
  const field = hasJws || hasSignature ? readOnly(request, hasJws ? "x-jws-signature" : "signature") : NONE;
  if (!("value" in field)) return refuse(field);
  if (hasJws) return readDetachedJws(request, field.value, now);
  const parameters = readCavageParameters(field.value);
  if (!parameters) return refuse(problem("signature_unreadable", `Signature is not in the form ${FORM}`));
  return isStet(parameters) ? readStet(request, parameters, now) : readBerlinGroup(request, parameters, now);
}

const FORM = 'keyId="...",algorithm="...",headers="...",signature="..."';
const NONE = problem("signature_missing", "the request has neither Signature nor x-jws-signature");

const refuse = (why: SignatureProblem): SignatureReading => ({ ...NO_READING, problems: [why] });
