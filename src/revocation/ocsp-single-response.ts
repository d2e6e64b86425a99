/** Parses what an OCSP response says about one certificate (RFC 6960 section 4.2.1). Structure only. */
import { type Extension, readExtensionList } from "../x509/certificate.ts";
import { children, context, type Der, DerError, expect, Tag } from "../x509/der.ts";
import { readTime } from "../x509/der-values.ts";
import { orNull, readCrlReason } from "./crl-entries.ts";
import type { UpdateSpan } from "./freshness.ts";
import { type CertificateId, readCertificateId } from "./ocsp-certificate-id.ts";

/** `revokedAt`: milliseconds since 1970. */
type OcspStatus =
  | { readonly status: "good" | "unknown" }
  | { readonly status: "revoked"; readonly revokedAt: number; readonly reason: string | null };

export interface SingleResponse extends UpdateSpan {
  readonly id: CertificateId;
  readonly certificateStatus: OcspStatus;
  readonly extensions: readonly Extension[];
}

/** Reads one SingleResponse. Throws {@link DerError}. */
export function readSingleResponse(der: Der): SingleResponse {
  const what = "SingleResponse";
  const fields = children(expect(der, Tag.sequence, what), what);
  const [id, status, thisUpdate, ...optional] = fields;
  const next = optional[0]?.tag === context(0) ? only(children(readFirst(optional), "nextUpdate"), "nextUpdate") : null;
  const extensions =
    optional[0]?.tag === context(1) ? readResponseExtensions(readFirst(optional), "singleExtensions") : [];
  if (optional.length > 0) throw new DerError(`${what}: data after its extensions`);
  const read = { id: readCertificateId(id), said: readStatus(status) };
  const updated = readGeneralizedTime(thisUpdate, "thisUpdate");
  return {
    id: read.id,
    certificateStatus: toStatus(read.said, updated),
    thisUpdate: updated,
    nextUpdate: next && readGeneralizedTime(next, "nextUpdate"),
    extensions,
  };
}

type StatusRead =
  | Exclude<OcspStatus, { status: "revoked" }>
  /** `revokedAt`: null when its time cannot be read. */
  | { readonly status: "revoked"; readonly revokedAt: number | null; readonly reason: string | null };

/**
 * RFC 6960 section 2.2: "on hold since 1970" says that a certificate was never issued. A later CRL must not lift that.
 */
function toStatus(read: StatusRead, thisUpdate: number): OcspStatus {
  if (read.status !== "revoked") return read;
  if (read.reason === "certificateHold" && read.revokedAt === 0) return { status: "unknown" };
  // what is revoked is so whatever is wrong with its time
  return { ...read, revokedAt: read.revokedAt ?? thisUpdate };
}

function readStatus(der: Der | undefined): StatusRead {
  const what = "certStatus";
  if (der?.tag === context(0, false) && der.content.length === 0) return { status: "good" };
  if (der?.tag === context(2, false) && der.content.length === 0) return { status: "unknown" };
  const [time, reason, ...more] = children(expect(der, context(1), what), what);
  if (more.length > 0) throw new DerError(`${what}: data after the reason`);
  const code = reason && only(children(expect(reason, context(0), what), what), what);
  const revokedAt = expect(time, Tag.generalizedTime, "revocationTime");
  return {
    status: "revoked",
    revokedAt: orNull(() => readTime(revokedAt, "revocationTime")),
    reason: code ? readCrlReason(code) : null,
  };
}

/** Reads extensions inside their explicit `[1]` tag and refuses duplicates. Throws {@link DerError}. */
export function readResponseExtensions(der: Der, what: string): Extension[] {
  const extensions = readExtensionList(only(children(expect(der, context(1), what), what), what), what);
  if (new Set(extensions.map(({ oid }) => oid)).size < extensions.length)
    throw new DerError(`${what}: one of them occurs twice`);
  return extensions;
}

/** Reads a time in milliseconds since 1970. RFC 6960 allows GeneralizedTime only. Throws {@link DerError}. */
export const readGeneralizedTime = (der: Der | undefined, what: string): number =>
  readTime(expect(der, Tag.generalizedTime, what), what);

/** Returns the only value inside an explicit tag. Throws {@link DerError}. */
export function only(values: readonly Der[], what: string): Der {
  const [value, ...more] = values;
  if (!value || more.length > 0) throw new DerError(`${what}: not exactly one value`);
  return value;
}

/** Removes and returns the first value, which the caller knows to be there. */
export function readFirst(values: Der[]): Der {
  const value = values.shift();
  if (!value) throw new DerError("missing value");
  return value;
}
