/** Verifies a signed answer of the service (RFC 9421): that it is the service's, whole, and the answer to this request. */
import { toBase64 } from "./settings.ts";
import { type FieldValues, fromBase64, readFields, toContent, VerificationError } from "./verification.ts";

/** As it was sent: a `Request`, or what was saved of one. */
export interface SentRequest {
  readonly method: string;
  /** The whole address. Its path and query are signed, its host is not. */
  readonly url: string;
  readonly headers: FieldValues;
  /** If given, its digest must be signed, too: send `Content-Digest` and `Accept-Signature: bank=("content-digest";req)`. */
  readonly content?: string | Uint8Array;
}

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: FieldValues;
  /** The bytes that came: JSON that was parsed and written again is another content. */
  readonly content: string | Uint8Array;
}

/** What `/.well-known/jwks.json` answers. */
export interface SigningKeys {
  readonly keys: readonly {
    readonly kty: string;
    readonly crv: string;
    readonly x: string;
    readonly kid: string;
    /** When it began to sign and when it ended: seconds since 1970. */
    readonly nbf: number;
    readonly exp?: number;
  }[];
}

export interface VerifyOptions {
  /** The nonce of the request's `Accept-Signature`: the answer must have it, so it is none to an earlier request. */
  readonly nonce?: string;
  /** Milliseconds since 1970; the machine's clock unless given. */
  readonly now?: number;
}

export interface ProvenAnswer {
  readonly kid: string;
  /** Milliseconds since 1970. */
  readonly signedAt: number;
  readonly evidenceId: string | null;
  readonly nonce: string | null;
}

const TAG = "psp-gate";
/** Between two machines. */
const CLOCK_SKEW_MS = 300_000;
/** Headers of a request that decide its answer, of the older forms the last two. */
const DECIDING = ["fi_reference_id", "eidas", "ccg_token", "version", "x-eidas", "x-ccg-token"];

// as they are written when they are signed (RFC 8941 section 4.1)
const STRING = '"(?:[ !#-\\[\\]-~]|\\\\["\\\\])*"';
const LABEL = "[a-z*][a-z0-9_.*-]*";
const PARAMETERS = `(?:;${LABEL}(?:=(?:${STRING}|\\d+))?)*`;
const INPUT = new RegExp(`^(${LABEL})=(\\(((?:${STRING}${PARAMETERS} ?)*)\\)(${PARAMETERS}))(?:[ \\t]*,[ \\t]*|$)`);
const COMPONENT = new RegExp(`(${STRING})(${PARAMETERS})`, "g");
const PARAMETER = new RegExp(`;(${LABEL})=(${STRING}|\\d+)`, "g");

/**
 * Resolves if the answer is proven. Throws `VerificationError` for any other: not signed, altered, that to another
 * request, by a key that is not among `keys` or was not in use. Sends nothing. Keep `keys` of a time at which you trusted
 * the connection; fetch them again when a `kid` is missing.
 */
