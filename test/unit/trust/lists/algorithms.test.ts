import { describe, expect, test } from "vitest";
import { ListRefused } from "../../../../src/trust/lists/elements.ts";
import { canonicalisation, digestAlgorithm, signatureAlgorithm } from "../../../../src/trust/lists/signer.ts";

describe("an algorithm that is not allowed is named", () => {
  const longest = `urn:${"x".repeat(96)}`;

  // no name reaches a table's prototype, and an address of any length stays short in the log
  test.each<[uri: string, named: string]>([
    ["", "none"],
    ["constructor", "constructor"],
    [longest, longest],
    [`${longest}y`, longest],
  ])("%s", (uri, named) => {
    expect(() => digestAlgorithm(uri)).toThrow(new ListRefused("algorithm", `digest not allowed: ${named}`));
    expect(() => signatureAlgorithm(uri)).toThrow(new ListRefused("algorithm", `signature not allowed: ${named}`));
    expect(() => canonicalisation(uri)).toThrow(new ListRefused("algorithm", `canonicalisation not allowed: ${named}`));
  });
});

test("a signature's name is the fragment of its URI", () => {
  expect(signatureAlgorithm("http://www.w3.org/2001/04/xmldsig-more#rsa-sha512")).toEqual({
    name: "rsa-sha512",
    family: "RSASSA-PKCS1-v1_5",
    hash: "SHA-512",
  });
});
