/** Our own writing of a signature beside the library's: Ed25519 gives one signature for one text, so they must be equal. */
import { createHash, createPrivateKey, sign } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { signAnswer, signByLibrary, signCovered } from "../../../../src/evidence/signatures/answer-signature.ts";
import type { Exchange } from "../../../../src/evidence/signatures/covered-components.ts";
import { coverExchange } from "../../../../src/evidence/signatures/covered-components.ts";
import { webPath, webQuery } from "../../../web-addresses.ts";
import { makeSigner, SIGNED_AT } from "./signed-exchange.ts";

const { signer } = makeSigner();
const privateKey = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d: signer.d, x: signer.x }, format: "jwk" });
const ascii = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme-ascii" }).map((text) => text.trim());
const latin = ascii.map((text) => `${text}\u00e9`);
const value = fc.oneof({ weight: 9, arbitrary: ascii }, { weight: 1, arbitrary: latin });

const exchange = fc
  .record({
    method: fc.constantFrom("GET", "POST", "DELETE"),
    path: webPath,
    query: webQuery.map((text) => (text === "" ? "" : `?${text}`)),
    status: fc.constantFrom(200, 201, 204, 401, 404, 503),
    sent: fc.record({ fi_reference_id: value, eidas: value, ccg_token: value, version: value }, { requiredKeys: [] }),
    given: fc.record({ "content-type": value, "x-evidence-id": ascii, other: value }, { requiredKeys: [] }),
    content: fc.uint8Array({ maxLength: 60 }),
  })
  .map(
    ({ method, path, query, status, sent, given, content }): Exchange => ({
      request: new Request(`https://gate.test/${path.replace(/^\//, "")}${query}`, { method, headers: sent }),
      ...{ status, headers: new Headers(given), content },
    }),
  );

test("is the library's, whatever is signed", () => {
  const nonce = fc.option(ascii, { nil: undefined });
  fc.assert(
    fc.property(exchange, nonce, (made, nonce) => {
      const digest = `sha-256=:${createHash("sha256").update(made.content).digest("base64")}:`;
      const signing = {
        asked: { label: "bank", components: [], nonce },
        covered: coverExchange(made, digest),
        ...{ created: SIGNED_AT / 1000, keyid: signer.kid },
        sign: (base: Uint8Array) => sign(null, base, privateKey),
      };
      expect(signCovered(signing)).toEqual(signByLibrary(made, digest, signing, []));
    }),
    { numRuns: 500 },
  );
});

test("a component that the caller asks for is covered after our own", () => {
  const request = new Request("https://gate.test/v1/x", { headers: { "Accept-Signature": 'a=("@authority";req)' } });
  const made = signAnswer(
    { request, status: 200, headers: new Headers(), content: new Uint8Array() },
    signer,
    SIGNED_AT,
  );
  expect(made["Signature-Input"]).toMatch(
    /^a=\("@status" "content-digest" "@method";req "@path";req "@query";req "@authority";req\);/,
  );
});
