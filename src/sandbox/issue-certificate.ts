/**
 * A PSP's certificate with its key and its CRL, as a test needs it. Each certificate has a CRL of its own, at an address
 * of its own: so none has to be read, and two that are issued at once cannot undo each other's revocation.
 */
import type { Instant } from "../platform/instant.ts";
import "reflect-metadata";
import { X509Certificate } from "@peculiar/x509";
import { fromBase64, toBase64, toHex } from "../platform/encoding.ts";
import { makeSecret } from "../platform/secrets.ts";
import { type Authority, createAuthority } from "./pki/authority.ts";
import { issueCrl } from "./pki/crl.ts";
import { exportPrivateKey, type KeyKind, makeKeys } from "./pki/keys.ts";
import { issuePspCertificate } from "./pki/psp-certificate.ts";
import type { CertificateType, Role } from "./pki/qc-statements.ts";
import { CRL_BASE, describeCa, SANDBOX_END } from "./sandbox-ca.ts";
import { authorityOf, parseSandboxNumber } from "./sandbox-number.ts";

export interface CertificateWishes {
  /** In capitals, of the sandbox. */
  readonly number: string;
  readonly name: string;
  readonly type: CertificateType;
  readonly roles: readonly Role[];
  readonly key: Extract<KeyKind, "rsa-2048" | "p-256">;
  /** For which it is valid from now on; of an expired one: for which it was. */
  readonly days: number;
  readonly expired: boolean;
  readonly revoked: boolean;
  /** By a CA that is on no list and is forgotten. */
  readonly unlisted: boolean;
}

export interface IssuedCertificate {
  readonly certificate: Uint8Array<ArrayBuffer>;
  /** PKCS#8. It is nowhere else. */
  readonly privateKey: Uint8Array<ArrayBuffer>;
  readonly issuer: Uint8Array<ArrayBuffer>;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly crl: { readonly url: string; readonly der: Uint8Array<ArrayBuffer> };
}

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];

/** Throws for a number that is not of the sandbox. */
export async function issueCertificate(
  ca: Authority,
  wishes: CertificateWishes,
  now: Instant,
): Promise<IssuedCertificate> {
  const { number, name, type, roles, key, days, expired, revoked, unlisted } = wishes;
  const parsed = parseSandboxNumber(number);
  if (!parsed.ok) throw new TypeError(`${number} ${parsed.message}`);
  const issuer = unlisted ? await createAuthority(describeCa("Sandbox Unlisted CA"), null) : ca;
  // an hour for clocks that are behind
  const ends = expired ? now - DAY_MS : now + days * DAY_MS;
  const begins = expired ? ends - days * DAY_MS : now - HOUR_MS;
  // positive (RFC 5280 section 4.1.2.2)
  const serialNumber = `01${toHex(fromBase64(makeSecret(15)) ?? new Uint8Array())}`;
  const keys = await makeKeys(key, true);
  const host = `${number.toLowerCase()}.sandbox.invalid`;
  const certificate = await issuePspCertificate(
    {
      ...{ country: parsed.country, organisation: name, authNumber: number, ...authorityOf(parsed.country) },
      ...{ type, roles, key, serialNumber, commonName: type === "web" ? host : `${name} eSeal`.slice(0, 64) },
      ...{ notBefore: wholeSecond(begins), notAfter: wholeSecond(ends) },
    },
    { ...issuer, crlUrl: crlUrlOf(serialNumber) },
    keys,
  );
  return {
    certificate: new Uint8Array(certificate.rawData),
    privateKey: await exportPrivateKey(keys),
    issuer: new Uint8Array(issuer.certificate.rawData),
    ...{ notBefore: certificate.notBefore, notAfter: certificate.notAfter },
    crl: await writeCrl(issuer, serialNumber, wholeSecond(now - HOUR_MS), revoked),
  };
}

/** The CRL that replaces the one of a certificate, of `now`; null: `ca` did not issue it. Throws for what is no certificate. */
export async function revokeCertificate(
  ca: Authority,
  der: Uint8Array<ArrayBuffer>,
  now: Instant,
): Promise<Pick<IssuedCertificate, "crl" | "issuer"> | null> {
  const certificate = new X509Certificate(der);
  const publicKey = await ca.certificate.publicKey.export();
  // it throws for a signature of another kind of key
  const own = await certificate.verify({ publicKey, signatureOnly: true }).catch(() => false);
  if (!own) return null;
  const crl = await writeCrl(ca, certificate.serialNumber, wholeSecond(now), true);
  return { crl, issuer: new Uint8Array(ca.certificate.rawData) };
}

const crlUrlOf = (serialNumber: string): string => `${CRL_BASE}${serialNumber}.crl`;

/** The one of this certificate alone. `at`: since when it says so. */
async function writeCrl(issuer: Authority, serialNumber: string, at: Date, revoked: boolean) {
  const url = crlUrlOf(serialNumber);
  const dates = { revokedAt: at, thisUpdate: at, nextUpdate: SANDBOX_END };
  const crl = await issueCrl({ revoked: revoked ? [{ serialNumber }] : [], onlyFor: url, ...dates }, issuer);
  return { url, der: new Uint8Array(crl.rawData) };
}

const wholeSecond = (time: Instant): Date => new Date(Math.floor(time / 1000) * 1000);

/** RFC 7468. */
export function writePem(label: "CERTIFICATE" | "PRIVATE KEY", der: Uint8Array): string {
  const lines = toBase64(der).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
