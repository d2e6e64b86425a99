/**
 * The step that fetches kept CRLs anew ahead of their end, so that no request waits for one. Only what a listed service
 * signed is kept in another's place; CRLs of services in between are fetched by the checks that need them.
 */
import { z } from "zod";
import { readAnchors } from "../eidas/trust.ts";
import { fromBase64 } from "../encoding.ts";
import { MAX_CRL_BYTES, parseCrl } from "../revocation/crl.ts";
import { verifyCrlAuthenticity } from "../revocation/crl-check.ts";
import { fetchLimited } from "../revocation/fetch-limited.ts";
import { isDueForRefresh, validUntil } from "../revocation/freshness.ts";
import { writeRevocation } from "../revocation/revocation-store.ts";
import { type Certificate, CertificateError, parseCertificate } from "../x509/certificate.ts";
import { DerError } from "../x509/der.ts";
import { nameKey } from "../x509/names.ts";
import { type KeptCrl, listKeptCrls } from "./kept-crls.ts";
import type { Step } from "./step.ts";

/** In one step: each is a fetch of at most ten seconds. The next one goes on with the rest. */
const CRLS_PER_STEP = 10;
const TIMEOUT_MS = 10_000;

interface DueCrl extends KeptCrl {
  readonly crlUrl: string;
}

type CrlResult = "newer" | "no newer" | "not listed" | { readonly failed: string };

/** Within a round through all that are due: the last key, and what went wrong so far. */
const MEMO = z.object({ after: z.string(), failed: z.array(z.string()) });

export const refreshCrls: Step = async ({ env, memo, now }) => {
  const round = MEMO.safeParse(memo).data ?? { after: "", failed: [] };
  const due = (await listKeptCrls(env.KV))
    .filter((kept): kept is DueCrl => kept.crlUrl !== undefined && kept.key > round.after)
    .filter((kept) => isDueForRefresh({ thisUpdate: kept.thisUpdate, validUntil: validUntil(kept) }, now))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const mine = due.slice(0, CRLS_PER_STEP);
  const results: CrlResult[] = [];
  for (const kept of mine) results.push(await refreshCrl(env.KV, kept, now));
  const failed = [...round.failed, ...results.flatMap((each) => (typeof each === "object" ? [each.failed] : []))];
  const newer = results.filter((result) => result === "newer").length;
  const told = `${due.length} CRLs due, ${newer} newer ones kept`;
  const last = mine.at(-1);
  if (last && due.length > mine.length)
    return { ok: true, memo: { after: last.key, failed }, unfinished: true, heavy: true, told };
  if (failed.length > 0) return { ok: false, message: failed.join("; "), memo: {} };
  return { ok: true, memo: {}, unfinished: false, heavy: newer > 0, told };
};

async function refreshCrl(kv: KVNamespace, { key, crlUrl, thisUpdate }: DueCrl, now: number): Promise<CrlResult> {
  const fetched = await fetchLimited({ url: crlUrl, method: "GET", maxBytes: MAX_CRL_BYTES, timeoutMs: TIMEOUT_MS });
  if (!fetched.ok) return { failed: `the CRL server ${crlUrl} ${fetched.message}` };
  const der = fetched.bytes;
  const issuers = await findIssuers(kv, der);
  if (issuers === null) return { failed: `what ${crlUrl} sends is no CRL` };
  const [issuer, ...signers] = issuers;
  if (!issuer) return "not listed";
  const answer = await verifyCrlAuthenticity({
    crl: der,
    certificate: null,
    issuer,
    signers,
    now,
    maxAgeSeconds: null,
  });
  if (answer.status === "unusable") return { failed: `the CRL of ${crlUrl} cannot be used: ${answer.message}` };
  // an older one replayed would bring revoked certificates back
  if (answer.thisUpdate <= thisUpdate) return "no newer";
  const span = { thisUpdate: answer.thisUpdate, nextUpdate: answer.nextUpdate };
  await writeRevocation(kv, { key, der, span, crlUrl }, now);
  return "newer";
}

/** The listed services that bear the name of the CRL's issuer; null for what is no CRL. */
async function findIssuers(kv: KVNamespace, der: Uint8Array): Promise<Certificate[] | null> {
  try {
    const anchors = await readAnchors(kv, [nameKey(parseCrl(der).issuer)]);
    return anchors.map(({ certificate }) => parseCertificate(fromBase64(certificate) ?? new Uint8Array()));
  } catch (error) {
    if (error instanceof DerError || error instanceof CertificateError) return null;
    throw error;
  }
}
