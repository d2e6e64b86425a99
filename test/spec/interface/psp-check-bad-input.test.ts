/** GET /v1/psp/eidas with what is no good header, certificate or jurisdiction: 404 with a code, and nothing of the inside. */
import { describe, expect, test } from "vitest";
import { call, codesOf, eidasHeader, sendRaw } from "./bank.ts";

const GOOD = await eidasHeader("scenario-1");
const DER = Buffer.from(GOOD, "base64");
const base64 = (...parts: Uint8Array[]) => Buffer.concat(parts).toString("base64");

const INSIDE = /\bat \w+ \(|\.ts\b|Error:|zod|asn1|undefined|null,|\[object/i;
const refused = ({ status, text }: { status: number; text: string }) => {
  expect(text).not.toMatch(INSIDE);
  const { errors } = JSON.parse(text) as { errors: { code: string; title: string }[] };
  return { status, codes: errors.map(({ code }) => code), title: errors[0]?.title };
};

describe("the header eidas", () => {
  test.each<[string, (readonly [string, string])[], string, RegExp]>([
    ["is missing", [], "certificate_missing", /missing/],
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
    [
      "is a hundred certificates",
      [["eidas", base64(...Array<Uint8Array>(40).fill(DER))]],
      "certificate_unreadable",
      /more than 10|at most/,
    ],
  ])("%s", async (_, headers, code, title) => {
    const answer = refused(await sendRaw("/v1/psp/eidas?jurisdiction=xx", headers));
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
    const answer = refused(await sendRaw(`/v1/psp/eidas${query}`, [["eidas", GOOD]]));
    expect([answer.status, answer.codes]).toEqual([404, [code]]);
  });
});

describe("the headers of the caller", () => {
  test.each([
    ["Authorization", `Basic ${"A".repeat(20_000)}`, "credentials_invalid"],
    ["fi_reference_id", "é", "fi_reference_id_invalid"],
    ["fi_reference_id", "x".repeat(20_000), "fi_reference_id_invalid"],
    ["fi_reference_id", "PSDXX-TEST-FI0001, PSDXX-TEST-FI0001", "fi_reference_id_invalid"],
  ])("%s: %s", async (name, value, code) => {
    const answer = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: GOOD, [name]: value } });
    expect([answer.status, codesOf(answer)]).toEqual([401, [code]]);
  });
});
