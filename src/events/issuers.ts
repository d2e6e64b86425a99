/**
 * The certificates that PSPs showed, and whether a check still says yes to them and to who issued them. A check of one that
 * is new to the isolate writes it, behind its answer.
 */
import { registeredNumbers } from "../eidas/authorisation-number.ts";
import { hashText } from "../platform/node-crypto.ts";
import { callStore } from "../platform/stores.ts";
import { type AnchorReader, anchorsKey, type KnownAnchor, type ListedAnchor, readAnchor } from "../trust/anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { nameKey } from "../x509/name.ts";
import type { EventEvidence } from "./event.ts";
import { judgeIssuer, readShown, type ShownCertificate } from "./issuer-verdict.ts";
import type { IssuerStanding } from "./standing.ts";

export const ISSUER_STATEMENTS = {
  // writes nothing where nothing is new
  note: `
    INSERT INTO shown_certificates
      (psp_id, certificate, chain, anchor, anchor_name, source, jurisdiction, service_name, not_after)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (psp_id, certificate) DO UPDATE SET
      chain = excluded.chain, anchor = excluded.anchor, anchor_name = excluded.anchor_name, source = excluded.source,
      jurisdiction = excluded.jurisdiction, service_name = excluded.service_name
    WHERE chain IS NOT excluded.chain OR anchor <> excluded.anchor OR source <> excluded.source
      OR jurisdiction <> excluded.jurisdiction OR service_name <> excluded.service_name`,
  ofPsp: `
    SELECT psp_id AS pspId, certificate, chain, anchor, anchor_name AS anchorName, source, jurisdiction,
      service_name AS serviceName, not_after AS notAfter
    FROM shown_certificates WHERE psp_id IN (?1, ?2) AND not_after >= ?3`,
} as const;

export async function noteShown(db: D1Database, shown: ShownCertificate): Promise<void> {
  const { pspId, certificate, chain, anchor, anchorName, source, jurisdiction, serviceName, notAfter } = shown;
  const values = [pspId, certificate, chain, anchor, anchorName, source, jurisdiction, serviceName, notAfter];
  await callStore("D1", () =>
    db
      .prepare(ISSUER_STATEMENTS.note)
      .bind(...values)
      .run(),
  );
}

export interface ReadIssuers {
  readonly issuers: readonly IssuerStanding[];
  /** By certificate of the PSP: the entries of lists that were looked at for it. */
  readonly evidence: ReadonlyMap<string, readonly EventEvidence[]>;
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
    return ask.bind(one, other, now);
  });
  const results = await callStore("D1", () => db.batch<ShownCertificate>(asked));
  const shown = results.map(({ results: rows }) => rows.map((row) => ({ row, chain: readShown(row) })));
  const anchors = await readEntries(kv, [...new Set(shown.flat().flatMap(namesOf))]);
  return await Promise.all(
    shown.map(async (ofPsp) => {
      const judged = await Promise.all(
        ofPsp.map(async (one) => {
          const entries = namesOf(one).flatMap((name) => anchors.get(name) ?? []);
          return { ...one, entries, issuer: await judgeIssuer(one.row, one.chain, entries, now) };
        }),
      );
      const evidence = judged.map(({ row, entries }) => [row.certificate, entries.map(citeEntry)] as const);
      return { issuers: joinEqual(judged.map(({ issuer }) => issuer)), evidence: new Map(evidence) };
    }),
  );
}

interface Shown {
  readonly row: ShownCertificate;
  readonly chain: readonly Certificate[];
}

/** By which a check looks for listed services. */
const namesOf = ({ row, chain }: Shown): string[] =>
  chain.length === 0 ? [row.anchorName] : [...new Set(chain.map(({ issuer }) => nameKey(issuer)))];

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
function joinEqual(issuers: readonly (IssuerStanding & { readonly certificates: readonly string[] })[]) {
  const joined = Map.groupBy(issuers, ({ certificates: _, ...said }) => JSON.stringify(said));
  return [...joined]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, [first, ...others]]) => {
      if (!first) return [];
      return [{ ...first, certificates: [first, ...others].flatMap(({ certificates }) => certificates).sort() }];
    });
}
