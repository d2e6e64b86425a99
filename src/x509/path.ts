/**
 * From a certificate to a trust anchor (RFC 5280 section 6). Searches the certificates at hand for issuers by name, those
 * whose key identifier fits first; follows a link only when its signature verifies; and judges each path that reaches an
 * anchor by path-rules.ts. When none is good, the answer says what stopped the path that came furthest.
 */
import type { Certificate } from "./certificate.ts";
import { MAX_INTERMEDIATES, type PathBudget, startBudget } from "./path-budget.ts";
import { type Candidate, listCandidates } from "./path-candidates.ts";
import { keepBetter, noteAnchoredFault, noteBudget, noteDeadEnd, type PathFailure } from "./path-failure.ts";
import { findPeriodFault } from "./path-period.ts";
import { findBrokenRule } from "./path-rules.ts";
import { prepareSignature, type SignatureCheck } from "./signature.ts";

export type { PathFailure, PathReason } from "./path-failure.ts";

export interface PathInput {
  readonly leaf: Certificate;
  /** Certificates that may be links of the path; none of them is trusted. */
  readonly issuers: readonly Certificate[];
  /**
   * Certificates that are trusted to issue, roots or not. That one is trusted to issue does not make it good as a leaf:
   * a leaf that is itself an anchor needs another anchor above it, as RFC 5280 knows no path without an issuer.
   */
  readonly anchors: readonly Certificate[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Extended key usages that certificates below the anchor must include, if they have the extension. None unless given. */
  readonly purposes?: readonly string[];
  /** Intermediates allowed, self-issued ones not counted; MAX_INTERMEDIATES unless given, and with them never more. */
  readonly maxIntermediates?: number;
  /** Also asks what RFC 5280 asks of issuers only (path-profile.ts); for conformance suites. */
  readonly strict?: boolean;
  /** The work that the search may do; a whole budget unless given. */
  readonly budget?: PathBudget;
}

/** A path runs from the leaf to the anchor, both included. */
export type PathResult = { readonly ok: true; readonly path: readonly Certificate[] } | PathFailure;

interface Search {
  readonly input: PathInput;
  readonly budget: PathBudget;
  /** Each link is verified once, however many paths share it: child's and issuer's fingerprint -> result. */
  readonly links: Map<string, SignatureCheck>;
  failure: PathFailure;
}

/** Finds a path that stands at `now`, the shortest first. Never throws on what the certificates say. */
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

/** Depth first. Returns the path that stands, or null when there is none from here or the budget is spent. */
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

/** Null when the budget is spent. */
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
  // paid before the work begins: the last signature is not the one that breaks the bound
  if (prepared.ok && !budget.spend("cost", prepared.cost)) return null;
  const result = prepared.ok ? await prepared.verify() : prepared;
  links.set(key, result);
  return result;
}

/** Judges a path whose signatures verify. The period comes last, so that it is named only when nothing else is wrong. */
async function judge(search: Search, path: readonly Certificate[]): Promise<readonly Certificate[] | null> {
  const { input, budget } = search;
  const { maxIntermediates = MAX_INTERMEDIATES, purposes = [], strict = false } = input;
  const anchor = path[path.length - 1];
  const profile = strict && anchor ? { anchorSelfSigned: await isSelfSigned(search, anchor) } : null;
  const broken = findBrokenRule({ path, maxIntermediates, purposes, profile, budget });
  const fault = broken ? { ...broken, reason: "rule" as const } : findPeriodFault(path, input.now);
  if (!fault && !budget.exhausted) return path;
  if (fault) search.failure = keepBetter(search.failure, noteAnchoredFault(path, fault));
  return null;
}

const isSelfSigned = async (search: Search, anchor: Certificate): Promise<boolean> =>
  (await verifyLink(search, anchor, anchor))?.ok === true;
