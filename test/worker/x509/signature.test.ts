/** The platform's own Web Crypto, which refuses what Node's takes, must come to the same verdicts. */
import { expect, test } from "vitest";
import { verifySignature } from "../../../src/x509/signature.ts";
import { signatureVectors, toInput } from "../../unit/x509/signature-vectors.ts";

test.each(signatureVectors)("in workerd, $title: $valid", async (vector) => {
  expect((await verifySignature(toInput(vector))).ok).toBe(vector.valid);
});
