/** The certificates of the plan, their QTSPs, the CRL and the trusted list, as the service imports them. */
import "reflect-metadata";
import { createHash } from "node:crypto";
import { type Authority, createAuthority } from "../../../src/sandbox/pki/authority.ts";
import { issueCrl } from "../../../src/sandbox/pki/crl.ts";
import { issuePspCertificate } from "../../../src/sandbox/pki/psp-certificate.ts";
import { readTrustFile } from "../../../src/trust/trust-file.ts";
import { CERTIFICATES, HOME, NCA_NAMES, type PlannedCertificate, planCertificate } from "./plan.ts";

const NOT_BEFORE = new Date("2020-01-01T00:00:00Z");
const NOT_AFTER = new Date("2070-01-01T00:00:00Z");
const EXPIRED = new Date("2022-01-01T00:00:00Z");
const CRL_DATES = { revokedAt: new Date("2025-06-01T00:00:00Z"), thisUpdate: NOT_BEFORE, nextUpdate: NOT_AFTER };
const CRL_URL = "http://load.invalid/crl/qtsp.crl";
const SERVICE_NAME = "Load QTSP CA/QC";

/** What the load generator knows of the service's data. Plain data, sent as JSON. */
export interface World {
  /** As they are sent; by the plan's index. */
  readonly certificates: readonly { readonly base64: string; readonly sha256: string }[];
}

const makeQtsp = (commonName: string): Promise<Authority> =>
  createAuthority(
    {
      country: HOME,
      organisation: `${commonName} Ltd`,
      commonName,
      key: "rsa-2048",
      pathLength: 0,
      notBefore: NOT_BEFORE,
      notAfter: NOT_AFTER,
      crlUrl: CRL_URL,
    },
    null,
  );

const digest = (der: ArrayBuffer): string => createHash("sha256").update(Buffer.from(der)).digest("hex");
const toBase64 = (der: ArrayBuffer): string => Buffer.from(der).toString("base64");

/** A second or two: a thousand signatures. */
export async function makePki() {
  const [qtsp, unlisted] = await Promise.all([makeQtsp("Load QTSP"), makeQtsp("Load Unlisted QTSP")]);
  const issue = (plan: PlannedCertificate) =>
    issuePspCertificate(
      {
        country: HOME,
        organisation: plan.legalName,
        commonName: plan.commonName,
        authNumber: plan.pspId,
        key: "p-256",
        notBefore: NOT_BEFORE,
        notAfter: plan.fault === "expired" ? EXPIRED : NOT_AFTER,
        type: "web",
        roles: plan.roles,
        ncaName: NCA_NAMES[HOME] ?? "",
        ncaId: `${HOME}-LOAD`,
      },
      plan.fault === "unlisted" ? unlisted : qtsp,
    );
  const plans = Array.from({ length: CERTIFICATES }, (_, index) => planCertificate(index));
  const issued = await Promise.all(plans.map(async (plan) => ({ plan, certificate: await issue(plan) })));
  const revoked = issued.filter(({ plan }) => plan.fault === "revoked").map(({ certificate }) => certificate);
  const crl = (await issueCrl({ revoked, ...CRL_DATES }, qtsp)).rawData;
  const anchor = toBase64(qtsp.certificate.rawData);
  const periods = [{ status: "granted", from: NOT_BEFORE.toISOString(), uses: ["web-authentication"] }];
  return {
    certificates: issued.map(({ certificate: { rawData } }) => ({
      base64: toBase64(rawData),
      sha256: digest(rawData),
    })),
    crl: { url: CRL_URL, base64: toBase64(crl), issuer: anchor },
    trustFile: {
      source: "load",
      jurisdiction: HOME,
      sequenceNumber: 7,
      issuedAt: NOT_BEFORE.toISOString(),
      nextUpdate: NOT_AFTER.toISOString(),
      anchors: [{ certificate: anchor, qtspName: "Load QTSP Ltd", serviceName: SERVICE_NAME, periods }],
    },
  };
}

export function readTrust(trustFile: object, now: number) {
  const read = readTrustFile(JSON.stringify(trustFile), {}, now);
  if (!read.ok) throw new Error(`the load run's trusted list: ${read.problems.join("; ")}`);
  return read.list;
}
