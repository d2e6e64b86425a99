/** Honest lists are taken, each broken rule refuses by its own name. */
import { beforeAll, describe, expect, test } from "vitest";
import { answerRefusals } from "../../../src/trusted-lists/refusal.ts";
import { verifyList } from "../../../src/trusted-lists/verify.ts";
import {
  bytesOf,
  DS,
  ENVELOPED,
  EXCLUSIVE,
  envelop,
  INCLUSIVE,
  type KeyAlgorithm,
  listContent,
  makeSigner,
  SHA256,
  type Signer,
  type SigningOptions,
  type SigningParameters,
  signatureOf,
  signList,
  XADES,
} from "./signed-list.ts";

let signer: Signer;
let attacker: Signer;
const content = listContent();

beforeAll(async () => {
  signer = await makeSigner();
  attacker = await makeSigner();
});

async function verdict(text: string, permitted: readonly Signer[] = [signer]): Promise<string> {
  const answer = await answerRefusals(async () => ({
    ok: true as const,
    list: await verifyList(bytesOf(text), () => permitted.map((one) => one.der)),
  }));
  return answer.ok ? "taken" : answer.reason;
}

const MORE = "http://www.w3.org/2001/04/xmldsig-more#";
const MORE_2007 = "http://www.w3.org/2007/05/xmldsig-more#";
const PKCS1 = "RSASSA-PKCS1-v1_5";
const PSS = "RSA-PSS";
const rsa = (name: string, hash: string, modulusLength = 2048) => ({
  name,
  hash,
  modulusLength,
  publicExponent: Uint8Array.of(1, 0, 1),
});
const ec = (namedCurve: string) => ({ name: "ECDSA", namedCurve });

describe("an honest list is taken when it is signed", () => {
  test.each<[what: string, key: KeyAlgorithm, signatureMethod: string, parameters: SigningParameters]>([
    ["ecdsa-sha256 with P-256", ec("P-256"), `${MORE}ecdsa-sha256`, { name: "ECDSA", hash: "SHA-256" }],
    ["ecdsa-sha512 with P-256", ec("P-256"), `${MORE}ecdsa-sha512`, { name: "ECDSA", hash: "SHA-512" }],
    ["ecdsa-sha384 with P-384", ec("P-384"), `${MORE}ecdsa-sha384`, { name: "ECDSA", hash: "SHA-384" }],
    ["ecdsa-sha512 with P-521", ec("P-521"), `${MORE}ecdsa-sha512`, { name: "ECDSA", hash: "SHA-512" }],
    ["rsa-sha256", rsa(PKCS1, "SHA-256"), `${MORE}rsa-sha256`, { name: PKCS1 }],
    ["rsa-sha384", rsa(PKCS1, "SHA-384"), `${MORE}rsa-sha384`, { name: PKCS1 }],
    ["rsa-sha512", rsa(PKCS1, "SHA-512"), `${MORE}rsa-sha512`, { name: PKCS1 }],
    ["sha256-rsa-MGF1", rsa(PSS, "SHA-256"), `${MORE_2007}sha256-rsa-MGF1`, { name: PSS, saltLength: 32 }],
    ["sha384-rsa-MGF1", rsa(PSS, "SHA-384"), `${MORE_2007}sha384-rsa-MGF1`, { name: PSS, saltLength: 48 }],
    ["sha512-rsa-MGF1", rsa(PSS, "SHA-512"), `${MORE_2007}sha512-rsa-MGF1`, { name: PSS, saltLength: 64 }],
  ])("by %s", async (_what, key, signatureMethod, parameters) => {
    const one = await makeSigner(key);
    expect(await verdict(await signList(content, one, { signatureMethod, parameters }), [one])).toBe("taken");
  });

  test.each<[what: string, options: SigningOptions]>([
    ["in exclusive canonical form", {}],
    ["in inclusive canonical form", { canonicalisation: INCLUSIVE }],
    ["with the enveloped transform alone, in inclusive form", { canonicalisation: INCLUSIVE, transforms: [ENVELOPED] }],
    ["with SHA-512 digests", { digestMethod: "http://www.w3.org/2001/04/xmlenc#sha512" }],
    ["with SHA-384 digests", { digestMethod: "http://www.w3.org/2001/04/xmldsig-more#sha384" }],
    ["by the root's own Id", { uri: "#list" }],
    ["with the older SigningCertificate", { certificateElement: "SigningCertificate" }],
    ["with a KeyInfo that says nothing true", { keyInfo: "<ds:KeyInfo><ds:KeyName>x</ds:KeyName></ds:KeyInfo>" }],
  ])("%s", async (_what, options) => {
    expect(await verdict(await signList(content, signer, options))).toBe("taken");
  });

  test("and spelled otherwise than its canonical form", async () => {
    const list = (await signList(content, signer))
      .replace('Id="list" TSLTag=', "TSLTag =")
      .replace('TSLTag"', `TSLTag"\n  Id='list'`)
      .replace("<SchemeInformation>", "<SchemeInformation ><!-- a comment -->")
      .replace("<SchemeTerritory>CZ<", "<SchemeTerritory><![CDATA[C]]>&#90;<");
    expect(await verdict(`\ufeff<?xml version="1.0" encoding="utf-8" standalone="no"?>\r\n${list}\n`)).toBe("taken");
  });
});

