import { describe, expect } from "vitest";
import { type Answer, call, eidas, fixtureAnswer } from "./bank.ts";
import { says } from "./says.ts";

const check = async (certificate: string, jurisdiction = "xx"): Promise<Answer> =>
  call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers: await eidas(certificate) });

type Entry = { categoryName: string; pspAuthStatus: string | null; pspPaymentServices: number[] };

describe("PSP check result: eIDAS", () => {
  for (const [certificate, field] of [
    ["scenario-6", "validQTSP"],
    ["scenario-4", "validSignature"],
    ["scenario-5", "notRevoked"],
    ["scenario-4", "notExpired"],
  ] as const)
    says("PSP check result", `${field} is false for ${certificate}, and a warning says why`, async () => {
      const { eIDAS } = (await check(certificate)).body;
      expect(eIDAS.validity[field]).toBe(false);
      expect(eIDAS.warning.join("\n")).toContain(`${field}: `);
    });
  says("PSP check result", "QTSPCommonName is the issuer's", async () => {
    expect((await check("scenario-10")).body.eIDAS.data.QTSPCommonName).toBe("Sandbox EC QTSP");
  });
  says("PSP check result", "authNumber is the certificate's", async () => {
    expect((await check("scenario-10")).body.eIDAS.data.authNumber).toBe("PSDXX-TEST-000010");
  });
  says("PSP check result", "pspSubjectName is the certificate's organisation", async () => {
    expect((await check("scenario-10")).body.eIDAS.data.pspSubjectName).toBe("Juniper Payments Ltd");
  });
  says("PSP check result", "warning is absent when there is nothing to warn of", async () => {
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
    says("PSP check result", `${certificate} is ${status}`, async () => {
      const statuses = (await entriesOf(certificate)).map((entry) => entry.pspAuthStatus);
      expect(new Set(statuses)).toEqual(new Set([status]));
    });
  says("PSP check result", "an AISP is Registered", async () => {
    expect(await entriesOf("accounts-only")).toMatchObject([{ categoryName: "AISP", pspAuthStatus: "Registered" }]);
  });
  says("PSP check result", "a credit institution has services 1 to 8", async () => {
    expect(await entriesOf("credit-institution")).toMatchObject([
      { categoryName: "Credit Institution", pspPaymentServices: [1, 2, 3, 4, 5, 6, 7, 8] },
    ]);
  });
  says("PSP check result", "services are the register's", async () => {
    // roles 7 and 8 on the certificate, 8 alone in the register
    expect((await entriesOf("service-withdrawn")).flatMap((entry) => entry.pspPaymentServices)).toEqual([8]);
  });
  says("PSP check result", "ncaCountryCode is in capitals, however jurisdiction is spelled", async () => {
    for (const spelling of ["xy", "XY", "Xy"]) {
      const { body } = await check("scenario-9", spelling);
      expect(body).toEqual(await fixtureAnswer("scenario-9"));
    }
  });
});
