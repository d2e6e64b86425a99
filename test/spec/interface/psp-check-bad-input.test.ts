/** GET /v1/psp/eidas with what is no good header, certificate or jurisdiction: 404 with a code, and nothing of the inside. */
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../service.ts";
import { BASE_URL, call, codesOf, eidasHeader, SANDBOX_FI } from "./bank.ts";

const GOOD = await eidasHeader("scenario-1");
const DER = Buffer.from(GOOD, "base64");
const CRL = readFileSync(join(ROOT, "fixtures/crls/root.crl"), "utf8").replaceAll(/-----[^-]+-----|\s/g, "");
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PKCS8 = privateKey.export({ type: "pkcs8", format: "der" });
const SPKI = createPublicKey(privateKey).export({ type: "spki", format: "der" });
// openssl req -new -newkey ed25519 -nodes -subj /CN=psp.example
const CSR =
  "MIGVMEkCAQAwFjEUMBIGA1UEAwwLcHNwLmV4YW1wbGUwKjAFBgMrZXADIQDKyS3MxnqMsn0yiY7BxFAC8vIMFdH16lBhAa7bNgwg86AAMAUGAytlcANBAOVvJq9/YDs/I3ar8j75u8TYbmBSR0e4L1zkvt5J9BY7TDptIk103R6va12bCUOLhuYJy3BdaCO/NcJq4bpgsAQ=";

const base64 = (...parts: Uint8Array[]) => Buffer.concat(parts).toString("base64");

/** Raw header lines, as fetch would refuse to send them. */
function send(
  query: string,
  headers: readonly (readonly [string, string])[],
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const lines = [...Object.entries(SANDBOX_FI), ...headers].flat();
    const { hostname, port } = new URL(BASE_URL);
    const options = { hostname, port, path: `/v1/psp/eidas${query}`, headers: ["Host", hostname, ...lines] };
    request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on("error", reject)
      .end();
  });
}

const INSIDE = /\bat \w+ \(|\.ts\b|Error:|zod|asn1|undefined|null,|\[object/i;
const refused = ({ status, text }: { status: number; text: string }) => {
  expect(text).not.toMatch(INSIDE);
  const { errors } = JSON.parse(text) as { errors: { code: string; title: string }[] };
  return { status, codes: errors.map(({ code }) => code), title: errors[0]?.title };
};

describe("the header eidas", () => {
  test.each<[string, (readonly [string, string])[], string, RegExp]>([
    ["is missing", [], "certificate_missing", /missing/],
    ["is empty", [["eidas", ""]], "certificate_missing", /empty/],
    ["is blank", [["eidas", "   "]], "certificate_missing", /empty/],
    [
      "is doubled",
      [
        ["eidas", GOOD],
        ["eidas", GOOD],
      ],
      "certificate_unreadable",
      /eidas came twice, each time with the same value: send it once/,
    ],
    [
      "is not ASCII",
      [["eidas", `${GOOD.slice(0, 100)}é${GOOD.slice(100)}`]],
      "certificate_unreadable",
      /which base64 does not have/,
    ],
    ["is 70,000 characters", [["eidas", "A".repeat(70_000)]], "certificate_unreadable", /at most 65536/],
    ["is truncated", [["eidas", base64(DER.subarray(0, -9))]], "certificate_unreadable", /truncated/],
    [
      "has trailing bytes",
      [["eidas", base64(DER, Buffer.from("trailing"))]],
      "certificate_unreadable",
      /8 bytes after/,
    ],
    ["is a private key", [["eidas", base64(PKCS8)]], "certificate_unreadable", /a private key/],
    ["is a public key", [["eidas", base64(SPKI)]], "certificate_unreadable", /a public key/],
    ["is a CSR", [["eidas", CSR]], "certificate_unreadable", /signing request/],
    ["is a CRL", [["eidas", CRL]], "certificate_unreadable", /revocation list/],
    ["is a blob", [["eidas", base64(Buffer.alloc(900, 0x5a))]], "certificate_unreadable", /neither a certificate nor/],
    [
      "is a hundred certificates",
      [["eidas", base64(...Array<Uint8Array>(40).fill(DER))]],
      "certificate_unreadable",
      /more than 10|at most/,
    ],
  ])("%s", async (_, headers, code, title) => {
    const answer = refused(await send("?jurisdiction=xx", headers));
    expect(answer).toEqual({ status: 404, codes: [code], title: expect.stringMatching(title) });
  });
});

describe("the parameter jurisdiction", () => {
  test.each([
    ["", "jurisdiction_missing"],
    ["?jurisdiction=", "jurisdiction_missing"],
    ["?jurisdiction=x", "jurisdiction_invalid"],
    ["?jurisdiction=xxx", "jurisdiction_invalid"],
    ["?jurisdiction=12", "jurisdiction_invalid"],
    ["?jurisdiction=eu", "jurisdiction_invalid"],
    ["?jurisdiction=ab", "jurisdiction_invalid"],
    ["?jurisdiction=xz", "jurisdiction_invalid"],
    ["?jurisdiction=%F0%9F%87%A9%F0%9F%87%AA", "jurisdiction_invalid"],
    ["?jurisdiction=%F0%9F%98%80", "jurisdiction_invalid"],
    ["?jurisdiction=x%00", "jurisdiction_invalid"],
    ["?jurisdiction=%ff%ff", "jurisdiction_invalid"],
    ["?Jurisdiction=xx", "jurisdiction_missing"],
  ])("%j", async (query, code) => {
    const answer = refused(await send(query, [["eidas", GOOD]]));
    expect([answer.status, answer.codes]).toEqual([404, [code]]);
  });
});

describe("the headers of the caller", () => {
  test.each([
    ["Authorization", undefined, "credentials_missing"],
    ["Authorization", "Bearer x", "credentials_missing"],
    ["Authorization", "Basic !", "credentials_invalid"],
    ["Authorization", `Basic ${btoa("sandbox-fi")}`, "credentials_invalid"],
    ["Authorization", `Basic ${btoa("sandbox-fi:\xff")}`, "credentials_invalid"],
    ["Authorization", `Basic ${"A".repeat(20_000)}`, "credentials_invalid"],
    ["fi_reference_id", undefined, "fi_reference_id_missing"],
    ["fi_reference_id", "", "fi_reference_id_missing"],
    ["fi_reference_id", "é", "fi_reference_id_invalid"],
    ["fi_reference_id", "x".repeat(20_000), "fi_reference_id_invalid"],
    ["fi_reference_id", "PSDXX-TEST-FI0001, PSDXX-TEST-FI0001", "fi_reference_id_invalid"],
  ])("%s: %s", async (name, value, code) => {
    const answer = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: GOOD, [name]: value } });
    expect([answer.status, codesOf(answer)]).toEqual([401, [code]]);
  });
});
