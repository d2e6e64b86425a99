/**
 * The certificates that PSPs showed, and what the rule of a check says now of them and of who issued them. A check of one that
 * is new to the isolate writes it, after the response. Revocation is aside: it is an event by itself (notices.ts).
 */
import { registeredNumbers } from "../eidas/authorisation-number.ts";
import { readPsp } from "../eidas/psd2.ts";
import { findPath, judgeValidity } from "../eidas/validity.ts";
import { fromBase64 } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { hashText } from "../platform/node-crypto.ts";
import { WRITES_REFUSED } from "../platform/schema-version.ts";
import { callStore } from "../platform/stores.ts";
import { findVerdictError } from "../psp-check/decision.ts";
import { type AnchorReader, anchorsKey, type KnownAnchor, type ListedAnchor, readAnchor } from "../trust/anchors.ts";
import { believableFor } from "../trust/sandbox-source.ts";
import { periodAt } from "../trust/service-status.ts";
import { type Certificate, parseCertificate } from "../x509/certificate.ts";
import { nameKey } from "../x509/name.ts";
import type { EventEvidence } from "./event.ts";

/** A listed CA/QC service that issued certificates of the PSP, and whether a check accepts these. */
export interface IssuerStanding {
  /** Of its list. */
  readonly source: string;
  readonly jurisdiction: string;
  readonly service: string;
  /** SHA-256 of the service's certificate. */
  readonly anchor: string;
  /** {@link GRANTED}: yes; else as on the list (ETSI TS 119 612 clause 5.5.4), {@link NOT_LISTED} or {@link NOT_QUALIFIED}. */
  readonly status: string;
  /** Why not, as a check says it; absent for a yes. */
  readonly reason?: string;
  /** SHA-256 of the PSP's certificates of which this is so, sorted. */
  readonly certificates: readonly string[];
}

/** Of a service that its list no longer has. */
const NOT_LISTED = "not listed";
/** Of a service that is granted, but for other certificates: for another use, or by what else the list says of them. */
const NOT_QUALIFIED = "not qualified";
export const GRANTED = "granted";

export const ISSUER_STATEMENTS = {
  // writes nothing where nothing is new
  store: `
    INSERT INTO shown_certificates
      (psp_id, certificate, chain, anchor, source, jurisdiction, service_name, not_after, observed_on, in_register)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE NOT ${WRITES_REFUSED}
    ON CONFLICT (psp_id, certificate) DO UPDATE SET
      chain = excluded.chain, anchor = excluded.anchor, source = excluded.source,
      jurisdiction = excluded.jurisdiction, service_name = excluded.service_name,
      observed_on = excluded.observed_on, in_register = excluded.in_register
    WHERE chain IS NOT excluded.chain OR anchor <> excluded.anchor OR source <> excluded.source
      OR jurisdiction <> excluded.jurisdiction OR service_name <> excluded.service_name
      OR observed_on IS NOT excluded.observed_on OR in_register IS NOT excluded.in_register`,
  ofPsp: `
    SELECT psp_id AS pspId, certificate, chain, anchor, source, jurisdiction,
      service_name AS serviceName, not_after AS notAfter
    FROM shown_certificates WHERE psp_id IN (?1, ?2) AND not_after >= ?3`,
  named: `
    SELECT shown.certificate, shown.chain, shown.service_name AS serviceName, shown.jurisdiction,
      shown.not_after AS notAfter
    FROM json_each(?2) AS named CROSS JOIN shown_certificates AS shown
    WHERE shown.psp_id = ?1 AND shown.certificate = named.value`,
} as const;

/** When it was shown, and what its PSP's home register said of it then. */
export interface Observation {
  /** A day of UTC. */
  readonly observedOn: string;
  /** 1 if the PSP was in it; null where that is not known. */
  readonly inRegister: 0 | 1 | null;
}

export async function storeShownCertificate(db: D1Database, shown: ShownCertificate, seen: Observation): Promise<void> {
  const { pspId, certificate, chain, anchor, source, jurisdiction, serviceName, notAfter } = shown;
  const { observedOn, inRegister } = seen;
  const values = [
    pspId,
    certificate,
    chain,
    anchor,
    source,
    jurisdiction,
    serviceName,
    notAfter,
    observedOn,
    inRegister,
  ];
  await callStore("D1", () =>
    db
      .prepare(ISSUER_STATEMENTS.store)
      .bind(...values)
      .run(),
  );
}

/** Of the PSP those of these certificates (SHA-256) that a check accepted, and that have not ended. `db`: the first. */
export async function findShownCertificates(db: D1Database, pspId: string, certificates: readonly string[]) {
  type Found = Pick<ShownCertificate, "certificate" | "chain" | "serviceName" | "jurisdiction" | "notAfter">;
  const find = db.prepare(ISSUER_STATEMENTS.named).bind(pspId, JSON.stringify(certificates));
  return (await callStore("D1", () => find.all<Found>())).results;
}

export interface ReadIssuers {
  readonly issuers: readonly IssuerStanding[];
  /** By certificate of the PSP: the entries of lists that were looked at for it. */
  readonly evidence: ReadonlyMap<string, readonly EventEvidence[]>;
}

