/** The runner from outside: on the suites of our own, on those by others, and on made-up ones. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeSuites, SUITE_FILES } from "../../fixtures/make-suites.ts";
import { makeCertificate } from "../../fixtures/makers/made-pki.ts";
import { caExtensions, extendedKeyUsage } from "../../fixtures/makers/path-extensions.ts";
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
  const counts = stdout.matchAll(/^(?:.*\/)?(.+) \(.*\): (\d+) passed, 0 failed, 0 not applicable, 0 exceptions$/gm);
  expect([...counts].map(([, file, passed]) => [file, Number(passed)])).toEqual([
    ["paths.json", 246],
    ["ocsp.json", 63],
    ["ocsp-age.json", 8],
    ["crl.json", 49],
    ["expected.json", 27],
    ["index.json", 52],
    ["authorisation-cases.json", 28],
    ["pairs.json", 7],
  ]);
  expect(stdout).toContain("2 found directly, 1 found by a rule, 3 found by a link, 1 not found, and numbers differ");
  expect(status).toBe(0);
});

test.runIf(sharedData)("of 18 pairs of real numbers all that have two sides are found", () => {
  const { status, stdout } = run(join(sharedData ?? "", "registers/number_crosswalk_evidence.json"));
  expect(stdout).toContain("18 passed, 0 failed");
  expect(stdout).toContain("11 found directly, 1 found by a rule, 3 found by a link, 3 not found, and numbers differ");
  expect(status).toBe(0);
});

test.runIf(sharedData).each([
  ["paths/limbo.json", "61 passed, 0 failed, 3 not applicable, 3 exceptions"],
  ["paths/pkits.json", "22 passed, 0 failed, 0 not applicable, 0 exceptions"],
  ["ocsp/openssl.json", "54 passed, 0 failed, 0 not applicable, 1 exceptions"],
])("%s passes", (suite, counts) => {
  const path = join(sharedData ?? "", suite);
  const { status, stdout } = run(path);
  expect(stdout).toContain(`${path} (`);
  expect(stdout).toContain(`): ${counts}`);
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

test("a case is judged as in production, whatever it asks for, and what only that would refuse does not apply", () => {
  const forServers = extendedKeyUsage("1.3.6.1.5.5.7.3.1");
  const middle = makeCertificate({ subject: "Middle", issuer: root, extensions: caExtensions() });
  const below = makeCertificate({ subject: "PSP", issuer: middle, extensions: [forServers] });
  const chain = {
    untrusted_intermediates: [pem(middle.certificate.der)],
    peer_certificate: pem(below.certificate.der),
  };
  const asked = (id: string, what: object) => testcase(id, { ...chain, ...what, expected_result: "FAILURE" });
  const suite = write("asked.json", {
    testcases: [
      asked("for a client", { extended_key_usage: ["clientAuth"] }),
      asked("for a server", { validation_kind: "SERVER" }),
      asked("without intermediates", { max_chain_depth: 0 }),
      asked("with one", { max_chain_depth: 1 }),
    ],
  });
  const out = join(folder, "asked-out.json");
  expect(run(suite, "--json", out).stdout).toContain("0 passed, 2 failed, 2 not applicable, 0 exceptions");
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject([
    { outcome: "not-applicable", actual: "SUCCESS", reason: expect.stringContaining("the case's clientAuth") },
    { outcome: "fail", actual: "SUCCESS" },
    { outcome: "not-applicable", actual: "SUCCESS", reason: expect.stringContaining("than the case allows (0)") },
    { outcome: "fail", actual: "SUCCESS" },
  ]);
});

test("an exception is told with its reason, and one that no case of its id needs fails", () => {
  const [id, otherId] = ["rfc5280::aki::leaf-missing-aki", "pkits::4.8.1"];
  const out = (name: string, ...testcases: object[]) => run(write(name, { testcases })).stdout;
  const differing = testcase(id, { expected_result: "FAILURE" });
  expect(out("differs.json", differing)).toMatch(
    /0 passed, 0 failed, 0 not applicable, 1 exceptions\n {2}exception .*11 of 26/,
  );
  expect(out("passes.json", testcase(id, {}))).toMatch(/0 passed, 1 failed.*\n {2}failed .*take it out there/);
  const both = out("both.json", testcase(otherId, {}), testcase(otherId, { expected_result: "FAILURE" }));
  expect(both).toContain("1 passed, 0 failed, 1 not applicable, 0 exceptions");
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
