/** What a gateway and the PSPs that connect to it show each other: certificates with their keys, from a QTSP of the test. */
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PemConverter } from "@peculiar/x509";
import { createAuthority } from "../../src/sandbox/pki/authority.ts";
import { issueCrl } from "../../src/sandbox/pki/crl.ts";
import { issuePspCertificate } from "../../src/sandbox/pki/psp-certificate.ts";

const FROM = new Date("2026-01-01T00:00:00Z");
const TO = new Date("2050-01-01T00:00:00Z");
const P256 = { name: "ECDSA", namedCurve: "P-256" };

export interface GatewayPki {
  /** The trusted list, for `trust import`. */
  readonly trust: string;
  readonly close: () => Promise<void>;
}

/**
 * Writes into the folder NAME.pem and NAME.key of the PSPs and of the bank's server (`bank`), and the list that trusts their
 * issuer. Serves the CRL.
 */
export async function makeGatewayPki(folder: string, psps: Readonly<Record<string, string>>): Promise<GatewayPki> {
  const crls = createServer((_, response) => response.end(crl));
  await new Promise<void>((resolve) => crls.listen(0, "127.0.0.1", resolve));
  const crlUrl = `http://127.0.0.1:${(crls.address() as AddressInfo).port}/gateway.crl`;
  const dates = { notBefore: FROM, notAfter: TO };
  const names = { country: "XX", organisation: "Gateway QTSP", commonName: "Gateway QTSP" };
  const qtsp = await createAuthority({ ...names, ...dates, key: "p-256", pathLength: 0, crlUrl }, null);
  const revoked = { revoked: [], revokedAt: FROM, thisUpdate: FROM, nextUpdate: TO };
  const crl = Buffer.from((await issueCrl(revoked, qtsp)).rawData);
  for (const [name, authNumber] of Object.entries({ ...psps, bank: "PSDXX-TEST-999999" })) {
    const keys = await webcrypto.subtle.generateKey(P256, true, ["sign", "verify"]);
    const psp = {
      ...{ country: "XX", organisation: `${name} Ltd`, commonName: "localhost", authNumber, key: "p-256" as const },
      ...{ type: "web" as const, roles: ["PSP_AI" as const, "PSP_PI" as const] },
      ...{ ncaName: "Test Authority of XX", ncaId: "XX-TEST" },
    };
    const certificate = await issuePspCertificate({ ...psp, ...dates }, qtsp, keys);
    const key = await webcrypto.subtle.exportKey("pkcs8", keys.privateKey);
    writeFileSync(join(folder, `${name}.pem`), `${certificate.toString("pem")}\n`);
    writeFileSync(join(folder, `${name}.key`), `${PemConverter.encode(key, "PRIVATE KEY")}\n`);
  }
  const period = { from: FROM.toISOString(), status: "granted", uses: ["web-authentication", "seal"] };
  const anchor = { certificate: qtsp.certificate.toString("base64"), qtspName: "Gateway QTSP", serviceName: "CA/QC" };
  const issued = { sequenceNumber: 1, issuedAt: FROM.toISOString(), nextUpdate: TO.toISOString() };
  const list = { source: "gateways", jurisdiction: "XX", ...issued, anchors: [{ ...anchor, periods: [period] }] };
  // as HAProxy takes them
  const [pem, key] = ["pem", "key"].map((kind) => readFileSync(join(folder, `bank.${kind}`), "utf8"));
  writeFileSync(join(folder, "bank-and-key.pem"), `${pem}${key}`);
  const trust = join(folder, "trust.json");
  writeFileSync(trust, JSON.stringify(list));
  return { trust, close: () => new Promise((resolve) => crls.close(() => resolve())) };
}
