/** The same code in workerd: its Web Crypto, its node:crypto, and the XML libraries bundled. */
import { expect, test } from "vitest";
import {
  bytesOf,
  EXCLUSIVE,
  INCLUSIVE,
  listContent,
  makeSigner,
  pointer,
  signList,
} from "../../../../fixtures/makers/signed-list.ts";
import { acceptTrustedList } from "../../../../src/trust/lists/accept.ts";

const rsa = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-512",
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
};
const rsaSha512 = {
  signatureMethod: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
  parameters: { name: rsa.name },
};

test.each([EXCLUSIVE, INCLUSIVE])("lists signed by RSA and by ECDSA are taken in %s", async (canonicalisation) => {
  const [pinned, operator] = [await makeSigner(rsa), await makeSigner()];
  const take = (text: string, pointers: Parameters<typeof acceptTrustedList>[0]["pointers"]) =>
    acceptTrustedList({
      bytes: bytesOf(text),
      pinned: [pinned.der],
      pointers,
      loaded: new Map(),
      now: Date.parse("2026-11-21T00:00:00Z"),
    });
  const content = listContent({ territory: "EU", pointers: pointer("CZ", [operator]) });
  const lists = await take(await signList(content, pinned, { ...rsaSha512, canonicalisation }), null);
  if (!lists.ok) throw new Error(lists.message);
  const czech = await signList(listContent(), operator, { canonicalisation });
  expect(await take(czech, lists.list.pointers)).toMatchObject({ ok: true, list: { territory: "CZ" } });
  expect(await take(czech.replace(">7<", ">8<"), lists.list.pointers)).toMatchObject({ reason: "digest" });
});
