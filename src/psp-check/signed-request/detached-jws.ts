/**
 * The header x-jws-signature: a detached JWS (RFC 7515 appendix F), whose payload may be unencoded (RFC 7797). Two profiles
 * write it. UK Open Banking covers the body and has three claims in its header. JAdES (ETSI TS 119 182-1) has the instant in
 * sigT, its certificate in x5c, and may cover headers by sigD instead of the body. Where the body is signed, it alone is: the
 * signature is good for any method and target.
 */
import * as z from "zod";
import { concatenate, fromBase64, toBase64Url, toHex } from "../../platform/encoding.ts";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { once } from "../../platform/memory.ts";
import { quote } from "../../platform/quotation.ts";
import { writeLines } from "./cavage.ts";
import { findDigestProblem, hasBody } from "./digest.ts";
import { problem, type SignatureProblem } from "./problems.ts";
import {
  findDateProblem,
  findUncovered,
  type KeyScheme,
  NO_READING,
  PARTS,
  type SignatureReading,
  type SignedRequest,
} from "./request.ts";

/** RFC 7518 and RFC 8037, RFC 9864. */
const ALGORITHMS: Readonly<Record<string, KeyScheme>> = {
  RS256: { scheme: { family: "rsa-pkcs1", hash: "SHA-256" } },
  RS512: { scheme: { family: "rsa-pkcs1", hash: "SHA-512" } },
  PS256: { scheme: { family: "rsa-pss", hash: "SHA-256", saltLength: 32 } },
  PS384: { scheme: { family: "rsa-pss", hash: "SHA-384", saltLength: 48 } },
  PS512: { scheme: { family: "rsa-pss", hash: "SHA-512", saltLength: 64 } },
  ES256: { scheme: { family: "ecdsa", hash: "SHA-256", plain: true }, curve: "P-256" },
  ES384: { scheme: { family: "ecdsa", hash: "SHA-384", plain: true }, curve: "P-384" },
  EdDSA: { scheme: { family: "ed25519" } },
  Ed25519: { scheme: { family: "ed25519" } },
};

const UK_CLAIM = "http://openbanking.org.uk/";
const IAT = `${UK_CLAIM}iat` as const;
const ISS = `${UK_CLAIM}iss` as const;
const TAN = `${UK_CLAIM}tan` as const;
const HTTP_HEADERS = "http://uri.etsi.org/19182/HttpHeaders";
/** What is processed here: another name in `crit` means something that this reader would leave out (RFC 7515 section 4.1.11). */
const UNDERSTOOD = new Set(["b64", "iat", "sigT", "sigD", IAT, ISS, TAN]);
/** Of the Berlin Group, for a signature over headers. */
const OVER_HEADERS = {
  always: ["(request-target)"],
  ifSent: ["x-request-id", "psu-id", "psu-corporate-id", "tpp-redirect-uri"],
};

const joseHeader = once(() =>
  z.object({
    alg: z.string(),
    b64: z.boolean().optional(),
    crit: z.array(z.string()).min(1).optional(),
    iat: z.int().min(0).optional(),
    sigT: z.string().optional(),
    sigD: z.object({ mId: z.string(), pars: z.array(z.string()).min(1).max(64) }).optional(),
    x5c: z
      .array(z.string().regex(/^[A-Za-z0-9+/]+=*$/))
      .min(1)
      .max(10)
      .optional(),
    "x5t#S256": z.string().optional(),
    [IAT]: z.int().min(0).optional(),
    [ISS]: z.string().min(1).optional(),
    [TAN]: z.string().min(1).optional(),
  }),
);
type JoseHeader = z.output<ReturnType<typeof joseHeader>>;

/** `value`: of the header. */
export function readDetachedJws(request: SignedRequest, value: string, now: Instant): SignatureReading {
  const [encoded = "", payload, last = "", ...more] = value.split(".");
  const read = payload === "" && more.length === 0 ? readJoseHeader(encoded) : null;
  const signature = fromBase64(last);
  if (!read || !signature?.length)
    return unread("x-jws-signature is no detached JWS: header..signature, each in base64url, is expected");
  if ("fault" in read) return unread(`the header of the JWS cannot be read: ${read.fault}`);
  const { header, names } = read;
  const isUk = names.some((name) => name.startsWith(UK_CLAIM));
  const instants = listInstants(header);
  const covering = header.sigD ? coverHeaders(request, header.sigD) : coverBody(request);
  const thumbprint = header["x5t#S256"] === undefined ? undefined : fromBase64(header["x5t#S256"]);
  const scheme = Object.hasOwn(ALGORITHMS, header.alg) ? ALGORITHMS[header.alg] : undefined;
  return {
    ...NO_READING,
    profile: isUk ? "uk-open-banking" : "jades",
    covered: covering.covered,
    binds: header.sigD ? PARTS : ["body"],
    issuer: header[ISS] ?? null,
    created: boundedInstant(instants.find((each) => each !== null) ?? Number.NaN),
    problems: [
      ...(scheme ? [] : [problem("algorithm_refused", `the algorithm ${quote(header.alg)} is not accepted`)]),
      ...findCritical(header, names),
      ...(isUk ? findUkClaims(header) : []),
      ...covering.problems,
      ...(instants.length === 0 ? findDateProblem(null, now) : instants.flatMap((each) => findDateProblem(each, now))),
    ],
    signed:
      scheme && covering.payloads.length > 0
        ? { data: covering.payloads.map((each) => join(encoded, header, each)), schemes: [scheme], signature }
        : null,
    certificate: header.x5c ? header.x5c.map(writePem).join("\n") : null,
    // one that cannot be read names no certificate that there is
    names: thumbprint === undefined ? {} : { sha256: thumbprint ? toHex(thumbprint) : "" },
  };
}

