/** Issuers' certificates that were not sent. One that was found is trusted no more than one that was sent. */
import { quoteAlways } from "../platform/quotation.ts";
import type { Certificate } from "../x509/certificate.ts";
import { nameOf } from "./path-sentence.ts";
import { type Warning, warning } from "./warnings.ts";

export interface FoundIssuer {
  readonly certificate: Certificate;
  /** Where it was fetched; null: it is kept from a chain that was verified before. */
  readonly url: string | null;
}

export interface MissingIssuer {
  /** Where it is published. */
  readonly url: string;
  /** Null: it is being fetched. Else why it cannot be, completing the sentence "The server ...". */
  readonly fault: string | null;
}

export interface SoughtIssuers {
  /** From the PSP's issuer up. */
  readonly found: readonly FoundIssuer[];
  readonly missing: MissingIssuer | null;
}

export function describeSought({ found, missing }: SoughtIssuers): Warning[] {
  return [
    ...found.map(({ certificate, url }) => {
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

/** A phrase on the certificate that is missing. */
export const explainMissing = ({ url, fault }: MissingIssuer): string =>
  fault === null
    ? `it is being fetched from ${quoteUrl(url)}, so ask again`
    : `it cannot be fetched, since the server of ${quoteUrl(url)} ${fault}`;

const issuerName = ({ subject }: Certificate): string => `the issuer ${nameOf(subject) ?? "without a name"}`;

const MAX_URL_CHARACTERS = 200;
const quoteUrl = (url: string): string => quoteAlways(url, MAX_URL_CHARACTERS);
