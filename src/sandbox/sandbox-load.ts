/** What of a sandbox's CA and its certificates has to lie in the stores, so that a check believes them. */
import type { Instant } from "../platform/instant.ts";
import { importCrl } from "../revocation/crl-import.ts";
import { importTrustList } from "../trust/trust-import.ts";
import { parseCertificate } from "../x509/certificate.ts";
import type { IssuedCertificate } from "./issue-certificate.ts";
import type { Authority } from "./pki/authority.ts";
import { listSandboxCa } from "./sandbox-ca.ts";

/** Idempotent. */
export const loadCa = (kv: KVNamespace, ca: Authority, now: Instant) => importTrustList(kv, listSandboxCa(ca), now);

export async function loadCrl(
  kv: KVNamespace,
  { crl, issuer }: Pick<IssuedCertificate, "crl" | "issuer">,
  now: Instant,
): Promise<void> {
  const loaded = await importCrl(kv, { ...crl, issuer: parseCertificate(issuer), now });
  if (!loaded.ok) throw new Error(`the CRL of a sandbox's certificate is refused: ${loaded.message}`);
}
