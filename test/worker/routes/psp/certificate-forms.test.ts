/** The forms in which proxies hand on a client certificate, as a bank puts them into the header or the body unchanged. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { call } from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";

beforeAll(loadSandbox);

const PEM = (env.TEST_CERTIFICATES["chain-valid"] ?? "").split(/(?<=-----END CERTIFICATE-----\n)/);
const [leaf = "", issuer = ""] = PEM;
const base64 = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, "");

const FORMS: Record<string, string> = {
  "base64 of the DER, one after the other (HAProxy ssl_c_der,base64; IIS, Cloudflare)": base64(leaf) + base64(issuer),
  "PEM in one line, blanks for line breaks (Apache %{SSL_CLIENT_CERT}s)": (leaf + issuer).replaceAll("\n", " "),
  "PEM, percent-encoded (nginx $ssl_client_escaped_cert, AWS ALB X-Amzn-Mtls-Clientcert)": encodeURIComponent(
    leaf + issuer,
  ),
  "x-forwarded-client-cert with Cert and Chain (Envoy)": [
    ...["By=spiffe://bank", `Hash=${"0".repeat(64)}`, `Cert="${encodeURIComponent(leaf)}"`],
    ...[`Chain="${encodeURIComponent(leaf + issuer)}"`, 'Subject="CN=psp.example,O=Oak Payments Ltd"'],
  ].join(";"),
  "byte sequences (RFC 9440 Client-Cert, Client-Cert-Chain)": `:${base64(leaf)}:, :${base64(issuer)}:`,
};

describe.each(Object.entries(FORMS))("%s", (_, text) => {
  test("in the header eidas", async () => {
    const { body } = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: text } });
    expect(body.eIDAS.validity).toEqual({ validQTSP: true, validSignature: true, notRevoked: true, notExpired: true });
  });
  test("in the body of POST /v1/obie/ccg_tokens", async () => {
    const answer = await call("POST", "/v1/obie/ccg_tokens", { body: { eIDAS: text, scope: "accounts" } });
    expect([answer.status, answer.body.psp_id]).toEqual([201, "PSDXX-TEST-000015"]);
  });
});

test("a byte sequence that is not closed is refused with its sentence", async () => {
  const answer = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: `:${base64(leaf)}` } });
  expect([answer.status, answer.body.errors[0].title]).toEqual([
    404,
    "Header eidas is unreadable: the byte sequence of RFC 9440 does not end with a colon",
  ]);
});

test.each([
  ["", "Header eidas is empty"],
  ["(null)", 'Header eidas is unreadable: "(null)", which a proxy writes when the client shows no certificate'],
])("what a proxy sends without a client certificate, %j, is told as such", async (eidas, title) => {
  const answer = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas } });
  expect([answer.status, answer.body.errors[0].title]).toEqual([404, title]);
});
