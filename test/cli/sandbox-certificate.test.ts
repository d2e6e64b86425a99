/** `sandbox certificate`: what the service says of each kind, and what OpenSSL, which has no code of ours, reads in it. */
import { ALL_TRUE } from "../all-true.ts";
import "./in-process.ts";
import { execFileSync } from "node:child_process";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { openCa } from "../../src/cli/sandbox/ca-key.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { writePem } from "../../src/sandbox/issue-certificate.ts";
import { issuePspCertificate } from "../../src/sandbox/pki/psp-certificate.ts";
import { findTool } from "../tools.ts";
import { STATE_DIR } from "./own-state.ts";
import { json, run } from "./run-here.ts";

const OWN = "PSDXX-TEST-001001";

interface Made {
  readonly certificate: string;
  readonly key: string;
  readonly issuer: string;
  readonly not_before: string;
  readonly not_after: string;
}
let made = 0;
const make = async (...args: string[]): Promise<Made> =>
  json("sandbox", "certificate", "--psp", OWN, "--out", join(STATE_DIR, `made-${made++}`), ...args);
const check = async (path: string) => json("psp", "check", path, "--jurisdiction", "XX");
const OPENSSL = findTool("openssl") ?? "";
const openssl = (...args: string[]): string => execFileSync(OPENSSL, args, { encoding: "utf8" });

const ALLOWED = { payments: { allowed: true, reasons: [] }, accounts: { allowed: true, reasons: [] } };

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  await json("sandbox", "psp", "add", "--name", "My Payments Ltd", "--number", OWN);
});

test.each([
  ["a QWAC", [], ALL_TRUE, [true, true]],
  ["a QSealC with P-256", ["--type", "qsealc", "--key", "ec"], ALL_TRUE, [true, true]],
  ["the role PSP_AI alone", ["--roles", "PSP_AI"], ALL_TRUE, [false, true]],
  // interface, sandbox scenario 4: a path with an expired certificate is broken, and counts as revoked
  [
    "an expired one",
    ["--expired"],
    { ...ALL_TRUE, validSignature: false, notRevoked: false, notExpired: false },
    [false, false],
  ],
  ["a revoked one", ["--revoked"], { ...ALL_TRUE, notRevoked: false }, [false, false]],
  [
    "one of an unlisted issuer",
    ["--unlisted"],
    { ...ALL_TRUE, validQTSP: false, validSignature: false, notRevoked: false },
    [false, false],
  ],
  [
    "an expired one that is revoked, too",
    ["--expired", "--revoked"],
    { notRevoked: false, notExpired: false },
    [false, false],
  ],
] as const)("%s", async (_, args, validity, [payments, accounts]) => {
  const { certificate } = await make(...args);
  const answer = await check(certificate);
  expect(answer.eIDAS).toMatchObject({ validity, data: { authNumber: OWN, pspSubjectName: "My Payments Ltd" } });
  expect([answer.decision.payments.allowed, answer.decision.accounts.allowed]).toEqual([payments, accounts]);
});

test("sandbox revoke: one that was good is revoked, and no other one is", async () => {
  const [{ certificate }, other] = [await make("--key", "ec"), await make("--key", "ec")];
  // not checked before: commands share this process, which would remember its CRL
  await json("sandbox", "revoke", certificate);
  expect((await check(certificate)).eIDAS.validity).toEqual({ ...ALL_TRUE, notRevoked: false });
  expect((await check(other.certificate)).eIDAS.validity).toEqual(ALL_TRUE);
  const unlisted = await make("--unlisted");
  for (const [file, said] of [
    [unlisted.certificate, "was not issued by this sandbox's CA"],
    ["fixtures/certificates/scenario-1.pem", "was not issued by this sandbox's CA"],
    [certificate.replace("certificate.pem", "key.pem"), "is no certificate as sandbox certificate writes it"],
    ["nothing.pem", "cannot be read"],
  ] as const)
    expect(await run("sandbox", "revoke", file)).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
});

test.runIf(OPENSSL)(
  "OpenSSL verifies the certificate, and reads its purpose, its statements and its days",
  async () => {
    const { certificate, key, issuer, not_after } = await make("--days", "30", "--roles", "PSP_AI", "PSP_IC");
    expect(openssl("verify", "-x509_strict", "-purpose", "sslclient", "-CAfile", issuer, certificate)).toContain("OK");
    const text = openssl("x509", "-in", certificate, "-noout", "-text");
    expect(text).toContain("TLS Web Client Authentication");
    expect(text).toMatch(/URI:http:\/\/sandbox\.invalid\/crl\/01[0-9a-f]{30}\.crl/);
    const statements = openssl("asn1parse", "-in", certificate, "-strparse", offsetOf(certificate));
    for (const told of ["0.4.0.19495.2", "PSP_AI", "PSP_IC", "XX-TEST", "Test Authority of XX"])
      expect(statements).toContain(told);
    expect(statements).not.toContain("PSP_PI");
    expect(Date.parse(not_after) - Date.now()).toBeGreaterThan(29 * 86_400_000);
    // the key is the certificate's
    const publicOf = openssl("pkey", "-in", key, "-pubout");
    expect(publicOf).toBe(openssl("x509", "-in", certificate, "-noout", "-pubkey"));
    // as the help says, for a browser
    const [p12, password] = [join(STATE_DIR, "psp.p12"), "pass:a"];
    openssl(
      "pkcs12",
      "-export",
      "-inkey",
      key,
      "-in",
      certificate,
      "-certfile",
      issuer,
      "-out",
      p12,
      "-passout",
      password,
    );
    expect(openssl("pkcs12", "-in", p12, "-nokeys", "-passin", password)).toContain("BEGIN CERTIFICATE");
  },
);

