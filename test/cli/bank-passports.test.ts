/** `psp check` of a bank abroad: by which choice it is judged says an option, since no institution asks. */
import "reflect-metadata";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthority } from "../../src/sandbox/pki/authority.ts";
import { issuePspCertificate } from "../../src/sandbox/pki/psp-certificate.ts";
import { describeCa } from "../../src/sandbox/sandbox-ca.ts";
import "./in-process.ts";
import { run } from "./run-here.ts";

const BANK = "PSDFI-FINFSA-9000001";
let folder = "";
let certificate = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "psp-gate-banks-"));
  const register = join(folder, "banks.json");
  const category = { category: "Credit Institution", legalName: "A Bank", status: "Authorised" };
  const banks = {
    ...{ country: "FI", ncaId: "FI-FINFSA", ncaName: "FIN-FSA", published: "2026-11-01T00:00:00Z" },
    ...{ source: "credit-institutions", psps: [{ authNumber: BANK, categories: [category] }] },
  };
  await writeFile(register, JSON.stringify(banks));
  expect(await run("register", "import", register)).toMatchObject({ code: 0 });
  const period = { notBefore: new Date("2020-01-01T00:00:00Z"), notAfter: new Date("2070-01-01T00:00:00Z") };
  const issued = await issuePspCertificate(
    {
      ...{ country: "FI", authNumber: BANK, organisation: "A Bank", commonName: "bank.example", type: "web" },
      ...{ roles: ["PSP_AI"], ncaName: "FIN-FSA", ncaId: "FI-FINFSA", key: "p-256", ...period },
    },
    await createAuthority({ ...describeCa("A CA"), ...period }, null),
  );
  certificate = join(folder, "bank.pem");
  await writeFile(certificate, issued.toString("pem"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ["nothing chosen", "SE", [], true, false],
  ["refuse", "SE", ["--bank-passports", "refuse"], true, false],
  ["accept", "SE", ["--bank-passports", "accept"], false, true],
  ["accept, at home", "FI", ["--bank-passports", "accept"], false, false],
])("%s, in %s", async (_, jurisdiction, options, refused, accepted) => {
  const { stdout } = await run("psp", "check", certificate, "--jurisdiction", jurisdiction, ...options);
  const { accounts } = JSON.parse(stdout).decision;
  const has = (reasons: readonly { readonly code: string }[] = []) =>
    reasons.some(({ code }) => code === "passport_not_published");
  // no QTSP of a list issued it: that is another reason
  expect([has(accounts.reasons), has(accounts.accepted), accounts.allowed]).toEqual([refused, accepted, false]);
});

test("another choice is not understood", async () => {
  const asked = ["psp", "check", certificate, "--jurisdiction", "SE", "--bank-passports", "maybe"];
  expect(await run(...asked)).toMatchObject({ code: 2, stderr: expect.stringContaining("is not accept or refuse") });
});
