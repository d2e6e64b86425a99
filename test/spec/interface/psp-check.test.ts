/** Interface, GET /v1/psp/eidas: its rules and test scenarios. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../service.ts";
import { call, eidas, errorForm, fixtureAnswer } from "./bank.ts";

describe("GET /v1/psp/eidas", () => {
  // each rule of the check and each scenario of the interface is one of these bodies
  test("every sandbox certificate has the whole body that fixtures/README.md promises", async () => {
    const cases: { certificate: string; jurisdiction: string; answer: string }[] = await fixtureAnswer("index");
    for (const { certificate, jurisdiction, answer } of cases) {
      const pem = await readFile(join(ROOT, "fixtures/certificates", certificate), "utf8");
      const headers = { eidas: encodeURIComponent(pem) };
      const { status, body } = await call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers });
      expect([certificate, status, body]).toEqual([certificate, 200, await fixtureAnswer(answer.replace(".json", ""))]);
    }
  });
  test("ncaCountryCode is in capitals, however jurisdiction is spelled", async () => {
    for (const spelling of ["xy", "XY", "Xy"]) {
      const answer = await call("GET", `/v1/psp/eidas?jurisdiction=${spelling}`, {
        headers: await eidas("scenario-9"),
      });
      expect(answer.body).toEqual(await fixtureAnswer("scenario-9"));
    }
  });
  test("what the check rests on is shown with `latest` only", async () => {
    const headers = { version: "latest", ...(await eidas()) };
    const { decision, evidence, ...rest } = (await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers })).body;
    expect(rest).toEqual(await fixtureAnswer("scenario-1"));
    expect(decision).toMatchObject({ payments: { allowed: true }, accounts: { allowed: true } });
    expect(evidence.anchor).toMatchObject({ source: "sandbox", jurisdiction: "XX", status: "granted" });
  });
  test("what is missing is told at once", async () => {
    const answer = await call("GET", "/v1/psp/eidas");
    expect([answer.status, answer.body]).toEqual([404, errorForm("jurisdiction_missing", "certificate_missing")]);
  });
});