/** Where the contents of qcStatements begin. */
function offsetOf(certificate: string): string {
  const lines = openssl("asn1parse", "-in", certificate).split("\n");
  const at = lines.findIndex((line) => line.includes("qcStatements"));
  return /^ *(\d+):/.exec(lines[at + 1] ?? "")?.[1] ?? "";
}

test("the keys are for their owner alone: the CA's in the state folder, the PSP's where it was written", async () => {
  const { key } = await make();
  for (const path of [key, join(STATE_DIR, ".dev.vars")]) expect((await stat(path)).mode & 0o777).toBe(0o600);
  const pkcs8 = (await readFile(key, "utf8")).replaceAll(/-----[^-]+-----|\s/g, "");
  expect(await readFile(join(STATE_DIR, ".dev.vars"), "utf8")).not.toContain(pkcs8.slice(40, 80));
  // there is one, and every command uses it
  expect((await readFile(join(STATE_DIR, ".dev.vars"), "utf8")).match(/^SANDBOX_CA=/gm)).toHaveLength(1);
});

test("the sandbox's CA vouches for no PSP of a country, though it signed its certificate", async () => {
  const ca = await openCa(LOCAL);
  const days = { notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date("2060-01-01T00:00:00Z") };
  const named = { ncaId: "DE-BAFIN", ncaName: "BaFin", roles: ["PSP_PI", "PSP_AI"], type: "web" } as const;
  for (const [authNumber, vouched] of [
    ["PSDXX-TEST-001001", true],
    ["PSDDE-BAFIN-100001", false],
    ["PSDGB-FCA-100001", false],
    ["VATDE-123456789", false],
  ] as const) {
    const organisation = { country: "XX", organisation: "Mallory Ltd", commonName: "a.example", authNumber };
    const leaf = await issuePspCertificate({ ...named, ...organisation, ...days, key: "p-256" }, ca);
    const path = join(STATE_DIR, "foreign.pem");
    await writeFile(path, writePem("CERTIFICATE", new Uint8Array(leaf.rawData)));
    expect((await check(path)).eIDAS.validity.validQTSP, authNumber).toBe(vouched);
  }
});

test("a PSP that is withdrawn is refused with the certificate that it had", async () => {
  const { certificate } = await make();
  expect((await check(certificate)).decision).toEqual(ALLOWED);
  await json("sandbox", "psp", "set", OWN, "--status", "Withdrawn");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 120_000 });
  const { decision } = await check(certificate);
  expect(decision.payments).toMatchObject({ allowed: false, reasons: [{ code: "authorisation_withdrawn" }] });
  vi.useRealTimers();
});

test.each([
  [["--psp", "PSDXX-TEST-777"], 1, "is not in the register"],
  [["--psp", "PSDDE-BAFIN-1"], 2, "no PSP of a real country"],
  [["--psp", OWN, "--days", "0"], 2, "--days: a number from 1 to 3650"],
  [["--psp", OWN, "--remote"], 1, "production has no sandbox"],
  [["--psp", OWN, "--env", "production"], 1, "production has no sandbox"],
])("sandbox certificate %j ends with %i: %s", async (args, code, said) => {
  const out = ["--out", join(STATE_DIR, "none")];
  expect(await run("sandbox", "certificate", ...args, ...out)).toMatchObject({
    code,
    stderr: expect.stringContaining(said),
  });
});

test("sandbox certificate --out /proc/x has never ended: it is told that no folder can be made there", async () => {
  const file = join(STATE_DIR, "a-file");
  await writeFile(file, "");
  for (const [out, said] of [
    ["/proc/x", `/proc/x/${OWN} cannot be made: its file system takes no folders`],
    [file, `${join(file, OWN)} cannot be made: a part of its path is a file`],
  ] as const)
    expect(await run("sandbox", "certificate", "--psp", OWN, "--out", out)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(said),
    });
  const { stdout } = await run("sandbox", "certificate", "--help");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("--out <folder> where a folder with the PSP's number is made");
});

test("production takes no list of a sandbox", async () => {
  const list = join(import.meta.dirname, "../../fixtures/trust/sandbox.json");
  const { code, stderr } = await run("trust", "import", list, "--remote");
  expect([code, stderr]).toEqual([1, expect.stringContaining("production has no sandbox")]);
  expect((await run("trust", "import", list, "--env", "staging")).code).toBe(0);
});
