/** Our own writing of a signature beside the library's: Ed25519 gives one signature for one text, so they must be equal. */
import { createHash, createPrivateKey, sign } from "node:crypto";
import fc from "fast-check";
import { createSignatureSync } from "http-message-sig";
import { expect, test } from "vitest";
import { signAnswer } from "../../../../src/evidence/signatures/answer-signature.ts";
import type { Exchange } from "../../../../src/evidence/signatures/covered-components.ts";
import { coverExchange, isSignable, SIGNATURE_TAG } from "../../../../src/evidence/signatures/covered-components.ts";
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

/** By the library, of the components that are always covered. */
function signByLibrary(made: Exchange, nonce: string | undefined) {
  const digest = `sha-256=:${createHash("sha256").update(made.content).digest("base64")}:`;
  const read = (fields: Headers) =>
    [...fields].map(([name, value]) => ({ name, value })).filter(({ value }) => isSignable(value));
  const { method, url, headers } = made.request;
  const signed = createSignatureSync(
    {
      ...{ kind: "response", status: made.status },
      fields: [...read(made.headers), { name: "content-digest", value: digest }],
      request: { kind: "request", method, targetUri: url, fields: read(headers) },
    },
    {
      label: "bank",
      components: coverExchange(made, digest).map(({ name, ofTheRequest }) =>
        ofTheRequest ? { name, parameters: { req: true } } : name,
      ),
      parameters: {
        ...{ created: SIGNED_AT / 1000, keyid: signer.kid, tag: SIGNATURE_TAG },
        ...(nonce !== undefined && { nonce }),
      },
      signer: { algorithm: "ed25519", sign: (base) => sign(null, base, privateKey) },
    },
  );
  return { "Content-Digest": digest, "Signature-Input": signed.signatureInput, Signature: signed.signature };
}

test("is the library's, whatever is signed", () => {
  const nonce = fc.option(ascii, { nil: undefined });
  fc.assert(
    fc.property(exchange, nonce, (made, nonce) => {
      const asked = nonce === undefined ? "" : `;nonce="${nonce.replaceAll(/["\\]/g, "\\$&")}"`;
      made.request.headers.set("Accept-Signature", `bank=()${asked}`);
      expect(signAnswer(made, signer, SIGNED_AT)).toEqual(signByLibrary(made, nonce));
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
