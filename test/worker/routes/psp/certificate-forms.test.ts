/**
 * The forms in which proxies hand on a client certificate, as a bank puts them into the header or the body unchanged; and
 * what is joined where a proxy adds to a header that the client has sent itself.
 */

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { ALL_TRUE } from "../../../all-true.ts";
import { call } from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";
import { makeQtsp } from "../../trust/made-qtsp.ts";

beforeAll(loadSandbox);

const PEM = (env.TEST_CERTIFICATES["chain-valid"] ?? "").split(/(?<=-----END CERTIFICATE-----\n)/);
const [leaf = "", issuer = ""] = PEM;
/** That a client can make for itself, as `openssl req -x509` does. */
const CA_OF_A_STRANGER = (
  await makeQtsp({ organisation: "Stranger", commonName: "Stranger", crlUrl: "http://stranger.invalid/crl" })
).certificate.toString("pem");
const base64 = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, "");

const text = (pem: string) => pem.replaceAll("\n", " ");
const url = encodeURIComponent;

/** What each forwards of a chain of two: captured from it where a version is named, else as its documentation says. */
const FORMS: Record<string, string> = {
  "HAProxy 2.6.12 %[ssl_c_der,base64]%[ssl_c_chain_der,base64]": base64(leaf) + base64(issuer),
  "HAProxy 2.6.12 :%[ssl_c_der,base64]:,:%[ssl_c_chain_der,base64]:": `:${base64(leaf)}:,:${base64(issuer)}:`,
  "Apache 2.4.71 %{SSL_CLIENT_CERT}s %{SSL_CLIENT_CERT_CHAIN_0}s %{SSL_CLIENT_CERT_CHAIN_1}s": `${text(leaf)} ${text(issuer)} (null)`,
  "Apache 2.4.71 %{SSL_CLIENT_CERT}s%{SSL_CLIENT_CERT_CHAIN_0}s": text(leaf) + text(issuer),
  "AWS ALB X-Amzn-Mtls-Clientcert, +=/ unescaped": url(leaf + issuer).replaceAll(/%2B|%3D|%2F/g, decodeURIComponent),
  "Envoy x-forwarded-client-cert with Cert and Chain": [
    ...["By=spiffe://bank", `Hash=${"0".repeat(64)}`, `Cert="${url(leaf)}"`],
    ...[`Chain="${url(leaf + issuer)}"`, 'Subject="CN=psp.example,O=Oak Payments Ltd"'],
  ].join(";"),
  "Istio's two Envoys in a row": `Hash=00;Cert="${url(leaf)}";Chain="${url(leaf + issuer)}";Subject="O=Oak",By=spiffe://bank;Hash=01;Subject=""`,
  "Traefik 3 X-Forwarded-Tls-Client-Cert": `${base64(leaf)},${base64(issuer)}`,
  "Traefik 2 X-Forwarded-Tls-Client-Cert": url(`${base64(leaf)},${base64(issuer)}`),
  "RFC 9440 Client-Cert and Client-Cert-Chain": `:${base64(leaf)}:, :${base64(issuer)}:`,
};

/** The same of proxies that forward the PSP's own certificate only. */
const ALONE: Record<string, (pem: string) => string> = {
  "nginx 1.22.1 $ssl_client_escaped_cert": (pem) => url(pem),
  "nginx 1.22.1 $ssl_client_cert, lines joined as RFC 9112 has it": (pem) => pem.trim().replaceAll("\n", " \t"),
  "HAProxy 2.6.12 %[ssl_c_der,base64]": base64,
  "HAProxy 2.6.12 :%[ssl_c_der,base64]:": (pem) => `:${base64(pem)}:`,
  "Apache 2.4.71 %{SSL_CLIENT_CERT}s": text,
  "Apache 2.4.71 expr=%{base64:%{SSL_CLIENT_CERT}}": (pem) => btoa(pem),
  "Caddy 2.6.2 {tls_client_certificate_der_base64}": base64,
  "Cloudflare Cf-Client-Cert-Der-Base64": base64,
  "F5 [X509::whole [SSL::cert 0]] without line breaks": (pem) => pem.replaceAll("\n", ""),
};

describe.each(Object.entries(ALONE))("%s", (_, write) => {
  test.each([
    ["RSA", "scenario-1", "PSDXX-TEST-000001"],
    ["P-256", "scenario-10", "PSDXX-TEST-000010"],
  ])("with a key of %s", async (_, name, authNumber) => {
    const eidas = write(env.TEST_CERTIFICATES[name] ?? "");
    const { body } = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas } });
    expect([body.eIDAS.data.authNumber, body.eIDAS.validity]).toEqual([authNumber, ALL_TRUE]);
  });
});

describe.each(Object.entries(FORMS))("%s", (_, given) => {
  test("in the header eidas", async () => {
    const { body } = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: given } });
    expect(body.eIDAS.validity).toEqual(ALL_TRUE);
  });
  test("in the body of POST /v1/obie/ccg_tokens", async () => {
    const answer = await call("POST", "/v1/obie/ccg_tokens", { body: { eIDAS: given, scope: "accounts" } });
    expect([answer.status, answer.body.psp_id]).toEqual([201, "PSDXX-TEST-000015"]);
  });
});

describe("a PSP's chain in the client's own header, to which the proxy adds what the client proved", () => {
  const [stranger, sister] = [env.TEST_CERTIFICATES["scenario-1"] ?? "", CA_OF_A_STRANGER];
  const own: [string, string][] = [
    ["PEM", url(leaf + issuer)],
    ["PEM and text", `${url(leaf + issuer)}x=y`],
    ["base64", base64(leaf) + base64(issuer)],
    ["byte sequences", `:${base64(leaf)}:, :${base64(issuer)}:`],
  ];
  const added: [string, string][] = [
    ["HAProxy: nothing", ""],
    ["HAProxy: an empty byte sequence", "::"],
    ["Apache: (null)", "(null)"],
    ["Caddy: a placeholder", "{http.request.tls.client.certificate_der_base64}"],
    ...[stranger, sister].flatMap((pem): [string, string][] => [
      ["nginx: escaped PEM", url(pem)],
      ["Apache: PEM", text(pem)],
      ["Apache: PEM in base64", btoa(pem)],
      ["HAProxy: base64", base64(pem)],
      ["HAProxy: a byte sequence", `:${base64(pem)}:`],
    ]),
  ];
  test.each(own.flatMap(([form, sent]) => added.map(([by, end]) => [form, by, `${sent}, ${end}`] as const)))(
    "%s, %s: authenticates nobody",
    async (_form, _by, eidas) => {
      const answer = await call("POST", "/v1/obie/ccg_tokens", { body: { eIDAS: eidas, scope: "accounts" } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      const { status, body } = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas } });
      expect(status === 404 || body.eIDAS.validity.validSignature === false).toBe(true);
    },
  );
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
