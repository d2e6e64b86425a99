/** The sandbox's PKI says what its README promises: read by our own parser, and judged by OpenSSL. */
import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import answers from "../../fixtures/answers/index.json" with { type: "json" };
import { AUTHORITIES, CRL_BASE } from "../../fixtures/pki/sandbox-authorities.ts";
import { PSPS } from "../../fixtures/pki/sandbox-psps.ts";
import { readPsp } from "../../src/eidas/psd2.ts";
import { readRegisterFile } from "../../src/registers/import/own-form.ts";
import { readTrustFile } from "../../src/trust/trust-file.ts";
import { findExtension, parseCertificate } from "../../src/x509/certificate.ts";
import { findTool } from "../tools.ts";

const openssl = findTool("openssl") ?? "";
const FIXTURES = join(import.meta.dirname, "../../fixtures");
const AUTHORITY_INFORMATION_ACCESS = "1.3.6.1.5.5.7.1.1";
const CRL_DISTRIBUTION_POINTS = "2.5.29.31";

const path = (...parts: string[]) => join(FIXTURES, ...parts);
const list = (folder: string, directory = FIXTURES) => readdirSync(join(directory, folder)).sort();
const pemBlocks = (file: string) =>
  readFileSync(file, "utf8").match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
const issuerFile = (file: string) => path("issuers", `${file}.pem`);
const node = (file: string, block = 0) => new X509Certificate(pemBlocks(file)[block] ?? "");
const ours = (file: string) => parseCertificate(node(file).raw);

describe.each(PSPS)("certificate $file", (psp) => {
  const file = path("certificates", `${psp.file}.pem`);

  test("is read as planned, without a warning", () => {
    const read = readPsp(ours(file));
    expect(read).toMatchObject({
      pspSubjectName: psp.organisation,
      authNumber: psp.authNumber,
      homeCountry: psp.country,
      QTSPCommonName: AUTHORITIES.find((authority) => authority.file === psp.issuer)?.commonName,
      ncaName: psp.ncaName,
      ncaId: psp.ncaId,
      qcTypes: [psp.type === "web" ? "0.4.0.1862.1.6.3" : "0.4.0.1862.1.6.2"],
      notBefore: psp.notBefore.getTime(),
      notAfter: psp.notAfter.getTime(),
      warnings: [],
    });
    expect(read.roles.map(({ name }) => name)).toEqual(psp.roles);
  });

  test("is signed by its issuer, which follows it only in a chain file", () => {
    const issuer = node(issuerFile(psp.issuer));
    expect(node(file).verify(issuer.publicKey)).toBe(true);
    expect(node(file).checkIssued(issuer)).toBe(true);
    expect(pemBlocks(file)).toHaveLength(psp.chain ? 2 : 1);
    if (psp.chain) expect(node(file, 1).fingerprint256).toBe(issuer.fingerprint256);
  });

  test("names its issuer's CRL and no OCSP responder", () => {
    const points = findExtension(ours(file), CRL_DISTRIBUTION_POINTS)?.value ?? new Uint8Array();
    expect(new TextDecoder("latin1").decode(points)).toContain(`${CRL_BASE}${psp.issuer}.crl`);
    expect(list("crls")).toContain(`${psp.issuer}.crl`);
    expect(findExtension(ours(file), AUTHORITY_INFORMATION_ACCESS)).toBeNull();
  });

  test.runIf(openssl)("gets OpenSSL's verdict, with every CRL", () => {
    const intermediates = AUTHORITIES.filter(({ issuer }) => issuer !== null);
    const { stdout, stderr } = spawnSync(openssl, [
      ...["verify", "-x509_strict", "-crl_check_all", "-CAfile", issuerFile("root")],
      ...intermediates.flatMap((authority) => ["-untrusted", issuerFile(authority.file)]),
      ...list("crls").flatMap((crl) => ["-CRLfile", path("crls", crl)]),
      file,
    ]);
    const verdict = /error (\d+) at (\d)|: OK/.exec(`${stdout}${stderr}`)?.[0];
    expect(verdict).toBe(OPENSSL_VERDICTS[psp.file] ?? ": OK");
  });
});

