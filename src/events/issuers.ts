/**
 * Who issued the certificates that PSPs showed, and whether their lists still grant them. A check of a certificate that is
 * new to the isolate writes it, behind its answer.
 */
import { registeredNumbers } from "../eidas/authorisation-number.ts";
import { fromBase64 } from "../encoding.ts";
import { hashBytes, hashText } from "../node-crypto.ts";
import { callStore } from "../store-error.ts";
import { type AnchorReader, anchorsKey, type ListedAnchor } from "../trust/anchors.ts";
import { periodAt } from "../trust/service-status.ts";
import type { EventEvidence } from "./event.ts";
import { type IssuerStanding, NOT_LISTED } from "./standing.ts";

export const ISSUER_STATEMENTS = {
  // writes nothing where nothing is new; of several certificates the one that ends last keeps the service of interest
  note: `
    INSERT INTO psp_certificates
      (psp_id, anchor, anchor_name, source, jurisdiction, service_name, certificate, not_after)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (psp_id, anchor) DO UPDATE SET
      anchor_name = excluded.anchor_name, source = excluded.source, jurisdiction = excluded.jurisdiction,
      service_name = excluded.service_name,
      certificate = iif(excluded.not_after > not_after, excluded.certificate, certificate),
      not_after = max(excluded.not_after, not_after)
    WHERE excluded.not_after > not_after OR anchor_name <> excluded.anchor_name OR source <> excluded.source
      OR jurisdiction <> excluded.jurisdiction`,
  ofPsp: `
    SELECT psp_id AS pspId, anchor, anchor_name AS anchorName, source, jurisdiction, service_name AS serviceName,
      certificate, not_after AS notAfter
    FROM psp_certificates WHERE psp_id IN (?1, ?2)`,
} as const;

/** A certificate of a PSP, and the listed service that issued it. */
export interface IssuedCertificate {
  readonly pspId: string;
  /** SHA-256 of the service's certificate, in lower-case hex. */
  readonly anchor: string;
  /** `nameKey` of the service's subject name. */
  readonly anchorName: string;
  readonly source: string;
  readonly jurisdiction: string;
  readonly serviceName: string;
  /** SHA-256 of the PSP's certificate. */
  readonly certificate: string;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

export async function noteIssued(db: D1Database, issued: IssuedCertificate): Promise<void> {
  const { pspId, anchor, anchorName, source, jurisdiction, serviceName, certificate, notAfter } = issued;
  const values = [pspId, anchor, anchorName, source, jurisdiction, serviceName, certificate, notAfter];
  await callStore("D1", () =>
    db
      .prepare(ISSUER_STATEMENTS.note)
      .bind(...values)
      .run(),
  );
}

export interface ReadIssuers {
  readonly issuers: readonly IssuerStanding[];
  /** Of each issuer that is listed, at the same place; null if it is not. */
  readonly evidence: readonly (EventEvidence | null)[];
}

/**
 * For each PSP the issuers of its certificates that are valid at `now` (milliseconds since 1970), in whichever way these
 * spell its number. `db`: the first.
 */
export async function readIssuers(
  db: D1Database,
  kv: AnchorReader,
  pspIds: readonly string[],
  now: number,
): Promise<ReadIssuers[]> {
  if (pspIds.length === 0) return [];
  const ask = db.prepare(ISSUER_STATEMENTS.ofPsp);
  const asked = pspIds.map((pspId) => {
    const [one = pspId, other = one] = registeredNumbers(pspId);
    return ask.bind(one, other);
  });
  const results = await callStore("D1", () => db.batch<IssuedCertificate>(asked));
  const issued = results.map(({ results: rows }) => listOnce(rows.filter(({ notAfter }) => notAfter >= now)));
  const keys = [...new Set(issued.flat().map(({ anchorName }) => anchorsKey(anchorName)))];
  const anchors = keys.length === 0 ? new Map<string, unknown>() : await callStore("KV", () => kv.get(keys, "json"));
  return issued.map((certificates) => {
    const found = certificates.map((each) =>
      judge(each, (anchors.get(anchorsKey(each.anchorName)) ?? []) as ListedAnchor[], now),
    );
    return { issuers: found.map(({ issuer }) => issuer), evidence: found.map(({ evidence }) => evidence) };
  });
}

/** By the service, each once: both spellings of a number may have certificates of it. */
const listOnce = (certificates: readonly IssuedCertificate[]): IssuedCertificate[] =>
  certificates
    .toSorted((a, b) => (a.anchor < b.anchor ? -1 : a.anchor > b.anchor ? 1 : b.notAfter - a.notAfter))
    .filter(({ anchor }, i, all) => all[i - 1]?.anchor !== anchor);

function judge({ anchor, source, jurisdiction, serviceName }: IssuedCertificate, anchors: ListedAnchor[], now: number) {
  const listed = anchors.find(
    (each) => each.source === source && each.jurisdiction === jurisdiction && fingerprint(each) === anchor,
  );
  const status = (listed && periodAt(listed.periods, now)?.status) ?? NOT_LISTED;
  const issuer: IssuerStanding = { source, jurisdiction, service: serviceName, anchor, status };
  const evidence = listed ? { document: "listed service", sha256: hashText("sha256", JSON.stringify(listed)) } : null;
  return { issuer, evidence };
}

const fingerprint = ({ certificate }: ListedAnchor): string =>
  hashBytes("sha256", fromBase64(certificate) ?? new Uint8Array());
