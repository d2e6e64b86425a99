/** An answer as the service signs it, and how curl would have saved it. */
import { generateKeyPairSync } from "node:crypto";
import { signAnswer } from "../../../../src/evidence/signatures/answer-signature.ts";
import { type PublicSigningKey, publishKeys } from "../../../../src/evidence/signatures/signing-keys.ts";

export const SIGNED_AT = Date.parse("2026-06-10T12:00:00Z");
const MADE_AT = Date.parse("2026-06-01T00:00:00Z") / 1000;

export function makeSigner(kid = "20260601T000000Z", madeAt = MADE_AT) {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { d = "", x = "" } = privateKey.export({ format: "jwk" });
  return { signer: { kid, d, x }, named: { kid, x, madeAt }, publicKey };
}

export const REQUEST = {
  method: "GET",
  url: "https://gate.bank.example/v1/psp/eidas?jurisdiction=FI",
  headers: { fi_reference_id: "PSDFI-FINFSA-0001", eidas: "MIIEcert", version: "latest" },
};
export const BODY = '{"eIDAS":{"validity":{"notRevoked":true}},"note":"Ålands bank"}';

export interface Made {
  readonly head: string;
  readonly answer: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: PublicSigningKey[];
  readonly publicKey: ReturnType<typeof makeSigner>["publicKey"];
}

export async function makeExchange(accept = 'bank=("@status")', extra: Record<string, string> = {}): Promise<Made> {
  const { signer, named, publicKey } = makeSigner();
  const sent = { ...REQUEST.headers, ...extra, "Accept-Signature": accept };
  const given = { "content-type": "application/json", "x-evidence-id": "0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ" };
  const signed = signAnswer(
    {
      request: new Request(REQUEST.url, { headers: sent }),
      status: 200,
      headers: new Headers(given),
      content: new TextEncoder().encode(BODY),
    },
    signer,
    SIGNED_AT,
  );
  const headers: Record<string, string> = { ...given, ...signed };
  const lines = (fields: Record<string, string>) => Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  const head = ["GET /v1/psp/eidas?jurisdiction=FI HTTP/1.1", "Host: gate.bank.example", ...lines(sent), "", ""].join(
    "\r\n",
  );
  const answer = ["HTTP/2 200 ", ...lines(headers), "", BODY].join("\r\n");
  return { head, answer, headers, keys: publishKeys([named]), publicKey };
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
