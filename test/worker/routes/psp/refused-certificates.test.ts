/** Certificates that are refused: the first sentence says what to do about it, in the check and where a PSP authenticates. */

import { env } from "cloudflare:workers";
import type { X509Certificate } from "@peculiar/x509";
import { beforeAll, describe, expect, test } from "vitest";
import { ALL_TRUE } from "../../../all-true.ts";
import { call, codeRequest, codesOf } from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp } from "../../trust/made-qtsp.ts";

beforeAll(loadSandbox);

const MISSING =
  "its issuer, \"Sandbox QTSP Intermediate\", is neither on a trusted list nor among the certificates sent; an intermediate CA's certificate can be sent after the PSP's";

const first = (name: string) =>
  /-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/.exec(env.TEST_CERTIFICATES[name] ?? "")?.[0];

test.each<[mistake: string, certificate: string, verdict: string, code: string, sentence: string]>([
  [
    "an expired certificate: that it expired, and when",
    "scenario-4",
    "notExpired",
    "certificate_expired",
    "notExpired: the certificate expired on 2022-01-01T00:00:00Z",
  ],
  [
    "a leaf without its intermediate: which issuer is missing, and where it can be sent",
    "chain-valid",
    "validQTSP",
    "qtsp_invalid",
    `validQTSP: no trusted issuer of the certificate is known: ${MISSING}`,
  ],
])("%s", async (_, certificate, verdict, code, sentence) => {
  const pem = first(certificate) ?? "";
  const eidas = encodeURIComponent(pem);
  const check = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas } });
  expect(check.body.eIDAS.validity[verdict]).toBe(false);
  expect(check.body.eIDAS.warning).toContain(sentence);
  const flows = [
    call("POST", "/v1/oauth2/authorization_codes", { headers: { eidas }, body: codeRequest() }),
    call("POST", "/v1/obie/ccg_tokens", { body: { eIDAS: pem, scope: "accounts" } }),
  ];
  for (const answer of await Promise.all(flows)) {
    expect([answer.status, codesOf(answer)]).toEqual([401, [code]]);
    expect(answer.body.errors[0].title).toBe(sentence);
  }
});

test("a certificate for each verdict is refused with the sentence of its own code", async () => {
  for (const [certificate, code, verdict] of [
    ["scenario-5", "certificate_revoked", "notRevoked"],
    ["scenario-6", "qtsp_invalid", "validQTSP"],
    ["chain-expired-issuer", "signature_invalid", "validSignature"],
  ] as const) {
    const eidas = encodeURIComponent(env.TEST_CERTIFICATES[certificate] ?? "");
    const answer = await call("POST", "/v1/oauth2/authorization_codes", { headers: { eidas }, body: codeRequest() });
    expect([answer.status, codesOf(answer)]).toEqual([401, [code]]);
    expect(answer.body.errors[0].title).toMatch(new RegExp(`^${verdict}: `));
  }
});

describe("a PSP of a real country under a sandbox's QTSP: its issuer is listed, and may not vouch for it", () => {
  const FINNISH = { organisation: "A PSP", commonName: "psp.example", country: "FI", ncaId: "FI-FINFSA" };
  const ALONE = "a sandbox's list may vouch for PSPs of user-assigned countries such as XX and XY only";

  test.each([
    ["alone", (chain: X509Certificate[]) => chain.slice(0, 1)],
    ["with its issuer", (chain: X509Certificate[]) => chain],
  ])("sent %s", async (sent, choose) => {
    const names = { organisation: "Sandbox of one's own", commonName: `Sandbox CA ${sent}` };
    const qtsp = await makeQtsp({ ...names, crlUrl: "http://sandbox.invalid/crl/none.crl" });
    await listQtsp(qtsp, "sandbox-0011aabb");
    const psp = await issuePsp(qtsp, { ...FINNISH, authNumber: "PSDFI-FINFSA-12345678" });
    const check = await call("GET", "/v1/psp/eidas?jurisdiction=fi", {
      headers: { eidas: eidasOf(...choose([psp, qtsp.certificate])) },
    });
    const { validity, warning } = check.body.eIDAS;
    expect(validity).toEqual({ ...ALL_TRUE, validQTSP: false, validSignature: false, notRevoked: false });
    const why = `the certificate cannot be relied on: its QTSP, "Sandbox CA ${sent}", is on the trusted list sandbox-0011aabb; ${ALONE}, and its PSP is of FI`;
    expect(warning.slice(0, 2)).toEqual([`validQTSP: ${why}`, `validSignature: ${why}`]);
    expect(warning.join()).not.toMatch(/neither on a trusted list|not on a trusted list/);
  });

  test("without an authorisation number; and through an issuer that is not listed itself", async () => {
    const crlUrl = "http://sandbox.invalid/crl/none.crl";
    const root = await makeQtsp({ organisation: "Sandbox", commonName: "Sandbox Root", crlUrl, pathLength: 1 });
    await listQtsp(root, "sandbox");
    const below = await makeQtsp({ organisation: "Sandbox", commonName: "Sandbox Issuing CA", crlUrl }, root);
    const psp = await issuePsp(below, { ...FINNISH, authNumber: "FI-12345678" });
    const check = await call("GET", "/v1/psp/eidas?jurisdiction=fi", {
      headers: { eidas: eidasOf(psp, below.certificate) },
    });
    expect(check.body.eIDAS.warning).toContain(
      `validQTSP: the certificate cannot be relied on: its QTSP, "Sandbox Root", is on the trusted list sandbox; ${ALONE}, and its authorisation number names no country`,
    );
  });

  test("one that a sandbox's QTSP did not issue is told what it was told before", async () => {
    const names = { organisation: "Sandbox of one's own", commonName: "Sandbox CA of that name" };
    const crlUrl = "http://sandbox.invalid/crl/none.crl";
    await listQtsp(await makeQtsp({ ...names, crlUrl }), "sandbox-22");
    const psp = await issuePsp(await makeQtsp({ ...names, crlUrl }), { ...FINNISH, authNumber: "PSDFI-FINFSA-1" });
    const check = await call("GET", "/v1/psp/eidas?jurisdiction=fi", { headers: { eidas: eidasOf(psp) } });
    expect(check.body.eIDAS.validity.validQTSP).toBe(false);
    expect(check.body.eIDAS.warning.join()).not.toContain("sandbox's list");
  });
});
