/** Interface, GET /v1/psp/eidas: its rules and test scenarios. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { ROOT } from "../service.ts";
import { call, eidas, errorForm, fixtureAnswer } from "./bank.ts";
import { says } from "./says.ts";

describe("GET /v1/psp/eidas", () => {
  // each rule of the check and each scenario of the interface is one of these bodies
  says(
    "GET /v1/psp/eidas",
    "every sandbox certificate has the whole body that fixtures/README.md promises",
    async () => {
      const cases: { certificate: string; jurisdiction: string; answer: string }[] = await fixtureAnswer("index");
      for (const { certificate, jurisdiction, answer } of cases) {
        const pem = await readFile(join(ROOT, "fixtures/certificates", certificate), "utf8");
        const headers = { eidas: encodeURIComponent(pem) };
        const { status, body } = await call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers });
        expect([certificate, status, body]).toEqual([
          certificate,
          200,
          await fixtureAnswer(answer.replace(".json", "")),
        ]);
      }
    },
  );
  says("PSP check result", "ncaCountryCode is in capitals, however jurisdiction is spelled", async () => {
    for (const spelling of ["xy", "XY", "Xy"]) {
      const answer = await call("GET", `/v1/psp/eidas?jurisdiction=${spelling}`, {
        headers: await eidas("scenario-9"),
      });
      expect(answer.body).toEqual(await fixtureAnswer("scenario-9"));
    }
  });
  says("GET /v1/psp/eidas", "no credentials are 401, a missing or malformed parameter is 404", async () => {
    const nobody = await call("GET", "/v1/psp/eidas?jurisdiction=xx", {
      headers: { ...(await eidas()), Authorization: undefined },
    });
    expect([nobody.status, nobody.body]).toEqual([401, errorForm("credentials_missing")]);
    const missing = await call("GET", "/v1/psp/eidas");
    expect([missing.status, missing.body]).toEqual([404, errorForm("jurisdiction_missing", "certificate_missing")]);
  });
});