/** X509_V_ERR_CERT_HAS_EXPIRED is 10, X509_V_ERR_CERT_REVOKED 23; the leaf's depth is 0. */
const OPENSSL_VERDICTS: Record<string, string> = {
  "scenario-4": "error 10 at 0",
  "scenario-5": "error 23 at 0",
  "chain-revoked-issuer": "error 23 at 1",
  "chain-expired-issuer": "error 10 at 1",
};

test.runIf(openssl).each(AUTHORITIES)(
  "the CRL of $file verifies, lives for decades and lists what the plan says",
  ({ file }) => {
    const crl = ["crl", "-in", path("crls", `${file}.crl`), "-noout"];
    const verified = spawnSync(openssl, [...crl, "-verify", "-CAfile", issuerFile(file)]);
    expect(`${verified.stdout}${verified.stderr}`).toContain("verify OK");
    const shown = execFileSync(openssl, [...crl, "-nextupdate", "-text"], { encoding: "utf8" });
    expect(shown).toContain("nextUpdate=Jan  1 00:00:00 2070 GMT");
    const serials = [...shown.matchAll(/Serial Number: ([0-9A-F]+)/g)].map(([, serial]) => serial);
    const revoked = [
      ...PSPS.filter((psp) => psp.issuer === file && psp.revoked).map((psp) => path("certificates", `${psp.file}.pem`)),
      ...AUTHORITIES.filter((ca) => ca.issuer === file && ca.revoked).map((ca) => issuerFile(ca.file)),
    ];
    expect(serials).toEqual(revoked.map((certificate) => node(certificate).serialNumber));
  },
);

test("the trusted list is in the own form, and holds the issuers that the plan lists, with their statuses", () => {
  const trust = readTrustFile(
    readFileSync(path("trust", "sandbox.json"), "utf8"),
    {},
    Date.parse("2026-11-21T00:00:00Z"),
  );
  const anchors = trust.ok ? trust.list.anchors : [];
  const listed = AUTHORITIES.filter((authority) => authority.listed !== null);
  expect(anchors.map(({ certificate }) => certificate)).toEqual(
    listed.map(({ file }) => node(issuerFile(file)).raw.toString("base64")),
  );
  const statuses = anchors.map(({ periods }) => periods.map(({ status, from }) => ({ status, from })));
  expect(statuses).toEqual(listed.map((authority) => authority.listed));
});

test.each(["XX", "XY"])("the register of %s is in the own form, without a fault", (country) => {
  const read = readRegisterFile(readFileSync(path("registers", `${country}.json`), "utf8"));
  expect(read).toMatchObject({ ok: true, register: { country, ncaId: `${country}-TEST` } });
});

test("each certificate has an expected answer, and each answer its certificate", () => {
  expect(new Set(answers.map(({ certificate }) => certificate))).toEqual(new Set(list("certificates")));
  expect(answers.map(({ answer }) => answer).sort()).toEqual(list("answers").filter((file) => file !== "index.json"));
});

test("the README lists every fixture", () => {
  const readme = readFileSync(path("README.md"), "utf8");
  const files = ["certificates", "issuers", "crls", "registers", "trust", "answers", "pki"].flatMap((f) => list(f));
  expect(files.filter((file) => !readme.includes(`\`${file}\``))).toEqual([]);
});

test("the script makes every file anew, and no private key", () => {
  const directory = mkdtempSync(join(tmpdir(), "fixtures-"));
  try {
    execFileSync(process.execPath, [path("make.ts"), directory]);
    for (const folder of ["certificates", "issuers", "crls", "trust"]) {
      expect(list(folder, directory)).toEqual(list(folder));
    }
    for (const root of [directory, FIXTURES]) {
      const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const secret = files.filter((entry) =>
        readFileSync(join(entry.parentPath, entry.name), "utf8").includes("PRIVATE KEY-----"),
      );
      expect(secret.map(({ name }) => name)).toEqual([]);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});
