/** A sandbox's certificate as a page shows it. Loads the library that makes certificates. */
import type { Instant } from "../platform/instant.ts";
import { type CertificateWishes, issueCertificate, writePem } from "./issue-certificate.ts";
import { openSandboxCa } from "./sandbox-ca.ts";
import { loadCa, loadCrl } from "./sandbox-load.ts";

/** PEM of each; null if `secret` is no CA's. The CA's list and the certificate's CRL are loaded. */
export async function makePem(kv: KVNamespace, secret: string, wishes: CertificateWishes, now: Instant) {
  const ca = await openSandboxCa(secret);
  if (!ca) return null;
  await loadCa(kv, ca, now);
  const issued = await issueCertificate(ca, wishes, now);
  await loadCrl(kv, issued, now);
  return {
    privateKey: writePem("PRIVATE KEY", issued.privateKey),
    certificate: writePem("CERTIFICATE", issued.certificate),
    issuer: writePem("CERTIFICATE", issued.issuer),
  };
}
