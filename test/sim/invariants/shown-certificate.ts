/** Which of the QTSP's certificates a request shows, and whether the answer accepts it. */
import { errorsOf } from "../bank.ts";
import { CERTIFICATE_NAMES, type CertificateName, findCertificate } from "../qtsp.ts";
import type { Exchange } from "../requests.ts";

const names = new Map<string, CertificateName>();

/** Null: none, or another QTSP's. */
export function findShown({ headers, body }: Exchange): CertificateName | null {
  const shown = headers["eidas"] ?? (body as { readonly eIDAS?: string } | undefined)?.eIDAS;
  if (shown === undefined) return null;
  if (names.size === 0) for (const name of CERTIFICATE_NAMES) names.set(findCertificate(name) ?? "", name);
  return names.get(shown) ?? null;
}

/** Null: the answer says neither, or there is none. */
export function isAccepted(exchange: Exchange): boolean | null {
  const { status, json } = exchange;
  const verdict: boolean | undefined = json?.eIDAS?.validity?.notRevoked;
  if (verdict !== undefined) return verdict;
  if (errorsOf(exchange).includes("certificate_revoked")) return false;
  return status === 201 || status === 200 ? true : null;
}
