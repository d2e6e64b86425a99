/** A chain that is sent from the CA down, and a CA's certificate that is sent without the PSP's. */

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { ALL_TRUE } from "../../../all-true.ts";
import { call, codeRequest, codesOf } from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";
import { makeQtsp } from "../../trust/made-qtsp.ts";

beforeAll(loadSandbox);

const blocks = (name: string) =>
  env.TEST_CERTIFICATES[name]?.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? [];
const header = (pems: readonly string[]) => encodeURIComponent(pems.join("\n"));
const check = (pems: readonly string[]) =>
  call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: header(pems) } });

const chain = blocks("chain-valid");
const intermediate = chain.slice(1);
const SENTENCE =
  "validQTSP: the certificate is a CA's (\"Sandbox QTSP Intermediate\"), not a PSP's: send the PSP's own certificate";

test("the chain in reverse order answers as the right order does", async () => {
  expect(chain).toHaveLength(2);
  const [right, reversed] = [await check(chain), await check(chain.toReversed())];
  expect(right.body.eIDAS.data.authNumber).toBe("PSDXX-TEST-000015");
  expect([reversed.status, reversed.body]).toEqual([right.status, right.body]);
  const eidas = header(chain.toReversed());
  const code = await call("POST", "/v1/oauth2/authorization_codes", { headers: { eidas }, body: codeRequest() });
  expect(code.status).toBe(201);
});

describe("a stranger's certificate in front of a PSP's, which is public", () => {
  // in TLS, only the key of what is sent first is proven
  const send = async () => {
    const stranger = await makeQtsp({
      organisation: "Stranger",
      commonName: "Stranger",
      crlUrl: "http://stranger.invalid/crl",
    });
    return [stranger.certificate.toString("pem"), ...chain];
  };
  const sentence =
    "the certificate that was sent first is neither the PSP's nor one of its issuers': send the PSP's first";

  test("does not pass for the PSP's: not in the check, also after the honest order was seen", async () => {
    const [stranger = "", ...honest] = await send();
    const after = await check([...honest, stranger]);
    expect(after.body.eIDAS.validity.validSignature).toBe(true);
    const { body } = await check([stranger, ...honest]);
    expect(body.eIDAS.validity).toEqual({
      ...ALL_TRUE,
      validQTSP: false,
      validSignature: false,
      notRevoked: false,
    });
    expect(body.eIDAS.warning).toContain(`validSignature: ${sentence}`);
  });

  test("gives neither a code nor a CCG token", async () => {
    const sent = await send();
    const headers = { eidas: header(sent) };
    const code = await call("POST", "/v1/oauth2/authorization_codes", { headers, body: codeRequest() });
    const body = { eIDAS: sent.join("\n"), scope: "accounts" };
    for (const answer of [code, await call("POST", "/v1/obie/ccg_tokens", { body })]) {
      expect([answer.status, codesOf(answer)]).toEqual([401, ["qtsp_invalid"]]);
      expect(answer.body.errors[0].title).toContain(sentence);
    }
  });
});

describe("only a CA's certificate", () => {
  test("is no PSP's: validQTSP is false, and says to send the PSP's own", async () => {
    const { status, body } = await check(intermediate);
    expect([status, body.eIDAS.validity.validQTSP]).toEqual([200, false]);
    expect(body.eIDAS.warning[0]).toBe(SENTENCE);
  });

  test("authenticates nobody: 401 with that sentence", async () => {
    const headers = { eidas: header(intermediate) };
    const code = await call("POST", "/v1/oauth2/authorization_codes", { headers, body: codeRequest() });
    const body = { eIDAS: intermediate.join("\n"), scope: "accounts" };
    for (const answer of [code, await call("POST", "/v1/obie/ccg_tokens", { body })]) {
      expect([answer.status, codesOf(answer)]).toEqual([401, ["qtsp_invalid"]]);
      expect(answer.body.errors[0].title).toBe(SENTENCE);
    }
  });
});
