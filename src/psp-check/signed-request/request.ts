/** A PSP's request as the bank received it, and what a reading of its signature says. Every profile is read into this. */
import type { Instant } from "../../platform/instant.ts";
import type { SignatureScheme } from "../../x509/signature-scheme.ts";
import { problem, type SignatureProblem } from "./problems.ts";

/** A line of a header: its name in lower case, its value without blanks around it. */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** The algorithms that count, and how many bytes their digests have. Others, such as MD5, say nothing. */
export const DIGEST_BYTES = { "sha-256": 32, "sha-512": 64 } as const;
export type DigestAlgorithm = keyof typeof DIGEST_BYTES;
export type Digests = Partial<Readonly<Record<DigestAlgorithm, Uint8Array>>>;

export interface SignedRequest {
  /** As it was sent: capitals count in RFC 9421. */
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly path: string;
  /** Null if neither the target nor the header Host names the host. */
  readonly url: string | null;
  readonly fields: readonly Field[];
  /** The content, or what the bank says of it. Empty bytes: the request has none. */
  readonly body: { readonly bytes: Uint8Array } | { readonly digests: Digests };
  /** Whether the bank asks for an instant also where the profile leaves it out. */
  readonly requireDate: boolean;
}

export const PROFILES = ["berlin-group", "stet", "rfc9421", "uk-open-banking", "jades"] as const;
type Profile = (typeof PROFILES)[number];

/** Of a request. `target`: path and query. */
export const PARTS = ["method", "target", "body"] as const;
type Part = (typeof PARTS)[number];

/** RSA, Ed25519, or ECDSA with the only curve that the algorithm's name allows. */
export interface KeyScheme {
  readonly scheme: SignatureScheme;
  readonly curve?: "P-256" | "P-384";
}

export interface SignatureReading {
  /** Null if there is no signature, or it is not known of which profile it is. */
  readonly profile: Profile | null;
  /** As the signature names it, in its order. */
  readonly covered: readonly string[];
  /** What could not be another one, if there are no problems: it is covered, or its change would be a problem. */
  readonly binds: readonly Part[];
  /** Who signed, as the signature itself says: the claim `iss`. */
  readonly issuer: string | null;
  /** When it was signed, as the signature covers it; see `boundedInstant`. */
  readonly created: Instant | null;
  readonly problems: readonly SignatureProblem[];
  /** What was signed, and how; null if it cannot be verified. One of several schemes, one of several writings of the same. */
  readonly signed: {
    readonly data: readonly Uint8Array[];
    readonly schemes: readonly KeyScheme[];
    readonly signature: Uint8Array;
  } | null;
  /** The certificate that the request carries, in a form that the header `eidas` may have. */
  readonly certificate: string | null;
  /** What the signature names of its certificate. `serial`: hexadecimal or decimal; `sha256`: hexadecimal, in lower case. */
  readonly names: { readonly serial?: string; readonly sha256?: string };
}

export const NO_READING: SignatureReading = {
  ...{ profile: null, covered: [], binds: [], issuer: null, created: null, problems: [] },
  ...{ signed: null, certificate: null, names: {} },
};

export const listValues = ({ fields }: SignedRequest, name: string): string[] =>
  fields.flatMap((field) => (field.name === name ? [field.value] : []));

export const hasField = (request: SignedRequest, name: string): boolean => listValues(request, name).length > 0;

/** RFC 9421 section 2.1 demands it; for older profiles a value with other bytes has several readings. */
const ASCII = /^[\t\x20-\x7e]*$/;

/** The value of a header that counts, or why there is none: which of two counts would be a guess. */
export function readOnly(request: SignedRequest, name: string): { readonly value: string } | SignatureProblem {
  const [value, ...more] = listValues(request, name);
  if (value === undefined) return problem("signature_unreadable", `the request has no header ${name}`);
  if (more.length > 0) return problem("signature_ambiguous", `the header ${name} is there ${more.length + 1} times`);
  return ASCII.test(value)
    ? { value }
    : problem("signature_unreadable", `the header ${name} has a character that is not ASCII`);
}

/** What has to be covered: always, and where the request has it. */
export interface Coverage {
  readonly always: readonly string[];
  readonly ifSent: readonly string[];
}

export function findUncovered(
  request: SignedRequest,
  covered: readonly string[],
  { always, ifSent }: Coverage,
): SignatureProblem[] {
  const required = [...always, ...ifSent.filter((name) => hasField(request, name))];
  const missing = required.filter((name) => !covered.includes(name));
  return missing.length === 0
    ? []
    : [problem("covered_too_little", `the signature does not cover ${missing.join(", ")}`)];
}

/** Between the clocks of the PSP and of this service, and for the way of the request. */
const MAX_AGE_MS = 300_000;

export function findDateProblem(created: Instant | null, now: Instant): SignatureProblem[] {
  if (created === null) return [problem("date_missing", "the signature covers no instant at which it was made")];
  if (Math.abs(now - created) <= MAX_AGE_MS) return [];
  const seconds = Math.round(Math.abs(now - created) / 1000);
  const when = created < now ? "before" : "after";
  return [problem("date_outside", `it was signed ${seconds} seconds ${when} now; at most 300 are accepted`)];
}
