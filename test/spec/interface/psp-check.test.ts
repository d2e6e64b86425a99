/** Interface, "PSP check result" and GET /v1/psp/eidas. */
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

describe("PSP check result: eIDAS", () => {
  for (const [sentence, certificate, field] of [
    ["QTSP is approved to issue valid certificates", "scenario-6", "validQTSP"],
    ["certificate signature verifies", "scenario-4", "validSignature"],
    ["certificate not revoked", "scenario-5", "notRevoked"],
    ["certificate not expired", "scenario-4", "notExpired"],
  ] as const)
    says(sentence, `${field} is false for ${certificate}, and a warning says why`, async () => {
      const { eIDAS } = (await check(certificate)).body;
      expect(eIDAS.validity[field]).toBe(false);
      expect(eIDAS.warning.join("\n")).toContain(`${field}: `);
    });
  says("common name of the QTSP on the certificate", "QTSPCommonName is the issuer's", async () => {
    expect((await check("scenario-10")).body.eIDAS.data.QTSPCommonName).toBe("Sandbox EC QTSP");
  });
  says("PSP authorisation number on the certificate", "authNumber is the certificate's", async () => {
    expect((await check("scenario-10")).body.eIDAS.data.authNumber).toBe("PSDXX-TEST-000010");
  });
  says("PSP subject name on the certificate", "pspSubjectName is the certificate's organisation", async () => {
    expect((await check("scenario-10")).body.eIDAS.data.pspSubjectName).toBe("Juniper Payments Ltd");
  });
  says("array of string, optional", "warning is absent when there is nothing to warn of", async () => {
    expect((await check("scenario-1")).body.eIDAS).not.toHaveProperty("warning");
  });
});

describe("PSP check result: registers", () => {
  const entriesOf = async (certificate: string, jurisdiction?: string): Promise<Entry[]> =>
    (await check(certificate, jurisdiction)).body.homeRegister.categoryEntries;
  for (const [certificate, status] of [
    ["scenario-1", "Authorised"],
    ["accounts-only", "Registered"],
    ["scenario-2", "Unauthorised"],
    ["scenario-8", "Withdrawn"],
  ] as const)
    says("`Authorised`, `Registered`, `Unauthorised`, `Withdrawn` or null", `${certificate} is ${status}`, async () => {
      const statuses = (await entriesOf(certificate)).map((entry) => entry.pspAuthStatus);
      expect(new Set(statuses)).toEqual(new Set([status]));
    });
  says("Exempt categories and AISP carry status `Registered`", "an AISP is Registered", async () => {
    expect(await entriesOf("accounts-only")).toMatchObject([{ categoryName: "AISP", pspAuthStatus: "Registered" }]);
  });
  says("A credit institution is entitled to all eight.", "a credit institution has services 1 to 8", async () => {
    expect(await entriesOf("credit-institution")).toMatchObject([
      { categoryName: "Credit Institution", pspPaymentServices: [1, 2, 3, 4, 5, 6, 7, 8] },
    ]);
  });
  says(
    "never the roles written in the certificate, in numeric form 1 to 8",
    "services are the register's",
    async () => {
      // roles 7 and 8 on the certificate, 8 alone in the register
      expect((await entriesOf("service-withdrawn")).flatMap((entry) => entry.pspPaymentServices)).toEqual([8]);
    },
  );
  says("capitalised country code", "ncaCountryCode is in capitals, however jurisdiction is spelled", async () => {
    for (const spelling of ["xy", "XY", "Xy"]) {
      const { body } = await check("scenario-9", spelling);
      expect(body).toEqual(await fixtureAnswer("scenario-9"));
    }
  });
});

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
      expect([missing.status, missing.body]).toEqual([404, errorForm("jurisdiction_missing", "eidas_missing")]);
    },
  );
});
