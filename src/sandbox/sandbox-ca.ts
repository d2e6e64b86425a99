/**
 * The CA of one sandbox: made there, listed there as a granted service, and trusted for PSPs of XX and XY alone. Its
 * secret has key and certificate, so that whoever has it can issue, and nothing has to be kept beside it.
 */
import "reflect-metadata";
import { X509Certificate } from "@peculiar/x509";
import { fromBase64, toBase64, toBase64Url, toHex } from "../platform/encoding.ts";
import { makeSecret } from "../platform/secrets.ts";
import type { TrustList } from "../trust/anchors.ts";
import { SANDBOX_SOURCE } from "../trust/sandbox-source.ts";
import { type Authority, type AuthorityRequest, createAuthority } from "./pki/authority.ts";
import { exportPrivateKey, importPrivateKey } from "./pki/keys.ts";

/** RFC 2606 section 2: a host that never resolves. The CRLs lie in the stores, where a check looks first. */
export const CRL_BASE = "http://sandbox.invalid/crl/";

const KEY = "p-256";
const SINCE = new Date("2016-07-01T00:00:00Z");
export const SANDBOX_END = new Date("2070-01-01T00:00:00Z");

/** A CA of this name, which no other one has. */
export const describeCa = (commonName: string): AuthorityRequest => ({
  country: "XX",
  organisation: "Sandbox of one's own",
  commonName,
  key: KEY,
  pathLength: 0,
  ...{ notBefore: SINCE, notAfter: SANDBOX_END, crlUrl: `${CRL_BASE}none.crl` },
});

/** The text of the secret SANDBOX_CA. */
export async function makeSandboxCa(): Promise<string> {
  const id = toHex(fromBase64(makeSecret(4)) ?? new Uint8Array());
  const { keys, certificate } = await createAuthority({ ...describeCa(`Sandbox CA ${id}`), extractable: true }, null);
  return `${toBase64Url(await exportPrivateKey(keys))}.${toBase64Url(new Uint8Array(certificate.rawData))}`;
}

/** Null for a text that {@link makeSandboxCa} did not make. */
export async function openSandboxCa(secret: string): Promise<Authority | null> {
  const [key, der, ...more] = secret.trim().split(".").map(fromBase64);
  if (!key || !der || more.length > 0) return null;
  try {
    const certificate = new X509Certificate(der);
    const publicKey = await certificate.publicKey.export();
    return { certificate, keys: await importPrivateKey(KEY, key, publicKey), crlUrl: describeCa("").crlUrl };
  } catch {
    return null;
  }
}

const nameOf = ({ certificate }: Authority): string => certificate.subjectName.getField("CN")[0] ?? "";

/** The trusted list that has this CA alone: each CA has a list, so that none has to be read to add another. */
export function listSandboxCa(ca: Authority): TrustList {
  const name = nameOf(ca);
  const from = { source: `${SANDBOX_SOURCE}-${name.split(" ").at(-1)}`, jurisdiction: "XX" };
  const period = {
    status: "granted",
    from: SINCE.toISOString(),
    uses: ["web-authentication" as const, "seal" as const],
  };
  return {
    ...{
      ...from,
      sequenceNumber: 1,
      issuedAt: SINCE.toISOString(),
      nextUpdate: SANDBOX_END.toISOString(),
      services: 1,
    },
    anchors: [
      {
        ...{ ...from, certificate: toBase64(new Uint8Array(ca.certificate.rawData)) },
        ...{ qtspName: "Sandbox of one's own", serviceName: name, periods: [period] },
      },
    ],
  };
}
