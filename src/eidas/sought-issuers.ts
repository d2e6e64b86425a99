/** Issuers' certificates that were not sent. One that was found is trusted no more than one that was sent. */
import { quote, quoteAlways } from "../platform/quotation.ts";
import type { Certificate } from "../x509/certificate.ts";
import { findHolder, type Name, sameName } from "../x509/name.ts";
import type { PathFailure } from "../x509/path.ts";
import { MAX_INTERMEDIATES } from "../x509/path-budget.ts";
import { type Warning, warning } from "./warnings.ts";

export interface FoundIssuer {
  readonly certificate: Certificate;
  /** Where it was fetched; null: it is kept from a chain that was verified before. */
  readonly url: string | null;
}

export interface MissingIssuer {
  readonly url: string;
  /** Null: it is being fetched. Else why it cannot be, completing the sentence "The server ...". */
  readonly fault: string | null;
}

export interface SoughtIssuers {
  /** From the PSP's issuer up. */
  readonly issuers: readonly FoundIssuer[];
  readonly missing: MissingIssuer | null;
}

export function describeSought({ issuers, missing }: SoughtIssuers): Warning[] {
  return [
    ...issuers.map(({ certificate, url }) => {
      const from = url === null ? "kept from a chain that was verified before" : `fetched from ${quoteUrl(url)}`;
      return warning("issuer_found", `the certificate of ${issuerName(certificate)} was not sent: it was ${from}`);
    }),
    ...(missing === null ? [] : [describeMissing(missing)]),
  ];
}

function describeMissing(missing: MissingIssuer): Warning {
  const code = missing.fault === null ? "issuer_pending" : "issuer_unavailable";
  return warning(code, `the certificate of an issuer was not sent: ${explainMissing(missing)}`);
}

export const explainMissing = ({ url, fault }: MissingIssuer): string =>
  fault === null
    ? `it is being fetched from ${quoteUrl(url)}, so ask again`
    : `it cannot be fetched, since the server of ${quoteUrl(url)} ${fault}`;

const issuerName = ({ subject }: Certificate): string => `the issuer ${nameOf(subject) ?? "without a name"}`;

const MAX_URL_CHARACTERS = 200;
const quoteUrl = (url: string): string => quoteAlways(url, MAX_URL_CHARACTERS);

export function nameOf(name: Name): string | null {
  const found = findHolder(name);
  return found === null ? null : quote(found);
}

/** `missing`: what was looked for because the issuer was not sent; null if nothing was. */
export function describeFailure({ reason, at, message, path }: PathFailure, missing: string | null = null): string {
  if (reason !== "no-anchor" || !at || path.length > MAX_INTERMEDIATES) return message;
  if (sameName(at.issuer, at.subject)) return `${message}: it is self-issued and not on a trusted list`;
  const issuer = nameOf(at.issuer) ?? "which has no name";
  const advice = missing ?? "an intermediate CA's certificate can be sent after the PSP's";
  return `${message}: its issuer, ${issuer}, is neither on a trusted list nor among the certificates sent; ${advice}`;
}
