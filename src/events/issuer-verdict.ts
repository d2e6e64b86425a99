/**
 * What the rule of a check says now of a certificate that a PSP showed, and of who issued it: the very rule, on what lists
 * say now. Revocation is aside: it is told of by itself (notices.ts).
 */
import { readPsp } from "../eidas/psd2.ts";
import { checkValidity } from "../eidas/validity.ts";
import { fromBase64 } from "../platform/encoding.ts";
import { findVerdictError } from "../psp-check/decision.ts";
import type { KnownAnchor } from "../trust/anchors.ts";
import { periodAt } from "../trust/service-status.ts";
import { type Certificate, parseCertificate } from "../x509/certificate.ts";
import { GRANTED, type IssuerStanding, NOT_LISTED, NOT_QUALIFIED } from "./standing.ts";

/** A certificate of a PSP that a check said yes to, and the listed service that had issued it. */
export interface ShownCertificate {
  readonly pspId: string;
  /** SHA-256, in lower-case hex. */
  readonly certificate: string;
  /** JSON of base64 DER: its own, then of issuers on its path that were sent. Null: noted before 0.8.0. */
  readonly chain: string | null;
  /** SHA-256 of the service's certificate. */
  readonly anchor: string;
  /** `nameKey` of the service's subject name. */
  readonly anchorName: string;
  readonly source: string;
  readonly jurisdiction: string;
  readonly serviceName: string;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

/** Leaf first; empty if it is not known. */
export const readShown = ({ chain }: ShownCertificate): Certificate[] =>
  (JSON.parse(chain ?? "[]") as string[]).map((der) => parseCertificate(fromBase64(der) ?? new Uint8Array()));

/** `entries`: of lists, whose subject name is that of an issuer. `now`: milliseconds since 1970. */
export async function judgeIssuer(
  shown: ShownCertificate,
  [leaf, ...issuers]: readonly Certificate[],
  entries: readonly KnownAnchor[],
  now: number,
): Promise<IssuerStanding & { readonly certificates: readonly string[] }> {
  const { source, jurisdiction, serviceName: service, anchor, certificate } = shown;
  const said = leaf ? await judge(leaf, issuers, entries, now) : { status: findStatus(shown, entries, now) };
  return { source, jurisdiction, service, anchor, ...said, certificates: [certificate] };
}

async function judge(leaf: Certificate, issuers: readonly Certificate[], anchors: readonly KnownAnchor[], now: number) {
  const revocation = () => Promise.resolve([]);
  const check = await checkValidity({ leaf, issuers, claims: readPsp(leaf), anchors, now, revocation });
  const failed = findVerdictError(check);
  if (failed === null) return { status: GRANTED };
  const status = (check.anchor && periodAt(check.anchor.periods, now)?.status) ?? NOT_LISTED;
  return { status: status === GRANTED ? NOT_QUALIFIED : status, reason: failed.message };
}

/** Of the entry that decided when the certificate was shown: where that is not known, there is nothing to judge. */
function findStatus({ anchor, source, jurisdiction }: ShownCertificate, entries: readonly KnownAnchor[], now: number) {
  const own = entries.find(
    ({ listed, certificate }) =>
      listed.source === source && listed.jurisdiction === jurisdiction && certificate.fingerprint === anchor,
  );
  return (own && periodAt(own.listed.periods, now)?.status) ?? NOT_LISTED;
}
