/**
 * A CRL that a CA signed with its next key, or one of its own for CRLs: it counts where the same trusted list has the key
 * for the same provider, or an issuer on the path certified it, and not because its certificate was sent.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import {
  at,
  crlAt,
  type Holder,
  keyUsage,
  type MadeExtension,
  makeCertificate,
  makeCrl,
  octets,
} from "../../../fixtures/makers/made-pki.ts";
import { basicConstraints } from "../../../fixtures/makers/path-extensions.ts";
import type { ValidityCheck } from "../../../src/eidas/validity.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";
import { importCrl } from "../../../src/revocation/crl-import.ts";
import { judgeAgain, type SaidAnswer } from "../../../src/revocation/judge-again.ts";
import { checkRevocation } from "../../../src/revocation/revocation.ts";
import { readRevocationCache } from "../../../src/revocation/revocation-store.ts";
import type { KnownAnchor, ListedAnchor } from "../../../src/trust/anchors.ts";
import { findTool } from "../../tools.ts";
import { asked, Kv, network, useNetwork } from "../revocation/network-and-kv.ts";
import { checkValidity } from "./check-validity.ts";

useNetwork();

const NOW = at("2026-06-10T00:00:00Z");
const MAY_SIGN_ALL = [basicConstraints(true), keyUsage(5, 6)];
const certify = (more: Partial<Parameters<typeof makeCertificate>[0]> = {}) =>
  makeCertificate({ subject: "CA", extensions: MAY_SIGN_ALL, ...more });
const last = certify();
const next = certify();
/** The next key, certified by the last one: the rollover certificate, "new with old". */
const rollover = (more: Partial<Parameters<typeof makeCertificate>[0]> = {}) =>
  certify({ issuer: last, key: next.key, serial: "0c", ...more });

const listed = ({ certificate }: Holder, more: Partial<ListedAnchor> = {}): KnownAnchor => ({
  certificate,
  listed: {
    ...{ certificate: toBase64(certificate.der), source: "eIDAS", jurisdiction: "XX", qtspName: "QTSP" },
    ...{ serviceName: "CA", periods: [{ status: "granted", from: "2017-01-01T00:00:00Z", uses: null }] },
    ...{ listSequenceNumber: 1, listIssuedAt: "2026-06-01T00:00:00Z", listNextUpdate: null, ...more },
  },
});

let places = 0;
function issue(issuer = last, ...more: MadeExtension[]) {
  const url = `http://signers.test/${places++}`;
  return {
    url,
    leaf: makeCertificate({ subject: "PSP", issuer, serial: "0a1b", extensions: [crlAt(url), ...more] }).certificate,
  };
}

interface Case {
  readonly leaf: Holder["certificate"];
  readonly sent?: readonly Holder[];
  readonly anchors?: readonly KnownAnchor[];
  readonly kv?: Kv;
}

/** What is found on the leaf, and that a replay finds the same. */
async function check({ leaf, sent = [], anchors = [listed(last)], kv = new Kv(NOW) }: Case): Promise<ValidityCheck> {
  const issuers = sent.map(({ certificate }) => certificate);
  const pending: Promise<unknown>[] = [];
  const ctx = { waitUntil: (promise: Promise<unknown>) => void pending.push(promise) };
  const cached = await readRevocationCache(kv.asKv(), [leaf, ...issuers], kv.now);
  const input = {
    leaf,
    issuers,
    anchors,
    now: kv.now,
    claims: { qcCompliance: true, qcLegislation: false, qcTypes: [] },
  };
  const found = await checkValidity({
    ...input,
    revocation: (path, signers) => checkRevocation({ kv: kv.asKv(), ctx, path, signers, cached, now: kv.now }),
  });
  await Promise.all(pending);
  const write = ({ source, url, answer, der }: ValidityCheck["revocation"][number]["said"][number]): SaidAnswer => {
    if (der) return { source, url, der: Uint8Array.from(der) };
    if (answer.status !== "unusable" && answer.status !== "unavailable") throw new Error("no bytes");
    return { source, url, answer };
  };
  const again = await checkValidity({
    ...input,
    revocation: (path, signers) =>
      judgeAgain(
        path,
        found.revocation.map(({ said }) => said.map(write)),
        kv.now,
        signers,
      ),
  });
  expect(again.validity).toEqual(found.validity);
  expect(again.warnings).toEqual(found.warnings);
  return found;
}
const notRevoked = async (of: Case) => (await check(of)).validity.notRevoked;

