/**
 * HTTP message signatures (RFC 9421) with Content-Digest (RFC 9530). Which components count is said here, after section 7.2.1:
 * method, target and body, and the headers that the Berlin Group names. Of several signatures none is taken for the PSP's.
 */
import {
  componentIdentity,
  isSignatureError,
  type UntrustedSignatureCandidate,
  verifySignature,
} from "http-message-sig";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { findDigestProblem, hasBody } from "./digest.ts";
import { problem, type SignatureProblem } from "./problems.ts";
import {
  findDateProblem,
  findUncovered,
  hasField,
  type KeyScheme,
  listValues,
  NO_READING,
  PARTS,
  type SignatureReading,
  type SignedRequest,
} from "./request.ts";

/** Section 6.2.2, without hmac-sha256: its secret is no certificate's. */
const ALGORITHMS: Readonly<Record<string, KeyScheme>> = {
  "rsa-pss-sha512": { scheme: { family: "rsa-pss", hash: "SHA-512", saltLength: 64 } },
  "rsa-v1_5-sha256": { scheme: { family: "rsa-pkcs1", hash: "SHA-256" } },
  "ecdsa-p256-sha256": { scheme: { family: "ecdsa", hash: "SHA-256", plain: true }, curve: "P-256" },
  "ecdsa-p384-sha384": { scheme: { family: "ecdsa", hash: "SHA-384", plain: true }, curve: "P-384" },
  ed25519: { scheme: { family: "ed25519" } },
};

const IF_SENT = ["x-request-id", "psu-id", "psu-corporate-id", "tpp-redirect-uri"];
/** Each names the path and the query; a path alone does not name the query. */
const TARGETS = ["@target-uri", "@request-target"];
const NAME_THE_HOST = ["@target-uri", "@authority", "@scheme"];

interface Seen {
  readonly candidate: UntrustedSignatureCandidate;
  readonly data: Uint8Array;
}

export async function readMessageSignature(request: SignedRequest, now: Instant): Promise<SignatureReading> {
  const profile = "rfc9421" as const;
  const seen = await findSigned(request);
  if ("code" in seen) return { ...NO_READING, profile, problems: [seen] };
  const { candidate, data } = seen;
  const { algorithm, parameters, signature } = candidate;
  // a component with parameters is another one than that without
  const covered = candidate.components.map((each) => componentIdentity(each).replace(/^"([^"]*)"$/, "$1"));
  const created = parameters.created === undefined ? null : parameters.created * 1000;
  const { expires = Number.POSITIVE_INFINITY } = parameters;
  return {
    ...NO_READING,
    ...{ profile, covered, binds: PARTS, created: boundedInstant(created ?? Number.NaN) },
    problems: [
      ...findRepeated(request, covered),
      ...findUncovered(request, covered, {
        always: ["@method", ...listTarget(request, covered), ...(needsDigest(request) ? ["content-digest"] : [])],
        ifSent: IF_SENT,
      }),
      ...(request.url === null && covered.some((name) => NAME_THE_HOST.includes(name))
        ? [problem("signature_unreadable", "the host is covered: target or the header Host has to name it")]
        : []),
      ...findDateProblem(created, now),
      ...(expires * 1000 <= now ? [problem("date_outside", "its parameter expires has passed")] : []),
      ...(needsDigest(request) ? findDigestProblem(request, "content-digest") : []),
    ],
    signed: { data: [data], signature, schemes: listSchemes(algorithm) },
  };
}

/** Without `alg` the key decides (section 3.2, step 6). What does not fit the key is refused with it. */
const listSchemes = (algorithm: string | undefined): KeyScheme[] => {
  const named = algorithm === undefined ? undefined : ALGORITHMS[algorithm];
  return named ? [named] : Object.values(ALGORITHMS);
};

const needsDigest = (request: SignedRequest): boolean => hasBody(request) || hasField(request, "content-digest");

function listTarget({ path }: SignedRequest, covered: readonly string[]): string[] {
  if (TARGETS.some((name) => covered.includes(name))) return [];
  // section 2.2.7: an empty query and none are signed as the same
  if (!covered.includes("@path") || path.indexOf("?") === path.length - 1) return ["@target-uri"];
  return path.includes("?") ? ["@query"] : [];
}

/** Section 2.1 joins them. Which of them a bank's system reads is not known. */
const findRepeated = (request: SignedRequest, covered: readonly string[]): SignatureProblem[] =>
  [...new Set([...covered, "content-digest"])]
    .map((name) => ({ name, times: listValues(request, name).length }))
    .filter(({ times }) => times > 1)
    .map(({ name, times }) => problem("signature_ambiguous", `the header ${name} is there ${times} times`));

/** The library reads both headers, strictly, and writes what was signed. Its own rules are not used: they end at the first problem. */
async function findSigned(request: SignedRequest): Promise<Seen | SignatureProblem> {
  const { method, path, url, fields } = request;
  // it refuses a request that has such a value anywhere: without the line, who covers it covers what is missing
  const readable = fields.filter(({ value }) => /^[\t\x20-\x7e]*$/.test(value));
  let seen: Seen | undefined;
  try {
    await verifySignature(
      {
        kind: "request",
        method,
        targetUri: url ?? `https://unknown.invalid${path}`,
        requestTarget: path,
        fields: readable,
      },
      {
        policy: {
          algorithms: Object.keys(ALGORITHMS),
          requiredComponents: [],
          requiredParameters: [],
          ...{ now: 0, clockSkew: Number.MAX_SAFE_INTEGER },
        },
        resolveVerifier: (candidate) => ({
          algorithm: candidate.algorithm ?? "ed25519",
          verify: (data) => {
            seen = { candidate, data };
            return true;
          },
        }),
      },
    );
  } catch (error) {
    if (!isSignatureError(error)) throw error;
    return explain(error);
  }
  return seen ?? problem("signature_unreadable", "the signature cannot be read");
}

function explain({ code, message }: Error & { readonly code: string }): SignatureProblem {
  if (code === "LabelRequired")
    return problem(
      "signature_ambiguous",
      "Signature and Signature-Input have several signatures, or not the same ones",
    );
  if (code === "PolicyViolation") return problem("algorithm_refused", message);
  return problem("signature_unreadable", message);
}
