/** How what observations.ts observes is stored, and found in a check. Loaded by the first observation of an isolate. */

import { nameDay } from "../platform/clock.ts";
import { toBase64 } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import type { Chain } from "../psp-check/check-budget.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import type { KnownAnchor } from "../trust/anchors.ts";
import type { EventEvidence } from "./event.ts";
import type { ShownCertificate } from "./issuers.ts";
import { readIssuers, storeShownCertificate } from "./issuers.ts";
import { addNotice, type Notice } from "./notices.ts";
import { makeGrantStanding } from "./standing.ts";

/** Unless there is one of it. `db`: the first. */
export const addRevocationNotice = (
  db: D1Database,
  chain: Chain,
  check: PspCheck,
  pspId: string,
  now: Instant,
): Promise<void> => addNotice(db, describeRevocation(chain, check, pspId), now);

/** Stores the certificate with the one of the `anchors` that issued it. `db`: the first. */
export async function storeIssuer(
  db: D1Database,
  chain: Chain,
  anchors: readonly KnownAnchor[],
  check: PspCheck,
  pspId: string,
  now: Instant,
): Promise<void> {
  const shown = findShown(chain, anchors, check, pspId);
  const seen = { observedOn: nameDay(now), inRegister: isInRegister(check.home) };
  if (shown) await storeShownCertificate(db, shown, seen);
}

function isInRegister(home: RegisterReading | null): 0 | 1 | null {
  if (home === null || home.manifests.length === 0 || home.ambiguous) return null;
  return home.categories.length > 0 ? 1 : 0;
}

function describeRevocation({ leaf }: Chain, { evidence }: PspCheck, pspId: string): Notice {
  const certificate: EventEvidence = { document: "certificate", sha256: leaf.fingerprint };
  const proofs = evidence.revocation.map(({ source, sha256 }) => ({ document: source, sha256 }));
  const about = { certificate: leaf.fingerprint };
  return {
    id: `revoked ${leaf.fingerprint}`,
    type: "psp.certificate_revoked",
    subject: pspId,
    pspId,
    country: null,
    news: {
      before: { ...about, revoked: false },
      after: { ...about, revoked: true },
      evidence: [certificate, ...proofs],
    },
  };
}

function findShown(
  { leaf, issuers }: Chain,
  anchors: readonly KnownAnchor[],
  { evidence }: PspCheck,
  pspId: string,
): ShownCertificate | null {
  const path = new Set(evidence.path.map(({ sha256 }) => sha256));
  const deciding = anchors.filter(
    ({ listed }) =>
      listed.source === evidence.anchor?.source &&
      listed.jurisdiction === evidence.anchor.jurisdiction &&
      listed.serviceName === evidence.anchor.serviceName,
  );
  // a service is its name and key: the path may end at another certificate of it
  const issuing = deciding.find(({ certificate }) => path.has(certificate.fingerprint)) ?? deciding[0];
  if (!issuing) return null;
  const { source, jurisdiction, serviceName } = issuing.listed;
  const sent = [leaf, ...issuers.filter(({ fingerprint }) => path.has(fingerprint))];
  return {
    pspId,
    certificate: leaf.fingerprint,
    chain: JSON.stringify(sent.map(({ der }) => toBase64(der))),
    anchor: issuing.certificate.fingerprint,
    source,
    jurisdiction,
    serviceName,
    notAfter: leaf.notAfter,
  };
}

// what is known already stays: changes are notified from there on
export const LEARN = `
  INSERT OR IGNORE INTO psp_standings (fi_id, psp_id, digest, standing, seen_at)
  VALUES (:fiId, :pspId, :digest, :standing, :now)`;

/**
 * `home`: as the check of the grant read it at `now`; who issued the PSP's certificates is read here. `db`: the
 * institution's. Throws StoreError.
 */
export async function storeGrantStanding(
  env: Pick<Env, "DB" | "KV">,
  db: D1Database,
  fiId: number,
  pspId: string,
  home: RegisterReading,
  now: Instant,
): Promise<void> {
  const [{ issuers } = { issuers: [] }] = await readIssuers(env.DB, env.KV, [pspId], now);
  const known = makeGrantStanding(home, issuers, now);
  if (!known) return;
  const learn = bindNamed(db, LEARN, { fiId, pspId, ...known, now });
  await callStore("D1", () => learn.run());
}