const renewed = listed(next);
describe("a CRL by the next key of the CA", () => {
  test.each([
    ["is on the same trusted list", { anchors: [listed(last), renewed] }],
    ["was sent in a rollover certificate", { sent: [rollover()] }],
    ["may sign CRLs alone, and was sent", { sent: [rollover({ extensions: [keyUsage(6)] })] }],
  ])("clears and revokes where that %s", async (_, trust) => {
    const { leaf, url } = issue();
    network.set(url, makeCrl({ issuer: next }));
    const kv = new Kv(NOW);
    expect(await check({ leaf, kv, ...trust })).toMatchObject({ validity: { notRevoked: true } });
    // as it is kept, for an isolate that did not fetch it
    network.set(url, null);
    vi.resetModules();
    const other = await import("../../../src/revocation/revocation.ts");
    const { readRevocationCache } = await import("../../../src/revocation/revocation-store.ts");
    const { listCrlSigners } = await import("../../../src/eidas/crl-signers.ts");
    const { startBudget } = await import("../../../src/x509/path-budget.ts");
    const path = [leaf, last.certificate];
    const { anchors = [listed(last)], sent = [] } = trust as Omit<Case, "leaf">;
    const issuers = sent.map(({ certificate }) => certificate);
    const signers = await listCrlSigners({ path, issuers, anchors, now: NOW, budget: startBudget() });
    const cached = await readRevocationCache(kv.asKv(), [leaf], NOW);
    const input = { kv: kv.asKv(), ctx: { waitUntil: () => {} }, path, cached, now: NOW };
    expect(await other.checkRevocation({ ...input, signers })).toMatchObject([{ status: "good", source: "CRL" }]);
    expect(await other.checkRevocation(input)).toMatchObject([{ status: "unknown" }]);

    const revoked = issue();
    network.set(revoked.url, makeCrl({ issuer: next, entries: [{ serial: "0a1b" }] }));
    expect(await check({ leaf: revoked.leaf, ...trust })).toMatchObject({
      warnings: expect.arrayContaining([expect.objectContaining({ code: "certificate_revoked" })]),
    });
  });

  test.each<[string, Omit<Case, "leaf">]>([
    ["is on no list, and was sent by itself", { sent: [next] }],
    ["was not sent", {}],
    ["was certified by a namesake", { sent: [rollover({ issuer: certify() })] }],
    ["may not sign CRLs", { sent: [rollover({ extensions: [basicConstraints(true), keyUsage(5)] })] }],
    ["has ended", { sent: [rollover({ notAfter: NOW - 1000 })] }],
    ["has another name", { sent: [rollover({ subject: "CB" })] }],
    ["is another provider's on the list", { anchors: [listed(last), listed(next, { qtspName: "Other" })] }],
    ["is on another country's list", { anchors: [listed(last), listed(next, { jurisdiction: "XY" })] }],
    ["is on another list", { anchors: [listed(last), listed(next, { source: "OBIE" })] }],
    [
      "is withdrawn",
      {
        anchors: [
          listed(last),
          listed(next, { periods: [{ status: "withdrawn", from: "2017-01-01T00:00:00Z", uses: null }] }),
        ],
      },
    ],
    [
      "is listed with a certificate that has ended",
      { anchors: [listed(last), listed(certify({ key: next.key, notAfter: NOW - 1000 }))] },
    ],
  ])("clears nobody where that key %s", async (_, trust) => {
    const { leaf, url } = issue();
    network.set(url, makeCrl({ issuer: next }));
    expect(await notRevoked({ leaf, ...trust })).toBe(false);
  });

  test("clears nobody where it revokes the rollover certificate, or a kept CRL by the last key does", async () => {
    const own = issue();
    network.set(own.url, makeCrl({ issuer: next, entries: [{ serial: "0c" }] }));
    expect(await notRevoked({ leaf: own.leaf, sent: [rollover()] })).toBe(false);
    const { leaf, url } = issue();
    const kv = new Kv(at("2026-06-01T12:00:00Z"));
    const der = makeCrl({ issuer: last, nextUpdate: at("2026-06-02T00:00:00Z"), entries: [{ serial: "0c" }] });
    await importCrl(kv.asKv(), { url, der, issuer: last.certificate, now: kv.now });
    // it has ended since
    kv.now = NOW;
    network.set(url, makeCrl({ issuer: next }));
    expect(await notRevoked({ leaf, sent: [rollover()], kv })).toBe(false);
    // what a check without a good rollover certificate met keeps no other from asking
    expect(await notRevoked({ leaf, sent: [rollover({ serial: "0d" })], kv })).toBe(true);
  });

  test("does not bring back what a CRL by the last key revoked, though that has ended: each key may have its own", async () => {
    const { leaf, url } = issue();
    const kv = new Kv(at("2026-06-01T12:00:00Z"));
    const der = makeCrl({ issuer: last, nextUpdate: at("2026-06-02T00:00:00Z"), entries: [{ serial: "0a1b" }] });
    await importCrl(kv.asKv(), { url, der, issuer: last.certificate, now: kv.now });
    kv.now = NOW;
    network.set(url, makeCrl({ issuer: next, thisUpdate: NOW - 1000 }));
    const { revocation } = await check({ leaf, anchors: [listed(last), renewed], kv });
    expect(revocation).toMatchObject([{ status: "revoked" }]);
    expect(revocation[0]?.said).toMatchObject([{ ended: true }, { answer: { status: "good" } }]);
  });

  test.each([
    ["clears it", true, () => makeCrl({ issuer: last })],
    ["revokes it", false, () => makeCrl({ issuer: last, entries: [{ serial: "0c" }] })],
    ["is by the key that it is about", false, () => makeCrl({ issuer: next })],
    ["cannot be had", false, null],
  ])("counts as the CRL that the rollover certificate alone names %s", async (_, expected, list) => {
    const { leaf, url } = issue();
    const own = `${url}/own`;
    network.set(url, makeCrl({ issuer: next }));
    network.set(own, list?.() ?? null);
    const sent = [rollover({ extensions: [...MAY_SIGN_ALL, crlAt(own)] })];
    expect(await notRevoked({ leaf, sent })).toBe(expected);
    expect(asked).toContain(own);
  });
});