const unread = (message: string): SignatureReading => ({
  ...NO_READING,
  problems: [problem("signature_unreadable", message)],
});

const writePem = (base64: string): string => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`;

type Read = { readonly header: JoseHeader; readonly names: readonly string[] } | { readonly fault: string };

/** Null if it is no JSON. `names`: all that it has. */
function readJoseHeader(encoded: string): Read | null {
  const bytes = fromBase64(encoded);
  if (!bytes) return null;
  try {
    const given: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    const { success, data, error } = joseHeader().safeParse(given);
    if (success) return { header: data, names: Object.keys(Object(given)) };
    const [issue] = error.issues;
    return { fault: `${issue?.path.join(".") || "it"} is not as expected` };
  } catch {
    return null;
  }
}

/** RFC 7515 section 5.1, RFC 7797 section 3. */
function join(encoded: string, { b64 }: JoseHeader, payload: Uint8Array): Uint8Array {
  const encoder = new TextEncoder();
  return concatenate([encoder.encode(`${encoded}.`), b64 === false ? payload : encoder.encode(toBase64Url(payload))]);
}

/** Null for a sigT that is no instant. Each that is given has to be in time. */
function listInstants(header: JoseHeader): (number | null)[] {
  const { sigT, iat } = header;
  const seconds = [header[IAT], iat].filter((each) => typeof each === "number").map((each) => each * 1000);
  return sigT === undefined ? seconds : [...seconds, readInstant(sigT)];
}

function readInstant(text: string): Instant | null {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = isInstant ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}

/** RFC 7515 section 4.1.11, and RFC 7797 section 6: b64 has to be critical. */
function findCritical({ crit = [], b64 }: JoseHeader, names: readonly string[]): SignatureProblem[] {
  const odd = crit.filter((name) => !UNDERSTOOD.has(name) || !names.includes(name));
  const refuse = (message: string) => [problem("signature_unreadable", message)];
  if (odd.length > 0) return refuse(`crit names what is not known here, or not there: ${odd.map(quote).join(", ")}`);
  if (new Set(crit).size < crit.length) return refuse("crit names one twice");
  return b64 !== undefined && !crit.includes("b64") ? refuse("b64 is not in crit, as RFC 7797 demands") : [];
}

/** OBIE Read/Write Data API, "Message signing": three claims, which are critical. */
function findUkClaims(header: JoseHeader): SignatureProblem[] {
  const missing = [IAT, ISS, TAN].filter((name) => header[name] === undefined || !header.crit?.includes(name));
  return missing.length === 0
    ? []
    : [problem("covered_too_little", `the header of the JWS has not, or not in crit: ${missing.join(", ")}`)];
}

interface Covering {
  readonly covered: readonly string[];
  /** Different writings of the same. */
  readonly payloads: readonly Uint8Array[];
  readonly problems: readonly SignatureProblem[];
}

function coverBody({ body }: SignedRequest): Covering {
  const covered = ["body"];
  if (!("bytes" in body)) return { covered, payloads: [], problems: [problem("digest_unknown", BODY_NEEDED)] };
  // else a signature over nothing would be one of each request without a body
  const problems = body.bytes.length > 0 ? [] : [problem("covered_too_little", NOTHING)];
  return { covered, payloads: [body.bytes], problems };
}

const BODY_NEEDED = "the body itself is signed: send body, not body_digest";
const NOTHING = "the signature covers the body alone, which is empty: nothing of the request is signed";

/** TS 119 182-1 section 5.2.8.2: the lines of draft-cavage. Some writers end the last one with a line break, too. */
function coverHeaders(request: SignedRequest, { mId, pars }: NonNullable<JoseHeader["sigD"]>): Covering {
  const covered = pars.map((name) => name.toLowerCase());
  if (mId !== HTTP_HEADERS)
    return {
      covered,
      payloads: [],
      problems: [problem("signature_unreadable", `sigD has the mechanism ${quote(mId)}`)],
    };
  const lines = writeLines(request, covered);
  const isDigested = hasBody(request) || covered.includes("digest");
  const always = isDigested ? [...OVER_HEADERS.always, "digest"] : OVER_HEADERS.always;
  return {
    covered,
    payloads: lines.ok ? [lines.text, `${lines.text}\n`].map((text) => new TextEncoder().encode(text)) : [],
    problems: [
      ...(lines.ok ? [] : lines.problems),
      ...findUncovered(request, covered, { ...OVER_HEADERS, always }),
      ...(isDigested ? findDigestProblem(request, "digest") : []),
    ],
  };
}
