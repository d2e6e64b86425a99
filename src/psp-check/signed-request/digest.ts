/** The digest of a request's body: the header Digest (RFC 3230), Content-Digest (RFC 9530), and what the bank computed itself. */
import { isInnerList, parseDictionary } from "structured-headers";
import { fromBase64, sameBytes } from "../../platform/encoding.ts";
import { createHash } from "../../platform/node-crypto.ts";
import { problem, type SignatureProblem } from "./problems.ts";
import { DIGEST_BYTES, type DigestAlgorithm, type Digests, readOnly, type SignedRequest } from "./request.ts";

const ALGORITHMS = Object.keys(DIGEST_BYTES) as DigestAlgorithm[];

const isAlgorithm = (name: string): name is DigestAlgorithm => ALGORITHMS.some((each) => each === name);

/** Null if it cannot be read, or says one algorithm twice. Empty if it has none of {@link ALGORITHMS}. */
function collect(entries: readonly (readonly [name: string, bytes: Uint8Array | null])[]): Digests | null {
  const digests: Partial<Record<DigestAlgorithm, Uint8Array>> = {};
  for (const [given, bytes] of entries) {
    const name = given.toLowerCase();
    if (!isAlgorithm(name)) continue;
    if (bytes?.length !== DIGEST_BYTES[name] || digests[name]) return null;
    digests[name] = bytes;
  }
  return digests;
}

/** `SHA-256=base64`, of several joined by commas. */
export function readDigest(value: string): Digests | null {
  const entries = value.split(",").map((part) => /^[ \t]*([\w-]+)=([\w+/-]+=*)[ \t]*$/.exec(part));
  if (entries.includes(null)) return null;
  return collect(entries.map((entry) => [entry?.[1] ?? "", fromBase64(entry?.[2] ?? "")] as const));
}

/** `sha-256=:base64:`, a dictionary of structured fields. */
export function readContentDigest(value: string): Digests | null {
  try {
    return collect(
      [...parseDictionary(value)].map(([name, member]) => [
        name,
        !isInnerList(member) && member[0] instanceof ArrayBuffer ? new Uint8Array(member[0]) : null,
      ]),
    );
  } catch {
    return null;
  }
}

const HEADERS = { digest: readDigest, "content-digest": readContentDigest } as const;

/** Compares each digest of the header with the body's. */
export function findDigestProblem(request: SignedRequest, header: keyof typeof HEADERS): SignatureProblem[] {
  const field = readOnly(request, header);
  if (!("value" in field))
    return [{ ...field, code: field.code === "signature_ambiguous" ? field.code : "digest_missing" }];
  const digests = HEADERS[header](field.value);
  if (!digests) return [problem("digest_missing", `the header ${header} cannot be read`)];
  const { body } = request;
  const named = ALGORITHMS.filter((name) => digests[name]);
  if (named.length === 0) return [problem("digest_unknown", `the header ${header} has neither SHA-256 nor SHA-512`)];
  const known = named.filter((name) => "bytes" in body || body.digests[name]);
  if (known.length === 0)
    return [problem("digest_unknown", `the header ${header} has ${named.join()}, body_digest has another algorithm`)];
  const differing = known.filter((name) => !sameBytes(digests[name] ?? NONE, digestOf(body, name)));
  return differing.map((name) =>
    problem("digest_differs", `the ${name} of the header ${header} is not that of the body`),
  );
}

const NONE = new Uint8Array(0);

const digestOf = (body: SignedRequest["body"], name: DigestAlgorithm): Uint8Array =>
  "bytes" in body ? createHash(name.replace("-", "")).update(body.bytes).digest() : (body.digests[name] ?? NONE);

export const hasBody = ({ body }: SignedRequest): boolean => !("bytes" in body) || body.bytes.length > 0;
