import { expect, test } from "vitest";
import { octets, sequence } from "../../../fixtures/makers/made-pki.ts";
import { encodeDer, encodeOid, readDer, Tag } from "../../../src/x509/der.ts";
import { readName, writeName } from "../../../src/x509/name.ts";

const utf8 = (text: string) => encodeDer(Tag.utf8String, Buffer.from(text));
const attribute = (oid: string, value: Uint8Array) => sequence(encodeOid(oid), value);
const text = (...rdns: Uint8Array[][]) =>
  writeName(readName(readDer(sequence(...rdns.map((rdn) => encodeDer(Tag.set, ...rdn))), "name"), "name"));
const [CN, O, C, ORGANISATION_ID] = ["2.5.4.3", "2.5.4.10", "2.5.4.6", "2.5.4.97"];

test("the most specific attribute comes first, and several of one RDN are joined by a plus", () => {
  const name = text(
    [attribute(C, utf8("XX"))],
    [attribute(O, utf8("Some PSP"))],
    [attribute(CN, utf8("psp.example")), attribute(ORGANISATION_ID, utf8("PSDXX-TEST-000001"))],
  );
  expect(name).toBe("CN=psp.example+organizationIdentifier=PSDXX-TEST-000001,O=Some PSP,C=XX");
});

test.each([
  ['Sue, Grabbit "and" Runn', 'Sue\\, Grabbit \\"and\\" Runn'],
  ["a+b;c<d>e\\f", "a\\+b\\;c\\<d\\>e\\\\f"],
  ["#hash and blank ", "\\#hash and blank\\ "],
  [" ", "\\ "],
  ["nul\u0000 and \u202eturned", "nul\\00 and \\e2\\80\\aeturned"],
  ["Lučić Straße", "Lučić Straße"],
])("%j is written as %j", (value, written) => {
  expect(text([attribute(CN, utf8(value))])).toBe(`CN=${written}`);
});

test("a type without a short name, and a value that is no string, are written by their encoding", () => {
  expect(text([attribute("1.2.3.4", utf8("ab"))])).toBe("1.2.3.4=#0c026162");
  expect(text([attribute(CN, octets(Uint8Array.of(1, 2)))])).toBe("CN=#04020102");
});

test("a name without attributes is the empty text", () => {
  expect(text()).toBe("");
});
