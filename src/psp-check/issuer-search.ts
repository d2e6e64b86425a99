/**
 * Looks for issuers that a PSP did not send, from its own certificate up: among those that are kept, then where each
 * certificate says that its issuer's is (caIssuers of authority information access, RFC 5280 section 4.2.2.1). Loaded by the
 * first chain that has no end.
 *
 * A URL may be a stranger's: whoever has a bank's credentials can send any certificate. So the fetch has the limits of an
 * OCSP or CRL fetch, leads to no private address, and the answer waits for all of them together only for a while. A
 * fetch that takes longer goes on after the response, and the next request has it.
 */
import type { FoundIssuer, MissingIssuer, SoughtIssuers } from "../eidas/sought-issuers.ts";
import type { Instant } from "../platform/instant.ts";
import { listIssuerUrls } from "../revocation/distribution-points.ts";
import type { CachedRevocation } from "../revocation/kept-answers.ts";
import {
  fetchOnce,
  findBackOff,
  recordFailure,
  recordSuccess,
  SOURCE_TIMEOUT_MS,
} from "../revocation/source-attempts.ts";
import type { KnownAnchor } from "../trust/anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { readCertificateBag } from "../x509/certificate-bag.ts";
import { sameName } from "../x509/name.ts";
import { buildPath } from "../x509/path.ts";
import type { PathBudget } from "../x509/path-budget.ts";
import { CALLS_TO_KEEP_ISSUER, countCalls } from "./check-budget.ts";
import { readKeptIssuers, recallFetched, rememberFetched } from "./kept-issuers.ts";
import { readHoldings } from "./psp-readings.ts";

/** Issuers above one another that are looked for. Real paths have one or two between the PSP and its anchor. */
const MAX_LEVELS = 3;
/** Of all levels together: whoever has a bank's credentials could have a stranger's server asked. */
const MAX_FETCHES = 4;
/** Milliseconds for which an answer waits for all fetches: less than for one OCSP responder. */
const WAIT_MS = 2_000;
/** A certificate of a CA has 2 KiB. */
const MAX_BYTES = 64 * 1024;

export interface IssuerSearch {
  readonly kv: KVNamespace;
  readonly ctx: { waitUntil(promise: Promise<unknown>): void };
  readonly now: Instant;
  /** At which the certificates are judged. */
  readonly at: Instant;
  /** That of the path search: what it used up is gone. */
  readonly budget: PathBudget;
  /** Whether URLs may lead anywhere: for tests only. */
  readonly anyHost: boolean;
  /** Counts the calls that follow, and throws if they are too many. */
  readonly spendCalls: (calls: number) => void;
}

export interface IssuersFound {
  readonly sought: SoughtIssuers;
  /** Listed services whose subject name is that of a found certificate's issuer. */
  readonly anchors: readonly KnownAnchor[];
  readonly cached: CachedRevocation;
}

/** Looks for the issuer of a certificate, and its issuers up to a listed name. */
export async function findIssuers(search: IssuerSearch, withoutIssuer: Certificate): Promise<IssuersFound> {
  const issuers: FoundIssuer[] = [];
  const anchors: KnownAnchor[] = [];
  let cached: CachedRevocation = new Map();
  let missing: MissingIssuer | null = null;
  const climb: Climb = { ...search, brought: [], fetched: [], waited: AbortSignal.timeout(WAIT_MS) };
  for (let child = withoutIssuer; issuers.length < MAX_LEVELS; ) {
    const step = await findIssuer(climb, child);
    if (!("certificate" in step)) {
      missing = step.missing;
      break;
    }
    const { certificate } = step;
    issuers.push(step);
    search.spendCalls(countCalls({ leaf: certificate, issuers: [] }) + CALLS_TO_KEEP_ISSUER);
    const holdings = await readHoldings(search.kv, [certificate], search.now);
    anchors.push(...holdings.anchors);
    cached = new Map([...cached, ...holdings.cached]);
    if (holdings.anchors.length > 0 || sameName(certificate.issuer, certificate.subject)) break;
    child = certificate;
  }
  return { sought: { issuers, missing }, anchors, cached };
}