export async function verifyAnswer(
  request: SentRequest,
  answer: ReceivedAnswer,
  { keys }: SigningKeys,
  { nonce, now = Date.now() }: VerifyOptions = {},
): Promise<ProvenAnswer> {
  const [asked, given] = [readFields(request.headers), readFields(answer.headers)];
  const { label, components, covered, parameters } = readInput(given.get("signature-input") ?? "");
  const value = new RegExp(`(?:^|,\\s*)${escapePattern(label)}=:([A-Za-z0-9+/=]+):\\s*(?:,|$)`).exec(
    given.get("signature") ?? "",
  );
  const signature = fromBase64(value?.[1] ?? "");
  if (!signature) throw new VerificationError("the header Signature has none for Signature-Input");

  if (given.get("content-digest") !== (await digest(answer.content)))
    throw new VerificationError("the content is not what was signed: its Content-Digest is another one");
  if (request.content !== undefined && asked.get("content-digest") !== (await digest(request.content)))
    throw new VerificationError("the request's Content-Digest is not that of its content");
  const needed = [
    ...['"@status"', '"content-digest"', ...(given.has("x-evidence-id") ? ['"x-evidence-id"'] : [])],
    ...['"@method";req', '"@path";req', '"@query";req'],
    ...DECIDING.filter((name) => asked.has(name)).map((name) => `"${name}";req`),
    ...(request.content === undefined ? [] : ['"content-digest";req']),
  ];
  const missing = needed.find((id) => !components.includes(id));
  if (missing !== undefined) throw new VerificationError(`the signature does not cover ${missing}`);

  const { created, keyid = "" } = parameters;
  const signedAt = Number(created ?? Number.NaN) * 1000;
  const [key, second] = keys.filter(({ kid }) => kid === keyid);
  if (key?.kty !== "OKP" || key.crv !== "Ed25519" || second !== undefined)
    throw new VerificationError(`there is no key ${keyid}, or no single one`);
  // a key begins and ends at the operator's clock; not in use also where a date is missing
  const inUse = signedAt >= key.nbf * 1000 - CLOCK_SKEW_MS && signedAt <= (key.exp ?? Number.POSITIVE_INFINITY) * 1000;
  if (!inUse || signedAt > now + CLOCK_SKEW_MS)
    throw new VerificationError(`the key ${keyid} was not in use when it signed, or that time is still to come`);
  if ((parameters["alg"] ?? "ed25519") !== "ed25519") throw new VerificationError("it is not signed by Ed25519");
  if (nonce !== undefined && parameters["nonce"] !== nonce)
    throw new VerificationError("it has another nonce, or none");

  const lines = components.map((id) => `${id}: ${findValue(id, request, asked, answer.status, given)}\n`).join("");
  const { kty, crv, x } = key;
  const verifier = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
  if (
    !(await crypto.subtle.verify("Ed25519", verifier, signature, toContent(`${lines}"@signature-params": ${covered}`)))
  )
    throw new VerificationError("the signature is not that of this answer to this request");
  return { kid: keyid, signedAt, evidenceId: given.get("x-evidence-id"), nonce: parameters["nonce"] ?? null };
}

/** The service's own signature; a proxy may have added its own. */
function readInput(input: string) {
  const own: { label: string; covered: string; components: string[]; parameters: Record<string, string> }[] = [];
  for (let rest = input.trim(); rest !== ""; ) {
    const [whole, label = "", covered = "", items = "", written = ""] = INPUT.exec(rest) ?? [];
    if (whole === undefined) throw new VerificationError("the header Signature-Input cannot be read");
    rest = rest.slice(whole.length);
    const pairs = [...written.matchAll(PARAMETER)].map(([, name = "", value = ""]) => [name, unquote(value)] as const);
    const parameters: Record<string, string> = Object.fromEntries(pairs);
    if (parameters["tag"] !== TAG) continue;
    own.push({ label, covered, components: [...items.matchAll(COMPONENT)].map(([id]) => id), parameters });
  }
  const [first, second] = own;
  if (!first || second) throw new VerificationError("the answer is not signed by psp-gate, or more than once");
  // RFC 9421 section 2.5
  if (new Set(first.components).size < first.components.length)
    throw new VerificationError("the signature covers a component twice");
  return first;
}

const unquote = (value: string): string => value.replace(/^"(.*)"$/, "$1").replaceAll(/\\(.)/g, "$1");
const escapePattern = (label: string): string => label.replaceAll(/[.*]/g, "\\$&");

/** RFC 9421 section 2. */
function findValue(id: string, { method, url }: SentRequest, asked: Headers, status: number, given: Headers): string {
  const [, name = "", ofRequest] = /^"(@?[-_.a-z0-9]+)"(;req)?$/.exec(id) ?? [];
  const { pathname, search, host, href, protocol } = new URL(url);
  const derived: Readonly<Record<string, string>> = ofRequest
    ? {
        ...{ "@method": method, "@path": pathname, "@query": search || "?", "@request-target": pathname + search },
        ...{ "@authority": host, "@scheme": protocol.slice(0, -1), "@target-uri": href.replace(/#.*/, "") },
      }
    : { "@status": String(status) };
  const value = name.startsWith("@") ? derived[name] : name === "" ? null : (ofRequest ? asked : given).get(name);
  if (value == null) throw new VerificationError(`the signature covers ${id}, which is not here, or not known here`);
  return value;
}

/** The value of Content-Digest (RFC 9530). */
async function digest(content: string | Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", toContent(content));
  return `sha-256=:${toBase64(new Uint8Array(hash))}:`;
}
