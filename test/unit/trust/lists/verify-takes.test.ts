/** Honest lists are taken, in every algorithm and form of the profile. */
import { beforeAll, describe, expect, test } from "vitest";
import {
  bytesOf,
  ENVELOPED,
  INCLUSIVE,
  type KeyAlgorithm,
  listContent,
  MORE,
  makeSigner,
  PKCS1,
  rsaKey,
  type Signer,
  type SigningOptions,
  type SigningParameters,
  signList,
} from "../../../../fixtures/makers/signed-list.ts";
import { verifyList } from "../../../../src/trust/lists/verify.ts";
import { children, encodeDer, encodeOid, readDer, Tag } from "../../../../src/x509/der.ts";
import { verdict } from "./verdict.ts";

let signer: Signer;
const content = listContent();

beforeAll(async () => {
  signer = await makeSigner();
});

const MORE_2007 = "http://www.w3.org/2007/05/xmldsig-more#";
const PSS = "RSA-PSS";
const ec = (namedCurve: string) => ({ name: "ECDSA", namedCurve });

/** The certificate with the same key, but for RSASSA-PSS only (RFC 4055 section 1.2). Its own signature is not asked. */
function forPssOnly(der: Uint8Array): Uint8Array {
  const partsOf = (value: Uint8Array) => children(readDer(value, ""), "").map(({ raw }) => raw);
  const [tbs = der, ...rest] = partsOf(der);
  const fields = partsOf(tbs);
  // after version, serial number, signature, issuer, validity and subject
  const [, bits = der] = partsOf(fields[6] ?? der);
  const only = encodeDer(Tag.sequence, encodeDer(Tag.sequence, encodeOid("1.2.840.113549.1.1.10")), bits);
  return encodeDer(Tag.sequence, encodeDer(Tag.sequence, ...fields.with(6, only)), ...rest);
}

describe("an honest list is taken when it is signed", () => {
  test.each<[what: string, key: KeyAlgorithm, signatureMethod: string, parameters: SigningParameters]>([
    ["ecdsa-sha256 with P-256", ec("P-256"), `${MORE}ecdsa-sha256`, { name: "ECDSA", hash: "SHA-256" }],
    ["ecdsa-sha512 with P-256", ec("P-256"), `${MORE}ecdsa-sha512`, { name: "ECDSA", hash: "SHA-512" }],
    ["ecdsa-sha384 with P-384", ec("P-384"), `${MORE}ecdsa-sha384`, { name: "ECDSA", hash: "SHA-384" }],
    ["ecdsa-sha512 with P-521", ec("P-521"), `${MORE}ecdsa-sha512`, { name: "ECDSA", hash: "SHA-512" }],
    ["rsa-sha256", rsaKey(PKCS1, "SHA-256"), `${MORE}rsa-sha256`, { name: PKCS1 }],
    ["rsa-sha384", rsaKey(PKCS1, "SHA-384"), `${MORE}rsa-sha384`, { name: PKCS1 }],
    ["rsa-sha512", rsaKey(PKCS1, "SHA-512"), `${MORE}rsa-sha512`, { name: PKCS1 }],
    ["sha256-rsa-MGF1", rsaKey(PSS, "SHA-256"), `${MORE_2007}sha256-rsa-MGF1`, { name: PSS, saltLength: 32 }],
    ["sha384-rsa-MGF1", rsaKey(PSS, "SHA-384"), `${MORE_2007}sha384-rsa-MGF1`, { name: PSS, saltLength: 48 }],
    ["sha512-rsa-MGF1", rsaKey(PSS, "SHA-512"), `${MORE_2007}sha512-rsa-MGF1`, { name: PSS, saltLength: 64 }],
  ])("by %s", async (_what, key, signatureMethod, parameters) => {
    const one = await makeSigner(key);
    expect(await verdict(await signList(content, one, { signatureMethod, parameters }), one)).toBe("taken");
  });

  test.each(["256", "512"])(
    "by sha%s-rsa-MGF1 with a key for RSASSA-PSS only, as Germany's signers have",
    async (bits) => {
      const { der, privateKey } = await makeSigner(rsaKey(PSS, `SHA-${bits}`));
      const german = { der: forPssOnly(der), privateKey };
      const sign = (signatureMethod: string, saltLength: number) =>
        signList(content, german, { signatureMethod, parameters: { name: PSS, saltLength } });
      expect(await verdict(await sign(`${MORE_2007}sha${bits}-rsa-MGF1`, Number(bits) / 8), german)).toBe("taken");
      // RFC 9231 section 2.3.10
      expect(await verdict(await sign(`${MORE_2007}sha${bits}-rsa-MGF1`, 20), german)).toBe("signature value");
      expect(await verdict(await sign(`${MORE}rsa-sha${bits}`, Number(bits) / 8), german)).toBe("signer not valid");
    },
  );

  test.each<[what: string, options: SigningOptions]>([
    ["in exclusive canonical form", {}],
    ["in inclusive canonical form", { canonicalisation: INCLUSIVE }],
    ["with the enveloped transform alone, in inclusive form", { canonicalisation: INCLUSIVE, transforms: [ENVELOPED] }],
    ["with SHA-512 digests", { digestMethod: "http://www.w3.org/2001/04/xmlenc#sha512" }],
    ["with SHA-384 digests", { digestMethod: "http://www.w3.org/2001/04/xmldsig-more#sha384" }],
    ["by the root's own Id", { uri: "#list" }],
    ["with the older SigningCertificate", { certificateElement: "SigningCertificate" }],
    ["in the first second of the certificate", { signingTime: "2026-01-01T00:00:00Z" }],
    ["in the last second of the certificate", { signingTime: "2026-12-31T23:59:59Z" }],
    ["with a KeyInfo that says nothing true", { keyInfo: "<ds:KeyInfo><ds:KeyName>x</ds:KeyName></ds:KeyInfo>" }],
  ])("%s", async (_what, options) => {
    expect(await verdict(await signList(content, signer, options), signer)).toBe("taken");
  });

  test("and spelled otherwise than its canonical form", async () => {
    const list = (await signList(content, signer))
      .replace('Id="list" TSLTag=', "TSLTag =")
      .replace('TSLTag"', `TSLTag"\n  Id='list'`)
      .replace("<SchemeInformation>", "<SchemeInformation ><!-- a comment -->")
      .replace("<SchemeTerritory>CZ<", "<SchemeTerritory><![CDATA[C]]>&#90;<");
    expect(await verdict(`\ufeff<?xml version="1.0" encoding="utf-8" standalone="no"?>\r\n${list}\n`, signer)).toBe(
      "taken",
    );
  });
});

test("what is handed on is the signed text: comments are gone, and the signature with them", async () => {
  const list = (await signList(content, signer)).replace(">7<", "><!-- 9 -->7<!-- 9 --><");
  const { root } = await verifyList(bytesOf(list), () => [signer.der]);
  expect(root.toString()).toBe(content.replaceAll(/<(\w+)><\/\1>/g, "<$1/>"));
});