interface Climb extends IssuerSearch {
  readonly brought: FoundIssuer[];
  readonly fetched: string[];
  /** Aborted when the answer waits no longer. */
  readonly waited: AbortSignal;
}

type Step = FoundIssuer | { readonly missing: MissingIssuer | null };

async function findIssuer(climb: Climb, child: Certificate): Promise<Step> {
  const { kv, now, brought, spendCalls } = climb;
  spendCalls(1);
  const kept = await readKeptIssuers(kv, child, now);
  const known = await choose(climb, child, [...brought, ...kept.map((certificate) => ({ certificate, url: null }))]);
  if (known) return known;
  let missing: MissingIssuer | null = null;
  for (const url of listIssuerUrls(child)) {
    const fetched = await fetchFrom(climb, url);
    if (fetched.certificates === null) {
      missing = { url, fault: fetched.fault };
      // one that is under way is waited for
      if (fetched.fault === null) break;
      continue;
    }
    const candidates = fetched.certificates.map((certificate) => ({ certificate, url }));
    brought.push(...candidates);
    const issuer = await choose(climb, child, candidates);
    if (issuer) return issuer;
    missing = { url, fault: "sent no certificate that issued it" };
  }
  return { missing };
}

/** The first that has issued the certificate, by signature and by the rules for a path of the two. */
async function choose(
  { at, budget }: Climb,
  child: Certificate,
  candidates: readonly FoundIssuer[],
): Promise<FoundIssuer | null> {
  for (const candidate of candidates) {
    const { certificate } = candidate;
    if (!sameName(certificate.subject, child.issuer)) continue;
    const proven = await buildPath({ leaf: child, issuers: [], anchors: [certificate], now: at, budget });
    if (proven.ok) return candidate;
  }
  return null;
}

type Fetched =
  | { readonly certificates: readonly Certificate[] }
  /** As of {@link MissingIssuer}. */
  | { readonly certificates: null; readonly fault: string | null };

const UNUSABLE = "sent no certificate that can be read";

/** A fetch with two redirects. */
const CALLS_PER_FETCH = 3;

async function fetchFrom({ ctx, now, fetched, waited, anyHost, spendCalls }: Climb, url: string): Promise<Fetched> {
  const recalled = recallFetched(url, now);
  if (recalled) return { certificates: recalled };
  // a stranger may name the URL of an OCSP responder, whose failures must not be those of this fetch
  const source = `issuers ${url}`;
  const question = `${source} readable`;
  const fault = findBackOff(question, now);
  if (fault !== null) return { certificates: null, fault };
  if (fetched.length >= MAX_FETCHES) return { certificates: null, fault: `was not asked, after ${MAX_FETCHES} others` };
  fetched.push(url);
  spendCalls(CALLS_PER_FETCH);
  // longer than the fetch itself may take: it goes on when the answer has been given
  const waiting = { ctx, now, signal: AbortSignal.timeout(SOURCE_TIMEOUT_MS + 1_000) };
  const request = { url, method: "GET", maxBytes: MAX_BYTES, publicOnly: !anyHost, source } as const;
  const attempt = fetchOnce(source, request, waiting, async (bytes) => {
    const certificates = readCertificateBag(bytes);
    if (certificates.length === 0) return recordFailure(question, UNUSABLE, now);
    recordSuccess(question);
    rememberFetched(url, certificates, now);
  });
  ctx.waitUntil(attempt);
  const outcome = await Promise.race([attempt, whenAborted(waited)]);
  if (outcome === null) return { certificates: null, fault: null };
  if (!outcome.ok) return { certificates: null, fault: outcome.message };
  const certificates = readCertificateBag(outcome.bytes);
  return certificates.length > 0 ? { certificates } : { certificates: null, fault: UNUSABLE };
}

const whenAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener("abort", () => resolve(null));
  });