/**
 * For each PSP the issuers of its certificates that are valid at `now`, in whichever way these spell its number. `db`: the
 * first.
 */
export async function readIssuers(
  db: D1Database,
  kv: AnchorReader,
  pspIds: readonly string[],
  now: Instant,
): Promise<ReadIssuers[]> {
  if (pspIds.length === 0) return [];
  const ask = db.prepare(ISSUER_STATEMENTS.ofPsp);
  const asked = pspIds.map((pspId) => {
    const [one = pspId, other = one] = registeredNumbers(pspId);
    return ask.bind(one, other, now);
  });
  const results = await callStore("D1", () => db.batch<ShownCertificate>(asked));
  const shown = results.map(({ results: rows }) => rows.map((row) => ({ row, chain: readShown(row) })));
  const anchors = await readEntries(kv, [...new Set(shown.flat().flatMap(namesOf))]);
  return await Promise.all(
    shown.map(async (ofPsp) => {
      const standings = await Promise.all(
        ofPsp.map(async (one) => {
          const entries = namesOf(one).flatMap((name) => anchors.get(name) ?? []);
          return { ...one, entries, issuer: await judgeIssuer(one.row, one.chain, entries, now) };
        }),
      );
      const evidence = standings.map(({ row, entries }) => [row.certificate, entries.map(citeEntry)] as const);
      return { issuers: joinEqual(standings.map(({ issuer }) => issuer)), evidence: new Map(evidence) };
    }),
  );
}

interface Shown {
  readonly row: ShownCertificate;
  readonly chain: readonly Certificate[];
}

/** By which a check looks for listed services. */
const namesOf = ({ chain }: Shown): string[] => [...new Set(chain.map(({ issuer }) => nameKey(issuer)))];

/** Past the isolate's memory of them, which may be older than the change. */
async function readEntries(kv: AnchorReader, names: readonly string[]): Promise<Map<string, KnownAnchor[]>> {
  const keys = names.map(anchorsKey);
  const read = keys.length === 0 ? new Map<string, unknown>() : await callStore("KV", () => kv.get(keys, "json"));
  const entriesOf = (name: string) => (read.get(anchorsKey(name)) ?? []) as ListedAnchor[];
  return new Map(names.map((name) => [name, entriesOf(name).map(readAnchor)]));
}

const citeEntry = ({ listed }: KnownAnchor): EventEvidence => ({
  document: "listed service",
  sha256: hashText("sha256", JSON.stringify(listed)),
});

/** One for all certificates of which the same is to be said. */
function joinEqual(issuers: readonly IssuerStanding[]) {
  const joined = Map.groupBy(issuers, ({ certificates: _, ...said }) => JSON.stringify(said));
  return [...joined]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => {
      if (!first) return [];
      return [{ ...first, certificates: [first, ...others].flatMap(({ certificates }) => certificates).sort() }];
    });
}

/** A certificate of a PSP that a check accepted, and the listed service that had issued it. */
export interface ShownCertificate {
  readonly pspId: string;
  /** SHA-256, in lower-case hex. */
  readonly certificate: string;
  /** JSON of base64 DER: its own, then of issuers on its path that were sent. */
  readonly chain: string;
  /** SHA-256 of the service's certificate. */
  readonly anchor: string;
  readonly source: string;
  readonly jurisdiction: string;
  readonly serviceName: string;
  readonly notAfter: Instant;
}

/** Leaf first. */
const readShown = ({ chain }: ShownCertificate): Certificate[] =>
  (JSON.parse(chain) as string[]).map((der) => parseCertificate(fromBase64(der) ?? new Uint8Array()));

/** `entries`: of lists, whose subject name is that of an issuer. */
async function judgeIssuer(
  shown: ShownCertificate,
  [leaf, ...issuers]: readonly Certificate[],
  entries: readonly KnownAnchor[],
  now: Instant,
): Promise<IssuerStanding> {
  const { source, jurisdiction, serviceName: service, anchor, certificate } = shown;
  if (!leaf) throw new RangeError(`${certificate} was stored without itself`);
  const said = await judge(leaf, issuers, entries, now);
  return { source, jurisdiction, service, anchor, ...said, certificates: [certificate] };
}

/** By what a check believes: a sandbox's list does not speak for a PSP of a real country. */
async function judge(
  leaf: Certificate,
  issuers: readonly Certificate[],
  entries: readonly KnownAnchor[],
  now: Instant,
) {
  const claims = readPsp(leaf);
  const anchors = believableFor(entries, claims.homeCountry);
  const input = { leaf, issuers, claims, anchors, now };
  // whether it is revoked is told by another event
  const check = judgeValidity(input, await findPath(input), []);
  const failed = findVerdictError(check);
  if (failed === null) return { status: GRANTED };
  const status = (check.anchor && periodAt(check.anchor.periods, now)?.status) ?? NOT_LISTED;
  return { status: status === GRANTED ? NOT_QUALIFIED : status, reason: failed.message };
}
