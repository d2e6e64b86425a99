/** What `version: latest` shows beside the interface's answer: on what the verdicts and entries rest. */

import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Sandbox } from "../../../../src/cli/sandbox/files.ts";
import { fromBase64 } from "../../../../src/platform/encoding.ts";
import { VERSION } from "../../../../src/platform/version.ts";
import { listRegisters } from "../../../../src/registers/manifest.ts";
import { parseCrl } from "../../../../src/revocation/crl.ts";
import { anchorsKey, type ListedAnchor } from "../../../../src/trust/anchors.ts";
import { type Certificate, parseCertificate } from "../../../../src/x509/certificate.ts";
import { nameKey } from "../../../../src/x509/name.ts";
import { call } from "../../bank.ts";
import { eidasHeader, loadSandbox } from "../../sandbox.ts";

beforeAll(loadSandbox);
afterEach(() => void vi.useRealTimers());

const sandbox: Sandbox = JSON.parse(env.TEST_SANDBOX);
const bytesOf = (base64: string) => fromBase64(base64) ?? new Uint8Array();
const sha256 = (der: Uint8Array) => createHash("sha256").update(der).digest("hex");

async function check(eidas: string, jurisdiction: string) {
  const headers = { eidas, version: "latest" };
  return (await call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers })).body;
}
/** What is expected to be told of a CRL of the sandbox, as the answer about a certificate. */
function crlProof(name: string, certificate: Uint8Array) {
  const url = `http://sandbox.invalid/crl/${name}.crl`;
  const der = bytesOf(sandbox.crls.find((crl) => crl.url === url)?.base64 ?? "");
  const { thisUpdate, nextUpdate } = parseCrl(der);
  return {
    ...{ certificate: sha256(certificate), source: "CRL", url, sha256: sha256(der) },
    ...{
      producedAt: new Date(thisUpdate).toISOString(),
      crlNumber: "1",
      thisUpdate: new Date(thisUpdate).toISOString(),
    },
    nextUpdate: new Date(nextUpdate ?? Number.NaN).toISOString(),
  };
}
const anchorOf = (qtsp: string): Certificate => {
  const anchor = sandbox.trust.anchors.find(({ serviceName }) => serviceName.startsWith(`${qtsp} CA/QC`));
  return parseCertificate(bytesOf(anchor?.certificate ?? ""));
};
const LIST = {
  ...{ source: "sandbox", jurisdiction: "XX", listSequenceNumber: 1 },
  ...{ listIssuedAt: "2026-11-01T00:00:00.000Z", listNextUpdate: "2070-01-01T00:00:00.000Z" },
};

test("a certificate that is good in two registers: the service, the path, the CRL and both snapshots", async () => {
  const leaf = bytesOf(eidasHeader("scenario-1"));
  const registers = await listRegisters(env.KV);
  const now = Date.parse("2026-12-01T00:00:00.500Z");
  vi.useFakeTimers({ toFake: ["Date"], now });
  const headers = { eidas: eidasHeader("scenario-1"), version: "latest" };
  const answer = await call("GET", "/v1/psp/eidas?jurisdiction=xy", { headers });
  const crl = crlProof("qtsp-1", leaf);
  expect(answer.body.evidence).toEqual({
    ...{ id: answer.headers.get("x-evidence-id"), checked_at: "2026-12-01T00:00:00.500Z", release: VERSION },
    certificate: sha256(leaf),
    anchor: {
      ...LIST,
      ...{ service: "Sandbox QTSP CA/QC since 2016", status: "granted", since: "2016-07-01T00:00:00.000Z" },
    },
    path: [
      {
        subject: "CN=psd2.amber.invalid,organizationIdentifier=PSDXX-TEST-000001,O=Amber Payments Ltd,C=XX",
        sha256: sha256(leaf),
      },
      { subject: "CN=Sandbox QTSP,O=Sandbox QTSP Ltd,C=XX", sha256: sha256(anchorOf("Sandbox QTSP").der) },
    ],
    revocation: [crl],
    registers: ["XX", "XY"].map((country) => {
      const manifest = registers.find((register) => register.country === country);
      expect(manifest).toBeDefined();
      return {
        ...{ country, source: "nca", snapshot: manifest?.hash },
        ...{ published: manifest?.published, dated: "publication", fetchedAt: manifest?.fetchedAt },
      };
    }),
    // older than the list, which was issued in November
    oldest: {
      ...{ name: "CRL on the certificate", at: crl.thisUpdate },
      age_seconds: Math.floor((now - Date.parse(crl.thisUpdate)) / 1000),
    },
  });
});

test("a chain has an answer for each certificate but the anchor, in the path's order", async () => {
  const pem = env.TEST_CERTIFICATES["chain-revoked-issuer"] ?? "";
  const ders = pem.split("-----END CERTIFICATE-----").map((block) => block.replaceAll(/-----[^-]+-----|\s/g, ""));
  const [leaf, issuer] = ders.map(bytesOf);
  if (!leaf || !issuer) throw new Error("no chain");
  const { eIDAS, evidence } = await check(encodeURIComponent(pem), "xx");
  expect(eIDAS.validity.notRevoked).toBe(false);
  expect(evidence.path.map((each: { sha256: string }) => each.sha256)).toEqual(
    [leaf, issuer, anchorOf("Sandbox QTSP").der].map(sha256),
  );
  expect(evidence.revocation).toEqual([crlProof("intermediate-revoked", leaf), crlProof("qtsp-1", issuer)]);
});

test("without a path there is no anchor and no answer, and the registers are shown all the same", async () => {
  const { evidence } = await check(eidasHeader("unlisted-qtsp"), "xx");
  expect(evidence).toMatchObject({ anchor: null, path: [], revocation: [] });
  expect(evidence.registers).toMatchObject([{ country: "XX", source: "nca" }]);
  expect(evidence.oldest).toMatchObject({ name: "nca register of XX", at: evidence.registers[0].fetchedAt });
});

test("an expired certificate's path is shown, and that nobody was asked whether it is revoked", async () => {
  const { evidence } = await check(eidasHeader("scenario-4"), "xx");
  expect(evidence.path).toHaveLength(2);
  expect(evidence).toMatchObject({ anchor: { service: "Sandbox QTSP CA/QC since 2016" }, revocation: [] });
});

test("a withdrawn service is shown with its status and since when", async () => {
  const { evidence } = await check(eidasHeader("scenario-6"), "xx");
  expect(evidence.anchor).toMatchObject({ status: "withdrawn", since: "2019-07-01T00:00:00.000Z" });
});

test("an anchor that was imported before its list's number was kept is read: what is not known is null", async () => {
  const key = anchorsKey(nameKey(anchorOf("Sandbox EC QTSP").subject));
  const stored = await env.KV.get<ListedAnchor[]>(key, "json");
  const older = stored?.map(({ listSequenceNumber: _, listIssuedAt: _issued, ...anchor }) => anchor);
  await env.KV.put(key, JSON.stringify(older));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  const { eIDAS, evidence } = await check(eidasHeader("scenario-10"), "xx");
  expect(eIDAS.validity.validQTSP).toBe(true);
  expect(evidence.anchor).toMatchObject({ ...LIST, listSequenceNumber: null, listIssuedAt: null });
});
