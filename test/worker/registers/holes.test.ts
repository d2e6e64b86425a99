/** The PSPs of a day are counted by D1, in the forms that the rule says. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { normaliseAuthorisationNumber } from "../../../src/eidas/authorisation-number.ts";
import { storeShownCertificate } from "../../../src/events/issuers.ts";
import { readOperation } from "../../../src/refresh/refreshes.ts";
import { readStatus } from "../../../src/refresh/status.ts";
import { numberForm } from "../../../src/registers/holes.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const TODAY = "2026-11-28";

const observe = (authNumber: string, inRegister: 0 | 1 | null, observedOn = TODAY, certificate = authNumber) =>
  storeShownCertificate(
    env.DB,
    {
      ...{ pspId: normaliseAuthorisationNumber(authNumber), certificate, chain: "[]", anchor: "a" },
      ...{ source: "eIDAS", jurisdiction: "DE", serviceName: "S", notAfter: NOW + 86_400_000 },
    },
    { observedOn, inRegister },
  );

test("each PSP of yesterday and today once, found if any of its certificates was, in the form of its number", async () => {
  const missing = ["PSDDE-BAFIN-106653", "PSDDE-BAFIN-10665", "PSDPL-PFSA-AB", "PSDLU-CSSF-LUB-00351"];
  for (const number of missing) await observe(number, 0);
  await observe("PSDFI-FINFSA-1", 0);
  await observe("PSDFI-FINFSA-1", 1, TODAY, "another");
  await observe("PSDFI-FINFSA-2", 1, "2026-11-27");
  // before yesterday, and of a register that nobody could ask
  await observe("PSDFI-FINFSA-3", 0, "2026-11-26");
  await observe("PSDFI-FINFSA-4", null);
  const { pspCounts } = await readOperation(env.DB, NOW);
  const said = pspCounts.map(({ day, country, inRegister, form, psps }) => [day, country, inRegister, form, psps]);
  const expected = [
    ...missing.map((number) => {
      const normal = normaliseAuthorisationNumber(number);
      return [TODAY, normal.slice(3, 5), 0, numberForm(normal), 1];
    }),
    [TODAY, "FI", 1, "1 digits", 1],
    ["2026-11-27", "FI", 1, "1 digits", 1],
  ];
  expect(said.sort()).toEqual(expected.sort());
});

test("the status names the country, and counts a PSP anew when its register has it", async () => {
  const numbers = [1, 2, 3, 4, 5].map((i) => `PSDHR-CNB-240800${i}`);
  for (const number of numbers) await observe(number, 0);
  const holes = async () => (await readStatus(env, NOW)).holes.filter(({ country }) => country === "HR");
  expect(await holes()).toMatchObject([{ day: TODAY, psps: 5, notFound: 5, certificateForm: "7 digits" }]);
  for (const number of numbers) await observe(number, 1);
  expect(await holes()).toEqual([]);
});
