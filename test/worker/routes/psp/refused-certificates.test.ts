/** Certificates that are refused: the first sentence says what to do about it, in the check and where a PSP authenticates. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { call, codeRequest, codesOf } from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";

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
