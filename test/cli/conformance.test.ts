/** The runner from outside: on the suites of our own, on those by others, and on made-up ones. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeSuites, SUITE_FILES } from "../../fixtures/make-suites.ts";
import { makeCertificate } from "../../fixtures/makers/made-pki.ts";
import { caExtensions } from "../../fixtures/makers/path-extensions.ts";
import { sharedData } from "../shared-data.ts";

const ROOT = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "conformance-"));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["test/conformance/main.ts", ...args], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function write(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

test("every suite of our own passes, all of it", async () => {
  await makeSuites(folder);
  const { status, stdout } = run(...SUITE_FILES.map((file) => join(folder, file)));
  const counts = stdout.matchAll(/^(?:.*\/)?(.+) \(.*\): (\d+) passed, 0 failed, 0 not applicable$/gm);
  expect([...counts].map(([, file, passed]) => [file, Number(passed)])).toEqual([
    ["paths.json", 275],
    ["ocsp.json", 63],
    ["ocsp-age.json", 8],
    ["crl.json", 49],
    ["expected.json", 27],
    ["index.json", 52],
    ["authorisation-cases.json", 28],
  ]);
  expect(status).toBe(0);
});

test.runIf(sharedData).each([
  ["paths/limbo.json", 67, 0],
  ["paths/pkits.json", 22, 0],
  ["ocsp/openssl.json", 54, 1],
])("%s passes", (suite, passed, notApplicable) => {
  const path = join(sharedData ?? "", suite);
  const { status, stdout } = run(path);
  expect(stdout).toContain(`${path} (`);
  expect(stdout).toContain(`): ${passed} passed, 0 failed, ${notApplicable} not applicable`);
  expect(status).toBe(0);
});

const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString("base64")}\n-----END CERTIFICATE-----\n`;
const root = makeCertificate({ subject: "Root", extensions: caExtensions() });
const leaf = makeCertificate({ subject: "PSP", issuer: root });
const testcase = (id: string, more: object) => ({
  id,
  validation_kind: "CLIENT",
  trusted_certs: [pem(root.certificate.der)],
  untrusted_intermediates: [],
  peer_certificate: pem(leaf.certificate.der),
  validation_time: "2026-06-15T12:00:00Z",
  expected_result: "SUCCESS",
  ...more,
});

test("what fails is named, makes the exit code 1, and is in the JSON with its reason", () => {
  const peer = { kind: "DNS", value: "psp.example" };
  const suite = write("suite.json", {
    testcases: [
      testcase("good", {}),
      testcase("refused", { trusted_certs: [] }),
      testcase("accepted", { expected_result: "FAILURE" }),
      testcase("about a name", { expected_result: "FAILURE", expected_peer_name: peer }),
      testcase("broken", { trusted_certs: ["no PEM"] }),
    ],
  });
  const out = join(folder, "out.json");
  const { status, stdout } = run(suite, "--json", out);
  expect(status).toBe(1);
  expect(stdout).toContain("1 passed, 3 failed, 1 not applicable");
  expect(stdout).toContain("  failed accepted: expected FAILURE, got SUCCESS (the path is valid)");
  expect(JSON.parse(readFileSync(out, "utf8"))).toEqual([
    { id: "good", expected: "SUCCESS", actual: "SUCCESS", outcome: "pass", reason: "the path is valid" },
    {
      id: "refused",
      expected: "SUCCESS",
      actual: "FAILURE",
      outcome: "fail",
      reason: "no-anchor: no trusted issuer of the certificate is known",
    },
    { id: "accepted", expected: "FAILURE", actual: "SUCCESS", outcome: "fail", reason: "the path is valid" },
    {
      id: "about a name",
      expected: "FAILURE",
      actual: "SUCCESS",
      outcome: "not-applicable",
      reason: expect.stringContaining("psp.example"),
    },
    { id: "broken", expected: "SUCCESS", actual: "error", outcome: "fail", reason: "no PEM block" },
  ]);
});

test.each([
  ["a file that is missing", join(folder, "missing.json"), /ENOENT/],
  ["a file that is no JSON", write("text.txt", "hello"), /not a suite of a known form/],
  ["JSON that is no suite", write("other.json", { hello: 1 }), /not a suite of a known form/],
  ["a suite that lacks a field", write("half.json", { testcases: [{ id: "x" }] }), /malformed suite.*validation_kind/s],
])("%s ends with a sentence and the exit code 2", (_, path, message) => {
  const { status, stderr } = run(path);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain("    at ");
});

test("without a file it says how it is used", () => {
  expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining("usage:") });
});
