/** Interface, GET /v1/psp/eidas: its rules and test scenarios. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { ROOT } from "../service.ts";
import { type Answer, call, eidas, errorForm, fixtureAnswer } from "./bank.ts";
import { says } from "./says.ts";

const check = async (certificate: string, jurisdiction = "xx"): Promise<Answer> =>
  call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers: await eidas(certificate) });

type Entry = { categoryName: string; pspAuthStatus: string | null; pspPaymentServices: number[] };
const ALL_TRUE = { validQTSP: true, validSignature: true, notRevoked: true, notExpired: true };

describe("GET /v1/psp/eidas: rules", () => {
  says("GET /v1/psp/eidas", "rule 1: jurisdiction is home", async () => {
    const { body } = await check("scenario-1");
    expect(Object.keys(body)).toEqual(["eIDAS", "homeRegister"]);
    expect(JSON.stringify(body)).not.toContain("passport");
  });
  says("GET /v1/psp/eidas", "rule 2: jurisdiction is elsewhere", async () => {
    expect((await check("scenario-1", "xy")).body).toEqual(await fixtureAnswer("scenario-1-in-xy"));
  });
  says("GET /v1/psp/eidas", "rule 3: absent at the host", async () => {
    expect((await check("scenario-10", "xy")).body.hostRegister).toMatchObject({
      categoryEntries: [],
      warning: ["PSP Juniper Payments Ltd could not be found in the Test Authority of XY register"],
    });
  });
  says("GET /v1/psp/eidas", "rule 4: absent at home", async () => {
    expect((await check("scenario-7")).body.homeRegister).toMatchObject({
      categoryEntries: [],
      warning: ["could not find a register entry for PSP PSDXX-TEST-000007"],
    });
  });
  says("GET /v1/psp/eidas", "rule 5: two categories, two entries", async () => {
    const { categoryEntries } = (await check("scenario-1")).body.homeRegister;
    expect(categoryEntries.map((entry: Entry) => entry.categoryName)).toEqual([
      "E-Money Institution",
      "Payment Institution",
    ]);
  });
  says("GET /v1/psp/eidas", "rule 6: a PSP that the host's register cannot tell for certain is not found", async () => {
    const { hostRegister } = (await check("credit-institution", "xy")).body;
    expect(hostRegister.categoryEntries).toEqual([]);
    expect(hostRegister.warning).toHaveLength(1);
  });
});

describe("GET /v1/psp/eidas: test scenarios", () => {
  const scenarios: [string, string, number[][], object][] = [
    ["scenario-1", "Authorised", [[8], [7]], ALL_TRUE],
    ["scenario-2", "Unauthorised", [[8], [7]], ALL_TRUE],
    ["scenario-3", "Authorised", [[2], [1]], ALL_TRUE],
    [
      "scenario-4",
      "Authorised",
      [[8], [7]],
      { validQTSP: true, validSignature: false, notRevoked: false, notExpired: false },
    ],
  ];
  for (const [certificate, status, [eMoney, payment], validity] of scenarios)
    says("GET /v1/psp/eidas", `${certificate} has the statuses, services and verdicts of its scenario`, async () => {
      const { body } = await check(certificate);
      expect(body.eIDAS.validity).toEqual(validity);
      expect(body.homeRegister).toMatchObject({
        ncaCountryCode: "XX",
        registerType: "Home",
        categoryEntries: [
          { categoryName: "E-Money Institution", pspAuthStatus: status, pspPaymentServices: eMoney },
          { categoryName: "Payment Institution", pspAuthStatus: status, pspPaymentServices: payment },
        ],
      });
      expect(body).not.toHaveProperty("hostRegister");
    });
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
  says("GET /v1/psp/eidas", "no credentials are 401, a missing or malformed parameter is 404", async () => {
    const nobody = await call("GET", "/v1/psp/eidas?jurisdiction=xx", {
      headers: { ...(await eidas()), Authorization: undefined },
    });
    expect([nobody.status, nobody.body]).toEqual([401, errorForm("credentials_missing")]);
    const missing = await call("GET", "/v1/psp/eidas");
    expect([missing.status, missing.body]).toEqual([404, errorForm("jurisdiction_missing", "certificate_missing")]);
  });
});
