/** The claim `iss` of UK Open Banking against the certificate that signed. */
import { beforeAll, expect, test } from "vitest";
import { compareIssuer } from "../../../../src/psp-check/signed-request/issuer.ts";
import { IAT, ISS, judge, makeSigner, type Signer, signJws, TAN, UK } from "./signing.ts";

const SUBJECT = "C=GB, O=Example Pay Ltd, 2.5.4.97=PSDGB-FCA-123456, CN=Example Pay";

let signer: Signer;
let unnamed: Signer;
beforeAll(async () => {
  [signer, unnamed] = await Promise.all([makeSigner("p256", SUBJECT), makeSigner("p256")]);
});

/** `PSDGB-FCA-123456` as a UTF8String. */
const DER = "0c10505344" + "47422d4643412d313233343536";

test.each([
  ["PSDGB-FCA-123456", "same"],
  ["psduk-fca-123456", "same"],
  ["PSDGB-FCA-123456/a-software-id", "same"],
  ["CN=Example Pay,2.5.4.97=PSDGB-FCA-123456,O=Example Pay Ltd,C=GB", "same"],
  ["OID.2.5.4.97 = PSDGB-FCA-123456, CN=Another Name", "same"],
  [`CN=Example Pay,2.5.4.97=#${DER},C=GB`, "same"],
  ['C=GB, O="Example  PAY Ltd", CN=Example\\20Pay', "same"],
  ["PSDGB-FCA-123457", "differs"],
  ["PSDGB-FCA-123457/a-software-id", "differs"],
  ["organizationIdentifier=PSDGB-FCA-999999,O=Example Pay Ltd,CN=Example Pay", "differs"],
  ["2.5.4.97=VATGB-1234,O=Example Pay Ltd", "differs"],
  ["CN=Other Pay,O=Example Pay Ltd,C=GB", "differs"],
  ["0015800001041REAAY/iTDq8v6Yjr", "not_comparable"],
  ["Example Pay", "not_comparable"],
  ["C=GB,L=London", "not_comparable"],
  ["CN=Example Pay,", "not_comparable"],
  ['O="Example', "not_comparable"],
  ["https://psp.example", "not_comparable"],
  ["=", "not_comparable"],
] as const)("%s: %s", (issuer, expected) => {
  expect(compareIssuer(issuer, signer.certificate)).toBe(expected);
});

test("a certificate without a number is not that of a number", () => {
  expect(compareIssuer("PSDGB-FCA-123456", unnamed.certificate)).toBe("differs");
});

test("an iss of another PSP is not verified, and one of the directory is", async () => {
  const codesOf = async (iss: string) =>
    (await judge(signJws(signer, { ...UK, alg: "ES256", [ISS]: iss }), signer.certificate)).codes;
  expect(await codesOf("PSDGB-FCA-123457")).toEqual(["issuer_differs"]);
  expect(await codesOf("PSDGB-FCA-123456")).toEqual([]);
  expect(await codesOf("0015800001041REAAY/x")).toEqual([]);
  const none = { ...UK, alg: "ES256", [ISS]: undefined, crit: ["b64", IAT, TAN] };
  expect((await judge(signJws(signer, none), signer.certificate)).codes).toEqual(["covered_too_little"]);
});
