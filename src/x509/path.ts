/** Builds a path to a trust anchor (RFC 5280 section 6). A link is followed only if its signature verifies. */
import type { Instant } from "../platform/instant.ts";
import { type Certificate, findExtension } from "./certificate.ts";
import { type Candidate, listCandidates } from "./chain-order.ts";
import { Oid } from "./extensions.ts";
import { sameName } from "./name.ts";
import { type PathBudget, startBudget } from "./path-budget.ts";
import { keepBetter, noteAnchoredFault, noteBudget, noteDeadEnd, type PathFailure } from "./path-failure.ts";
import { findBrokenRule, findPeriodFault } from "./path-rules.ts";
import { prepareSignature, type SignatureCheck } from "./signature.ts";

export type { PathFailure } from "./path-failure.ts";

export interface PathInput {
  readonly leaf: Certificate;
  /** Untrusted certificates that may be used as intermediates. */
  readonly issuers: readonly Certificate[];
  /** Roots or not. A leaf that is itself an anchor needs another above it: an RFC 5280 path always has an issuer. */
  readonly anchors: readonly Certificate[];
  readonly now: Instant;
  readonly budget?: PathBudget;
}

export type PathResult = { readonly ok: true; readonly path: readonly Certificate[] } | PathFailure;

interface Search {
  readonly input: PathInput;
  readonly budget: PathBudget;
  /** The result for each pair of child and issuer fingerprints, so that no link is verified twice in one search. */
  readonly links: Map<string, SignatureCheck>;
  failure: PathFailure;
}

export async function buildPath(input: PathInput): Promise<PathResult> {
  const search: Search = {
    input,
    budget: input.budget ?? startBudget(),
    links: new Map(),
    failure: noteDeadEnd([input.leaf], [], input.anchors),
  };
  const path = await extend(search, [input.leaf]);
  if (path) return { ok: true, path };
  return search.budget.exhausted ? noteBudget(search.budget.exhausted, search.failure) : search.failure;
}

/** Searches depth first. Returns a valid path, or null if there is none from here or the budget ran out. */
async function extend(search: Search, path: readonly Certificate[]): Promise<readonly Certificate[] | null> {
  const { input, budget } = search;
  const child = path[path.length - 1];
  if (!child) return null;
  const candidates = listCandidates(child, path, input);
  const refused: { candidate: Candidate; reason: string }[] = [];
  for (const candidate of candidates) {
    if (!budget.spend("candidates")) return null;
    const link = await verifyLink(search, child, candidate.certificate);
    if (!link) return null;
    if (!link.ok) {
      refused.push({ candidate, reason: link.reason });
      continue;
    }
    const longer = [...path, candidate.certificate];
    const found = await (candidate.anchor ? judge(search, longer) : extend(search, longer));
    if (found || budget.exhausted) return found;
  }
  if (refused.length === candidates.length)
    search.failure = keepBetter(search.failure, noteDeadEnd(path, refused, input.anchors));
  return null;
}

async function verifyLink(
  { links, budget }: Search,
  child: Certificate,
  issuer: Certificate,
): Promise<SignatureCheck | null> {
  const key = `${child.fingerprint} ${issuer.fingerprint}`;
  const known = links.get(key);
  if (known) return known;
  if (!budget.spend("signatures")) return null;
  const { signatureAlgorithm: algorithm, tbs: data, signature } = child;
  const prepared = prepareSignature({ algorithm, publicKey: issuer.publicKey, data, signature });
  // charged before the work, so that no signature is verified beyond the limit
  if (prepared.ok && !budget.spend("cost", prepared.cost)) return null;
  const result = prepared.ok ? await prepared.verify() : prepared;
  links.set(key, result);
  return result;
}

async function judge(search: Search, path: readonly Certificate[]): Promise<readonly Certificate[] | null> {
  const { input, budget } = search;
  const anchorSelfSigned = await isSelfSigned(search, path[path.length - 1]);
  const broken = findBrokenRule({ path, anchorSelfSigned, budget });
  const fault = broken ? { ...broken, reason: "rule" as const } : findPeriodFault(path, input.now);
  if (!fault && !budget.exhausted) return path;
  if (fault) search.failure = keepBetter(search.failure, noteAnchoredFault(path, fault));
  return null;
}

/** A signature costs, and is worth it only for the few anchors whose names differ and which name no key of an issuer. */
const isSelfSigned = async (search: Search, anchor: Certificate | undefined): Promise<boolean> =>
  anchor !== undefined &&
  !sameName(anchor.subject, anchor.issuer) &&
  findExtension(anchor, Oid.authorityKeyIdentifier) === null &&
  (await verifyLink(search, anchor, anchor))?.ok === true;
