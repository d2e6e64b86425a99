/** Each broken rule refuses by its own name: one row for each, with everything else honest. */
import { beforeAll, describe, expect, test } from "vitest";
import {
  bytesOf,
  DS,
  ENVELOPED,
  EXCLUSIVE,
  envelop,
  listContent,
  MORE,
  makeSigner,
  PKCS1,
  rsaKey,
  SHA256,
  type Signer,
  type SigningOptions,
  signatureOf,
  signList,
  XADES,
} from "../../../../fixtures/makers/signed-list.ts";
import { verdict } from "./verdict.ts";

let signer: Signer;
let attacker: Signer;
const content = listContent();

beforeAll(async () => {
  [signer, attacker] = await Promise.all([makeSigner(), makeSigner()]);
});

const TRANSFORM = `<ds:Transform Algorithm="${ENVELOPED}"></ds:Transform>`;

/** The list with other signed properties and their digest; the signature value stays. */
async function withProperties(list: string, edit: (properties: string) => string): Promise<string> {
  const changed = list.replace(/<xades:SignedProperties.*<\/xades:SignedProperties>/, edit);
  return changed.replace(await propertiesDigest(list), await propertiesDigest(changed));
}

async function propertiesDigest(list: string): Promise<string> {
  const canonical = (list.match(/<xades:SignedProperties.*<\/xades:SignedProperties>/)?.[0] ?? "")
    .replace("<xades:SignedProperties", `<xades:SignedProperties xmlns:xades="${XADES}"`)
    .replaceAll(/<(ds:\w+)/g, `<$1 xmlns:ds="${DS}"`);
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytesOf(canonical))).toString("base64");
}

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
    [
      "that references itself alone, without its signed properties",
      "references",
      () => honest({ edit: (info) => info.replace(/<ds:Reference Type=.*<\/ds:Reference>/, "") }),
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
      async () =>
        withProperties(await honest(), (properties) =>
          properties.replace(/<xades:SigningCertificateV2>.*<\/xades:SigningCertificateV2>/, "$&$&"),
        ),
    ],
    [
      "without the time of signing",
      "signature form",
      async () =>
        withProperties(await honest(), (properties) =>
          properties.replace(/<xades:SigningTime>.*<\/xades:SigningTime>/, ""),
        ),
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
    expect(await verdict(await make(), signer)).toBe(reason);
  });

  test("with a weak RSA key", async () => {
    const weak = await makeSigner(rsaKey(PKCS1, "SHA-256", 1024));
    const list = await signList(content, weak, {
      signatureMethod: `${MORE}rsa-sha256`,
      parameters: { name: PKCS1 },
    });
    expect(await verdict(list, weak)).toBe("signer not valid");
  });

  test("when nobody may sign it", async () => {
    expect(await verdict(await honest())).toBe("unknown signer");
  });
});
