/**
 * A certificate that the service has never seen and never will again, on which one bit was changed after it was signed:
 * no cache helps, and nothing may believe it.
 */

import { Part } from "../answer-difference.ts";
import type { Bank } from "../bank.ts";
import { HOME } from "../world/plan.ts";
import { drawEntitled, eidasOf } from "./psps.ts";

/** Of the signature at the certificate's end, by RSA with 2048 bits. */
const SIGNATURE_BYTES = 256;
/** The first byte is left alone: a signature above the modulus would be refused in other words. */
const CHANGED_BYTES = SIGNATURE_BYTES - 1;

const FAULT = "the signature on the certificate does not verify: it was not made with this key over these bytes";

export async function checkForgedCertificate(bank: Bank): Promise<void> {
  const psp = drawEntitled(bank, "accounts");
  const der = Buffer.from(eidasOf(bank, psp), "base64");
  const place = der.length - 1 - Math.floor(bank.random() * CHANGED_BYTES);
  der[place] = (der[place] ?? 0) ^ (1 << Math.floor(bank.random() * 8));
  const body = new Part({
    eIDAS: {
      validity: { validQTSP: false, validSignature: false, notRevoked: false, notExpired: true },
      data: new Part({ authNumber: psp.pspId }),
      warning: [
        `validQTSP: ${FAULT}`,
        `validSignature: ${FAULT}`,
        "notRevoked: revocation cannot be checked without a valid certificate path",
      ],
    },
  });
  await bank.ask(
    {
      method: "GET",
      path: `/v1/psp/eidas?jurisdiction=${HOME}`,
      headers: { ...bank.identity, version: "1", eidas: der.toString("base64") },
    },
    () => ({ status: 200, body }),
  );
}
