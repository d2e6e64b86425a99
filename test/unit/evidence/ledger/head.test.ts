/** What is taken for a head of a ledger: the end of a chain, signed as such by a key that signed then, in one spelling. */
import { sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hashRecord } from "../../../../src/evidence/ledger/chain.ts";
import { type SignedEnd, signHead, verifyHead } from "../../../../src/evidence/ledger/head.ts";
import { importKey, publishKeys } from "../../../../src/evidence/signatures/signing-keys.ts";
import { toBase64Url } from "../../../../src/platform/encoding.ts";
import { makeSigner } from "../signatures/signed-exchange.ts";

const older = makeSigner();
const { signer, named } = makeSigner("20260602T000000Z", Date.parse("2026-06-02T00:00:00Z") / 1000);
const KEYS = publishKeys([older.named, named]);
const END: SignedEnd = {
  ...{ fi: "PSDXX-TEST-FI0001", seq: 7, hash: hashRecord("the last"), time: "2026-06-10T12:00:00.000Z" },
  ...{ first: 5, root: hashRecord("a tree") },
};
const HEADER = { alg: "Ed25519", kid: signer.kid, typ: "psp-gate-head+jws" };

const part = (value: unknown): string => toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
/** Signed by the service's own key, whatever it says. */
function jws(header: object, payload: unknown): string {
  const signed = `${part(header)}.${part(payload)}`;
  return `${signed}.${toBase64Url(sign(null, Buffer.from(signed), importKey(signer)))}`;
}
const reasonOf = (head: string, keys = KEYS): string => {
  const checked = verifyHead(head, keys);
  return checked.ok ? "ok" : checked.reason;
};

test("a head is what was signed, by the key that it names", () => {
  expect(verifyHead(signHead(END, signer), KEYS)).toEqual({ ok: true, head: END, kid: signer.kid });
  expect(verifyHead(jws(HEADER, END), KEYS.toReversed())).toMatchObject({ ok: true, kid: signer.kid });
  expect(reasonOf(signHead(END, signer), KEYS.slice(0, 1))).toContain("not among the given keys");
});

test.each<[string, string]>([
  ["of another algorithm", jws({ ...HEADER, alg: "EdDSA" }, END)],
  ["of none", jws({ ...HEADER, alg: "none" }, END)],
  // RFC 8725 section 3.11
  ["of another type", jws({ ...HEADER, typ: "JWT" }, END)],
  ["without a type", jws({ alg: HEADER.alg, kid: HEADER.kid }, END)],
  ["without a key", jws({ ...HEADER, kid: 1 }, END)],
  ["of two parts", jws(HEADER, END).split(".").slice(0, 2).join(".")],
  ["of four parts", `${jws(HEADER, END)}.`],
  ["that is no JSON", "e.e.e"],
])("a JWS %s is none", (_, head) => expect(reasonOf(head)).toMatch(/^is not a head: /));

describe("whoever alters it is found", () => {
  const [header = "", payload = "", signature = ""] = jws(HEADER, END).split(".");
  test.each<[string, string]>([
    ["its record", [header, part({ ...END, seq: 8 }), signature].join(".")],
    ["its key", [part({ ...HEADER, kid: older.signer.kid }), payload, signature].join(".")],
    ["its signature", [header, payload, (signature.startsWith("A") ? "B" : "A") + signature.slice(1)].join(".")],
    // 64 bytes leave four bits of the last character that stand for nothing
    ["a bit of its signature that stands for nothing", [header, payload, nextSpelling(signature)].join(".")],
    ["the signature's padding", [header, payload, `${signature}=`].join(".")],
    ["nothing of it, and leaves the signature out", [header, payload, ""].join(".")],
  ])("%s", (_, head) => expect(reasonOf(head)).toMatch(/^has a signature that is not that of the key /));
});

function nextSpelling(signature: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return signature.slice(0, -1) + alphabet[alphabet.indexOf(signature.at(-1) ?? "") + 1];
}

test.each<[string, unknown]>([
  ["institution", { ...END, fi: 1 }],
  ["record", { ...END, seq: "7" }],
  ["whole record", { ...END, seq: 7.5 }],
  ["hash", { ...END, hash: undefined }],
  ["whole hash", { ...END, hash: END.hash.slice(1) }],
  ["hash of so many digits", { ...END, hash: `0${END.hash}` }],
  ["hash in small letters", { ...END, hash: END.hash.toUpperCase() }],
  ["first record of its tree", { ...END, first: undefined }],
  ["root", { ...END, root: undefined }],
  ["whole root", { ...END, root: END.root.slice(1) }],
  ["time", { ...END, time: undefined }],
  ["time that can be read", { ...END, time: "noon" }],
  ["member", null],
])("one without a %s is none, although it is signed", (_, payload) => {
  expect(reasonOf(jws(HEADER, payload))).toBe(
    "does not name an institution, a record, its hash, a tree of records and a time",
  );
});

test("one of a time when its key did not sign is none", () => {
  expect(reasonOf(jws(HEADER, { ...END, time: "2026-06-01T12:00:00.000Z" }))).toMatch(
    /, when the key \w+ did not sign$/,
  );
});