describe("of a path by way of the last key, which the next one certified", () => {
  const oldWithNew = (url: string) =>
    certify({ issuer: next, key: last.key, serial: "0e", extensions: [...MAY_SIGN_ALL, crlAt(url)] });
  const trust = (url: string) => ({ sent: [oldWithNew(url)], anchors: [listed(next)] });

  test("a CRL by the next key is about the certificates of the last one, too", async () => {
    const { leaf, url } = issue();
    network.set(url, makeCrl({ issuer: next }));
    expect(await notRevoked({ leaf, ...trust(url) })).toBe(true);
    const revoked = issue();
    network.set(revoked.url, makeCrl({ issuer: next, entries: [{ serial: "0a1b" }] }));
    expect(await notRevoked({ leaf: revoked.leaf, ...trust(revoked.url) })).toBe(false);
  });

  test("the last key does not clear its own certificate", async () => {
    const { leaf, url } = issue();
    network.set(url, makeCrl({ issuer: last }));
    const found = await check({ leaf, ...trust(url) });
    expect(found.revocation.map(({ status }) => status)).toEqual(["good", "unknown"]);
  });
});

test("nothing is looked for where no other certificate has an issuer's name", async () => {
  const { leaf, url } = issue();
  network.set(url, makeCrl({ issuer: last }));
  const { revocation } = await check({ leaf, sent: [certify({ subject: "CB" })] });
  expect(revocation).toMatchObject([{ status: "good" }]);
});

const openssl = findTool("openssl");
test.runIf(openssl)(
  "OpenSSL says the same of a CRL by the next key, with and without the rollover certificate",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "signers-"));
    try {
      const file = (name: string, label: string, der: Uint8Array) => {
        const path = join(directory, name);
        writeFileSync(
          path,
          `-----BEGIN ${label}-----\n${Buffer.from(der).toString("base64")}\n-----END ${label}-----\n`,
        );
        return path;
      };
      // OpenSSL finds the signer of a CRL by its key identifier alone
      const identified = (n: number, by: number) => [
        ...[...MAY_SIGN_ALL, signedBy(by)],
        { oid: "2.5.29.14", value: octets(Uint8Array.of(n)) },
      ];
      const signedBy = (n: number) => ({ oid: "2.5.29.35", value: Uint8Array.of(0x30, 3, 0x80, 1, n) });
      const old = certify({ extensions: identified(1, 1) });
      const sent = certify({ issuer: old, key: next.key, serial: "0c", extensions: identified(2, 1) });
      const extensions = [signedBy(2)];
      for (const isSent of [true, false]) {
        for (const serial of ["0b", "0a1b"]) {
          const { leaf, url } = issue(old, signedBy(1));
          const crl = makeCrl({ issuer: next, entries: [{ serial }], extensions });
          network.set(url, crl);
          const args = ["verify", "-crl_check", "-extended_crl", "-attime", String(NOW / 1000)];
          args.push("-no-CApath", "-no-CAstore", "-CAfile", file("last.pem", "CERTIFICATE", old.certificate.der));
          if (isSent) args.push("-untrusted", file("sent.pem", "CERTIFICATE", sent.certificate.der));
          args.push("-CRLfile", file("crl.pem", "X509 CRL", crl), file("leaf.pem", "CERTIFICATE", leaf.der));
          const theirs = (() => {
            try {
              execFileSync(openssl ?? "", args, { stdio: "pipe" });
              return true;
            } catch {
              return false;
            }
          })();
          expect(
            await notRevoked({ leaf, sent: isSent ? [sent] : [], anchors: [listed(old)] }),
            `${isSent} ${serial}`,
          ).toBe(theirs);
          expect(theirs).toBe(isSent && serial === "0b");
        }
      }
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);