const TRANSFORM = `<ds:Transform Algorithm="${ENVELOPED}"></ds:Transform>`;

describe("a list is refused", () => {
  const forged = listContent({ sequenceNumber: 999 });
  const honest = (options: SigningOptions = {}) => signList(content, signer, options);
  const inside = (list: string, text: string) => envelop(list, text);

  // each row breaks one rule, with everything else honest
  test.each<[what: string, reason: string, make: () => Promise<string> | string]>([
    ["without a signature", "no signature", () => content],
    [
      "with two signatures",
      "several signatures",
      async () => inside(await honest(), await signatureOf(content, signer)),
    ],
    [
      "with its signature inside another element",
      "misplaced signature",
      async () => inside(content, `<Extra>${await signatureOf(content, signer)}</Extra>`),
    ],
    [
      "that wraps the signed one, with the signature beside it",
      "references",
      async () =>
        inside(
          forged.replace('Id="list"', 'Id="forged"'),
          `<Extra>${content}</Extra>${await signatureOf(content, signer, { uri: "#list" })}`,
        ),
    ],
    [
      "that wraps the signed one, signature and all",
      "misplaced signature",
      async () =>
        inside(forged.replace('Id="list"', 'Id="forged"'), `<Extra>${await honest({ uri: "#list" })}</Extra>`),
    ],
    [
      "that hides the signed one in the signature's Object",
      "duplicate Id",
      async () =>
        inside(
          forged,
          (await signatureOf(content, signer, { uri: "#list" })).replace("<ds:Object>", `<ds:Object>${content}`),
        ),
    ],
    [
      "that hides the signed one in a second Object",
      "signature form",
      async () =>
        inside(
          forged.replace('Id="list"', 'Id="forged"'),
          (await signatureOf(content, signer, { uri: "#list" })).replace(
            "<ds:Object>",
            `<ds:Object>${content}</ds:Object><ds:Object>`,
          ),
        ),
    ],
    [
      "with a second Object behind the first",
      "signature form",
      async () => (await honest()).replace("</ds:Object>", "</ds:Object><ds:Object></ds:Object>"),
    ],
    [
      "with an Id given twice",
      "duplicate Id",
      () => signList(content.replace("<SchemeTerritory>", '<SchemeTerritory Id="list">'), signer, { uri: "#list" }),
    ],
    [
      "with an Id given once more as xml:id",
      "duplicate Id",
      () => signList(content.replace("<SchemeTerritory>", '<SchemeTerritory xml:id="list">'), signer, { uri: "#list" }),
    ],
    ["whose content was changed", "digest", async () => (await honest()).replace(">7<", ">8<")],
    ["whose content got an element more", "digest", async () => inside(await honest(), "<Extra></Extra>")],
    ["whose content got a processing instruction", "digest", async () => (await honest()).replace(">7<", "><?x?>7<")],
    ["whose signed properties were changed", "digest", async () => (await honest()).replace("20:35:00Z", "20:35:01Z")],
    [
      "whose signed info was changed",
      "signature value",
      async () => (await honest()).replace('<ds:Reference URI=""', '<ds:Reference Id="x" URI=""'),
    ],
    [
      "with another's signature value",
      "signature value",
      async () =>
        (await honest()).replace(
          /(?<=<ds:SignatureValue>)[^<]+/,
          (await signatureOf(forged, signer)).match(/(?<=<ds:SignatureValue>)[^<]+/)?.[0] ?? "",
        ),
    ],
    [
      "whose signature value is no base64",
      "signature value",
      async () => (await honest()).replace(/(?<=<ds:SignatureValue>)[^<]+/, "*"),
    ],
    ["that references a part of itself", "references", () => honest({ uri: "#properties" })],
    ["that references another document", "references", () => honest({ uri: "https://lists.example/CZ.xml" })],
    ["that references by XPointer", "references", () => honest({ uri: "#xpointer(/)" })],
    ["that references properties elsewhere", "references", () => honest({ propertiesUri: "#list" })],
    [
      "that references something more",
      "references",
      () =>
        honest({
          moreReferences: `<ds:Reference URI="#signature"><ds:DigestMethod Algorithm="${SHA256}"></ds:DigestMethod><ds:DigestValue></ds:DigestValue></ds:Reference>`,
        }),
    ],
    ["without the enveloped transform", "transforms", () => honest({ transforms: [EXCLUSIVE] })],
    ["with the transforms in another order", "transforms", () => honest({ transforms: [EXCLUSIVE, ENVELOPED] })],
    [
      "with an XPath transform",
      "transforms",
      () =>
        honest({
          transforms: [
            ENVELOPED,
            `<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>1</ds:XPath></ds:Transform>`,
          ],
        }),
    ],
    [
      "with an XSLT transform",
      "algorithm",
      () => honest({ transforms: [ENVELOPED, "http://www.w3.org/TR/1999/REC-xslt-19991116"] }),
    ],
    [
      "with a third transform",
      "transforms",
      () => honest({ transforms: [ENVELOPED, EXCLUSIVE, "http://www.w3.org/2000/09/xmldsig#base64"] }),
    ],
    [
      "with a prefix list",
      "transforms",
      () =>
        honest({
          transforms: [
            ENVELOPED,
            `<ds:Transform Algorithm="${EXCLUSIVE}"><ec:InclusiveNamespaces xmlns:ec="${EXCLUSIVE}" PrefixList="x"></ec:InclusiveNamespaces></ds:Transform>`,
          ],
        }),
    ],
    [
      "whose signed properties pass another transform",
      "transforms",
      () => honest({ edit: (info) => info.replace(/<\/ds:Transforms>(?!.*<\/ds:Transforms>)/, `${TRANSFORM}$&`) }),
    ],
    [
      "whose second reference has no type",
      "references",
      () => honest({ edit: (info) => info.replace(/Type="[^"]*" /, "") }),
    ],
    [
      "with two signature methods",
      "signature form",
      () => honest({ edit: (info) => info.replace(/<ds:SignatureMethod.*?<\/ds:SignatureMethod>/, "$&$&") }),
    ],
    [
      "with a prefix list for the signed info",
      "algorithm",
      () =>
        honest({
          edit: (info) => info.replace("</ds:CanonicalizationMethod>", `<x xmlns="${EXCLUSIVE}"></x>$&`),
        }),
    ],
    ["canonicalised with comments", "algorithm", () => honest({ canonicalisation: `${EXCLUSIVE}WithComments` })],
    ["with SHA-1 digests", "algorithm", () => honest({ digestMethod: `${DS}sha1` })],
    ["with a SHA-1 digest of the certificate", "algorithm", () => honest({ certificateDigestMethod: `${DS}sha1` })],
    ["signed by rsa-sha1", "algorithm", () => honest({ signatureMethod: `${DS}rsa-sha1` })],
    ["signed by an HMAC", "algorithm", () => honest({ signatureMethod: `${MORE}hmac-sha256` })],
    ["signed by DSA", "algorithm", () => honest({ signatureMethod: "http://www.w3.org/2009/xmldsig11#dsa-sha256" })],
    ["signed by another family of key", "signer not valid", () => honest({ signatureMethod: `${MORE}rsa-sha256` })],
    ["signed by someone else", "unknown signer", () => signList(content, attacker)],
    [
      "signed by someone else, whose certificate is in KeyInfo",
      "unknown signer",
      () =>
        signList(content, attacker, {
          keyInfo: `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${btoa(String.fromCharCode(...attacker.der))}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`,
        }),
    ],
    [
      "signed by someone else in the signer's name",
      "signature value",
      () => signList(content, attacker, { namedSigner: signer }),
    ],
    [
      "signed before the certificate was valid",
      "signer not valid",
      () => honest({ signingTime: "2025-12-31T23:59:59Z" }),
    ],
    ["signed after the certificate expired", "signer not valid", () => honest({ signingTime: "2027-01-01T00:00:00Z" })],
    ["with another signature's properties", "signature form", () => honest({ target: "#other" })],
    [
      "with two signed certificate references",
      "signature form",
      async () => {
        const list = await honest();
        const reference = list.match(/<xades:SigningCertificateV2>.*<\/xades:SigningCertificateV2>/)?.[0] ?? "";
        const two = list.replace(reference, reference + reference);
        const digestOf = async (text: string) =>
          Buffer.from(await crypto.subtle.digest("SHA-256", bytesOf(text))).toString("base64");
        const canonical = (text: string) =>
          (text.match(/<xades:SignedProperties.*<\/xades:SignedProperties>/)?.[0] ?? "")
            .replace("<xades:SignedProperties", `<xades:SignedProperties xmlns:xades="${XADES}"`)
            .replaceAll(/<(ds:\w+)/g, `<$1 xmlns:ds="${DS}"`);
        return two.replace(await digestOf(canonical(list)), await digestOf(canonical(two)));
      },
    ],
    [
      "whose root is of another vocabulary",
      "not a trusted list",
      async () => (await honest()).replaceAll("TrustServiceStatusList", "Other"),
    ],
    [
      "whose root is of another namespace",
      "not a trusted list",
      async () => (await honest()).replace("http://uri.etsi.org/02231/v2#", "http://uri.etsi.org/02231/v3#"),
    ],
  ])("%s", async (_what, reason, make) => {
    expect(await verdict(await make())).toBe(reason);
  });

  test("with a weak RSA key", async () => {
    const weak = await makeSigner(rsa(PKCS1, "SHA-256", 1024));
    const list = await signList(content, weak, {
      signatureMethod: `${MORE}rsa-sha256`,
      parameters: { name: PKCS1 },
    });
    expect(await verdict(list, [weak])).toBe("signer not valid");
  });

  test("when nobody may sign it", async () => {
    expect(await verdict(await honest(), [])).toBe("unknown signer");
  });
});

test("what is handed on is the signed text: comments are gone, and the signature with them", async () => {
  const list = (await signList(content, signer)).replace(">7<", "><!-- 9 -->7<!-- 9 --><");
  const { root } = await verifyList(bytesOf(list), () => [signer.der]);
  expect(root.toString()).toBe(content.replaceAll(/<(\w+)><\/\1>/g, "<$1/>"));
});
