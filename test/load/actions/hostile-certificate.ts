/**
 * A certificate that the service has never seen and never will again, on which one bit was changed after it was signed:
 * no cache helps, and nothing may believe it.
 */

import { Part } from "../answer-difference.ts";
import type { Bank } from "../bank.ts";
import type { Call } from "../connection.ts";
import { HOME, type PlannedCertificate } from "../world/plan.ts";
import { drawEntitled, eidasOf } from "./psps.ts";

/** Of the signature at the certificate's end, by RSA with 2048 bits. */
const SIGNATURE_BYTES = 256;
/** The first byte is left alone: a signature above the modulus would be refused in other words. */
const CHANGED_BYTES = SIGNATURE_BYTES - 1;

const FAULT = "the signature on the certificate does not verify: it was not made with this key over these bytes";

function forge(bank: Bank, psp: PlannedCertificate): Buffer {
  const der = Buffer.from(eidasOf(bank, psp), "base64");
  const place = der.length - 1 - Math.floor(bank.random() * CHANGED_BYTES);
  der[place] = (der[place] ?? 0) ^ (1 << Math.floor(bank.random() * 8));
  return der;
}

export async function checkForgedCertificate(bank: Bank): Promise<void> {
  const psp = drawEntitled(bank, "accounts");
  const der = forge(bank, psp);
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
  await bank.ask(checkOf(bank, der), () => ({ status: 200, body }));
}

/** 8 KB that nobody has sent before: the same with certificates of others behind it, or what is no certificate. */
export async function sendLargeHeader(bank: Bank): Promise<void> {
  const forged = forge(bank, drawEntitled(bank, "accounts"));
  if (bank.random() < 0.5) {
    const noDer = Buffer.concat([Buffer.alloc(3, 0xff), ...Array<Buffer>(5).fill(forged)]);
    await bank.ask(checkOf(bank, noDer), () => ({ status: 404, headers: NOT_STORED, body: new Part({}) }));
    return;
  }
  const chain = [forged];
  while (Buffer.concat(chain).length < LARGE_BYTES)
    chain.push(Buffer.from(eidasOf(bank, drawEntitled(bank, "accounts")), "base64"));
  const body = new Part({ eIDAS: new Part({ validity: new Part({ validSignature: false }) }) });
  await bank.ask(checkOf(bank, Buffer.concat(chain)), () => ({ status: 200, body }));
}

const LARGE_BYTES = 6_000;
const NOT_STORED = { "cache-control": "no-store" };

const checkOf = (bank: Bank, certificates: Buffer): Call => ({
  method: "GET",
  path: `/v1/psp/eidas?jurisdiction=${HOME}`,
  headers: { ...bank.identity, version: "1", eidas: certificates.toString("base64") },
});
