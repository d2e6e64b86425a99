import { expect, test } from "vitest";
import { PINNED_SIGNERS } from "../../../../src/trust/lists/pinned-signers.ts";
import { parseCertificate } from "../../../../src/x509/certificate.ts";

test("the pinned signers are different certificates", () => {
  const fingerprints = PINNED_SIGNERS.map((der) => parseCertificate(der).fingerprint);
  expect(fingerprints.length).toBeGreaterThan(1);
  expect(new Set(fingerprints).size).toBe(fingerprints.length);
});
