/**
 * The header Signature of draft-cavage-http-signatures-12, on which the profiles of the Berlin Group and of STET are built.
 * What the draft leaves to the reader is refused: no `headers`, `hs2019`, `(created)` and `(expires)`, a header twice.
 */
import { fromBase64 } from "../../platform/encoding.ts";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { quote } from "../../platform/quotation.ts";
import { findDigestProblem } from "./digest.ts";
import { problem, type SignatureProblem } from "./problems.ts";
import {
  type Coverage,
  findDateProblem,
  findUncovered,
  hasField,
  type KeyScheme,
  NO_READING,
  PARTS,
  readOnly,
  type SignatureReading,
  type SignedRequest,
} from "./request.ts";

/** Appendix E of the draft without what is obsolete. ECDSA is written in DER (X9.62). */
const ALGORITHMS: Readonly<Record<string, KeyScheme>> = {
  "rsa-sha256": { scheme: { family: "rsa-pkcs1", hash: "SHA-256" } },
  "rsa-sha512": { scheme: { family: "rsa-pkcs1", hash: "SHA-512" } },
  "ecdsa-sha256": { scheme: { family: "ecdsa", hash: "SHA-256" }, curve: "P-256" },
  "ecdsa-sha384": { scheme: { family: "ecdsa", hash: "SHA-384" }, curve: "P-384" },
  ed25519: { scheme: { family: "ed25519" } },
};

/** Method and target. */
const REQUEST_TARGET = "(request-target)";
/** More than a request has; what is signed is bounded by the body of our own request. */
const MAX_COVERED = 64;

export type CavageParameters = ReadonlyMap<string, string>;

/** Section 2.1: `name="value"` or `name=number`, joined by commas. Null if it is anything else, or a name is there twice. */
export function readCavageParameters(value: string): CavageParameters | null {
  const text = value.replace(/^Signature[ \t]+(?=\w+=)/i, "");
  const parameters = new Map<string, string>();
  const part = /[ \t]*([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"|(\d+))[ \t]*(,|$)/y;
  for (let more = true; more; ) {
    const [, name, quoted, number, end] = part.exec(text) ?? [];
    if (name === undefined || parameters.has(name)) return null;
    parameters.set(name, quoted?.replaceAll(/\\(.)/g, "$1") ?? number ?? "");
    more = end === ",";
  }
  return parameters;
}

/** What the two profiles have in common: both demand the digest of the body. */
export function readCavage(
  request: SignedRequest,
  parameters: CavageParameters,
  coverage: Coverage,
  now: Instant,
): SignatureReading {
  const covered = (parameters.get("headers") ?? "")
    .toLowerCase()
    .split(" ")
    .filter((name) => name !== "");
  const lines = writeLines(request, covered);
  const algorithm = parameters.get("algorithm");
  const known = algorithm !== undefined && Object.hasOwn(ALGORITHMS, algorithm.toLowerCase());
  const scheme = known ? ALGORITHMS[algorithm.toLowerCase()] : undefined;
  const signature = fromBase64(parameters.get("signature") ?? "");
  const created = covered.includes("date") ? readDate(request) : null;
  const isDated = coverage.always.includes("date") || hasField(request, "date");
  const isSigned = lines.ok && covered.length > 0 && scheme && signature && signature.length > 0;
  return {
    ...NO_READING,
    covered: covered.slice(0, MAX_COVERED),
    binds: covered.includes(REQUEST_TARGET) ? PARTS : ["body"],
    created: boundedInstant(created ?? Number.NaN),
    problems: [
      ...(covered.length === 0
        ? [problem("covered_too_little", "headers is missing or empty: what was signed is not said")]
        : []),
      ...(lines.ok ? [] : lines.problems),
      ...(scheme ? [] : [refuseAlgorithm(algorithm)]),
      ...(signature?.length
        ? []
        : [problem("signature_unreadable", "the parameter signature is missing or not base64")]),
      ...(covered.length === 0 ? [] : findUncovered(request, covered, coverage)),
      ...(isDated ? findDateProblem(created, now) : []),
      ...findExpiry(parameters, now),
      ...findDigestProblem(request, "digest"),
    ],
    signed: isSigned ? { data: [new TextEncoder().encode(lines.text)], schemes: [scheme], signature } : null,
  };
}

function refuseAlgorithm(algorithm: string | undefined): SignatureProblem {
  if (algorithm === undefined) return problem("algorithm_refused", "the parameter algorithm is missing");
  const why = algorithm.toLowerCase() === "hs2019" ? ", which leaves the algorithm to what is agreed on the key" : "";
  return problem("algorithm_refused", `the algorithm ${quote(algorithm)}${why} is not accepted`);
}

type Lines =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problems: readonly SignatureProblem[] };

/** Section 2.3: the signing string. */
export function writeLines(request: SignedRequest, names: readonly string[]): Lines {
  if (names.length > MAX_COVERED || new Set(names).size < names.length)
    return { ok: false, problems: [problem("signature_ambiguous", "the signature names a header twice, or too many")] };
  const problems: SignatureProblem[] = [];
  const lines = names.map((name) => {
    const field = name === REQUEST_TARGET ? writeTarget(request) : readField(request, name);
    if ("value" in field) return `${name}: ${field.value}`;
    problems.push(field);
    return "";
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, text: lines.join("\n") };
}

/** Section 2.3 has the method in lower case, so one that has lower case itself could be another (RFC 9110 section 9.1). */
const writeTarget = ({ method, path }: SignedRequest): { readonly value: string } | SignatureProblem =>
  method === method.toUpperCase()
    ? { value: `${method.toLowerCase()} ${path}` }
    : problem(
        "signature_ambiguous",
        `${REQUEST_TARGET} does not tell the method ${quote(method)} from the same in capitals`,
      );

const readField = (request: SignedRequest, name: string) =>
  name.startsWith("(") ? refusePseudo(name) : readOnly(request, name);

/** Section 2.3: forbidden with an algorithm whose name begins with rsa, hmac or ecdsa. */
const refusePseudo = (name: string): SignatureProblem =>
  problem("signature_unreadable", `the signature covers ${quote(name)}, which its algorithm does not allow`);

/** RFC 9110 section 5.6.7: the preferred form alone, whose day of the week is right. */
function readDate(request: SignedRequest): Instant | null {
  const field = readOnly(request, "date");
  const instant = "value" in field ? Date.parse(field.value) : Number.NaN;
  return "value" in field && !Number.isNaN(instant) && new Date(instant).toUTCString() === field.value ? instant : null;
}

/** Sections 2.1.4 and 2.1.5: one that has expired, or is of a time to come, is not processed, whether it was covered or not. */
function findExpiry(parameters: CavageParameters, now: Instant): SignatureProblem[] {
  const { created = 0, expires = Number.POSITIVE_INFINITY } = Object.fromEntries(
    ["created", "expires"].flatMap((name) => {
      const text = parameters.get(name);
      return text === undefined ? [] : [[name, Number(text) * 1000]];
    }),
  );
  if (created <= now && expires > now) return [];
  return [problem("date_outside", "its parameter created is of a time to come, or expires has passed")];
}
