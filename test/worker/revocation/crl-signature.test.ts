/** A CRL's signature is checked once for all who use it, but nobody waits for what another request has begun. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { parseCrl } from "../../../src/revocation/crl.ts";
import { findSigner } from "../../../src/revocation/crl-check.ts";
import { issueCrl } from "../../../src/sandbox/pki/crl.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { makeQtsp, PERIOD } from "../trust/made-qtsp.ts";

test("a check that ends with its request holds up no later one", async () => {
  const authority = await makeQtsp({ organisation: "Gone Ltd", commonName: "Gone CA", crlUrl: "http://crl.test/gone" });
  const { notBefore, notAfter } = PERIOD;
  const made = await issueCrl(
    { revoked: [], revokedAt: notBefore, thisUpdate: notBefore, nextUpdate: notAfter },
    authority,
  );
  const crl = parseCrl(new Uint8Array(made.rawData));
  const candidates = [parseCertificate(new Uint8Array(authority.certificate.rawData))];

  // any object: one that is reset is as good as a request that the platform ends
  const gone = env.RATE_WINDOW.get(env.RATE_WINDOW.newUniqueId());
  const begun = runInDurableObject(gone, (_, state) => {
    void findSigner(crl, candidates);
    state.abort("gone");
  });
  await expect(begun).rejects.toThrow("gone");

  // never, if it waited for the first
  expect(await findSigner(crl, candidates)).toBe(candidates[0]);
});
