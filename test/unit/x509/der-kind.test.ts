import { describe, expect, test } from "vitest";
import { context, encodeDer, encodeOid, readDer, Tag } from "../../../src/x509/der.ts";
import { type DerKind, recogniseDer } from "../../../src/x509/der-kind.ts";

const S = (...parts: Uint8Array[]) => encodeDer(Tag.sequence, ...parts);
const I = encodeDer(Tag.integer, Uint8Array.of(1));
const B = encodeDer(Tag.bitString, Uint8Array.of(0, 1));
const O = encodeDer(Tag.octetString, Uint8Array.of(1));
const D = encodeOid("1.2.3");
const T = encodeDer(Tag.utcTime, Buffer.from("260101000000Z"));
const G = encodeDer(Tag.generalizedTime, Buffer.from("20260101000000Z"));
const E = encodeDer(Tag.enumerated, Uint8Array.of(0));
const X = encodeDer(context(0), I);
const OTHER = encodeDer(Tag.null);
const signed = (...toBeSigned: Uint8Array[]) => S(S(...toBeSigned), S(D), B);
const nine = new Array<Uint8Array>(9).fill(I);

describe.each<[DerKind, Uint8Array[]]>([
  ["certificate", [signed(X, I, S(), S(), S(), S(), S()), signed(I, S(), S(), S(), S(), S())]],
  ["revocation-list", [signed(I, S(), S(), T), signed(S(), S(), T, T, S()), signed(I, S(), S(), G)]],
  ["signing-request", [signed(I, S(), S(), X), signed(I, S(), S())]],
  ["public-key", [S(S(D), B), S(I, I)]],
  ["private-key", [S(...nine), S(...nine, S()), S(I, S(D), O), S(I, S(D), O, X), S(I, O), S(I, O, X, X), S(S(D), O)]],
  ["key-store", [S(I, S(D)), S(I, S(D, X), S())]],
  ["ocsp-response", [S(E, X), S(E)]],
  ["signed-data", [S(D, X)]],
  [
    "unknown",
    [
      OTHER,
      S(),
      S(I),
      S(D),
      S(D, X, I),
      S(E, X, I),
      S(E, I),
      S(I, E),
      S(I, D, X),
      S(S(I), B),
      S(S(), B),
      S(S(I), O),
      S(S(), O),
      S(I, S(I)),
      S(I, S()),
      S(I, S(D), S(), S()),
      S(I, I, S(D)),
      S(...nine.slice(1)),
      S(...nine, I),
      S(...nine, S(), S()),
      S(OTHER, ...nine),
      S(OTHER, I, S(D), O),
      S(OTHER, I, O),
      S(OTHER, S(D), I, S()),
      signed(OTHER, I, S(), S()),
      signed(OTHER, I, S(), S(), X),
      S(I, S(D), OTHER),
      S(S(I, S(), S(), S(), S()), S(D), B),
      signed(D, I, S(), S(), S(), S(), S()),
      signed(I, S(), S(), X, X),
      signed(OTHER, S(), S(), T),
      signed(I, I, S(), S(), T),
      signed(S(), T),
      signed(),
      S(OTHER, S(D), B),
      S(S(I, S(), S()), S(D), B, I),
      encodeDer(Tag.set, S(D), B),
    ],
  ],
])("%s", (kind, values) => {
  test.each(values.map((value) => [Buffer.from(value).toString("hex")]))("%s", (hex) => {
    expect(recogniseDer(readDer(Buffer.from(hex, "hex"), "test"))).toBe(kind);
  });
});

test("what is broken within is unknown", () => {
  const broken = encodeDer(Tag.sequence, Uint8Array.of(0x30, 5, 1));
  expect(recogniseDer(readDer(broken, "test"))).toBe("unknown");
  expect(recogniseDer(readDer(S(broken, S(D), B), "test"))).toBe("unknown");
});
