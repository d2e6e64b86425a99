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
  says("the result has `homeRegister` only", "rule 1: jurisdiction is home", async () => {
    const { body } = await check("scenario-1");
    expect(Object.keys(body)).toEqual(["eIDAS", "homeRegister"]);
    expect(JSON.stringify(body)).not.toContain("passport");
  });
  says(
    "`hostRegister` is also returned, with `passportIn` entries where the host register has them",
    "rule 2: jurisdiction is elsewhere",
    async () => {
      expect((await check("scenario-1", "xy")).body).toEqual(await fixtureAnswer("scenario-1-in-xy"));
    },
  );
  says("PSP <legal name> could not be found in the <NCA name> register", "rule 3: absent at the host", async () => {
    expect((await check("scenario-10", "xy")).body.hostRegister).toMatchObject({
      categoryEntries: [],
      warning: ["PSP Juniper Payments Ltd could not be found in the Test Authority of XY register"],
    });
  });
  says("could not find a register entry for PSP <authorisation number>", "rule 4: absent at home", async () => {
    expect((await check("scenario-7")).body.homeRegister).toMatchObject({
      categoryEntries: [],
      warning: ["could not find a register entry for PSP PSDXX-TEST-000007"],
    });
  });
  says("yields one categoryEntries element per category", "rule 5: two categories, two entries", async () => {
    const { categoryEntries } = (await check("scenario-1")).body.homeRegister;
    expect(categoryEntries.map((entry: Entry) => entry.categoryName)).toEqual([
      "E-Money Institution",
      "Payment Institution",
    ]);
  });
  says("the host check reports the PSP as not found rather than returning unreliable data", "rule 6", async () => {
    const { hostRegister } = (await check("credit-institution", "xy")).body;
    expect(hostRegister.categoryEntries).toEqual([]);
    expect(hostRegister.warning).toHaveLength(1);
  });
});

describe("GET /v1/psp/eidas: test scenarios", () => {
  const scenarios: [string, string, string, number[][], object][] = [
    [
      "| 1 | valid, roles 7 and 8 | Authorised | [8] / [7] | all four true |",
      "scenario-1",
      "Authorised",
      [[8], [7]],
      ALL_TRUE,
    ],
    [
      "| 2 | valid, roles 7 and 8 | Unauthorised | [8] / [7] | all four true |",
      "scenario-2",
      "Unauthorised",
      [[8], [7]],
      ALL_TRUE,
    ],
    [
      "| 3 | valid, roles 1 and 2 | Authorised | [2] / [1] | all four true |",
      "scenario-3",
      "Authorised",
      [[2], [1]],
      ALL_TRUE,
    ],
    [
      "validSignature and notRevoked are false",
      "scenario-4",
      "Authorised",
      [[8], [7]],
      { validQTSP: true, validSignature: false, notRevoked: false, notExpired: false },
    ],
  ];
  for (const [sentence, certificate, status, [eMoney, payment], validity] of scenarios)
    says(sentence, certificate, async () => {
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
  says("no data wrapper", "every sandbox certificate has the whole body that fixtures/README.md promises", async () => {
    const cases: { certificate: string; jurisdiction: string; answer: string }[] = await fixtureAnswer("index");
    for (const { certificate, jurisdiction, answer } of cases) {
      const pem = await readFile(join(ROOT, "fixtures/certificates", certificate), "utf8");
      const headers = { eidas: encodeURIComponent(pem) };
      const { status, body } = await call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers });
      expect([certificate, status, body]).toEqual([certificate, 200, await fixtureAnswer(answer.replace(".json", ""))]);
    }
  });
  says(
    "401: `{errors:[...]}`. 404 (request with missing or malformed parameters): `{errors:[...]}`.",
    "both",
    async () => {
      const nobody = await call("GET", "/v1/psp/eidas?jurisdiction=xx", {
        headers: { ...(await eidas()), Authorization: undefined },
      });
      expect([nobody.status, nobody.body]).toEqual([401, errorForm("credentials_missing")]);
      const missing = await call("GET", "/v1/psp/eidas");
      expect([missing.status, missing.body]).toEqual([404, errorForm("jurisdiction_missing", "certificate_missing")]);
    },
  );
});
