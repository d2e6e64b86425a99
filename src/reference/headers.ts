/** The headers of answers, but for those that one resource alone has. */
import type { OpenApiHeader } from "./open-api.ts";

const integer = { type: "integer", minimum: 1 };

export const HEADERS = {
  "x-request-id": {
    description: "The id of the request: that of its errors, and of its line in the service's log.",
    required: true,
    schema: { type: "string", minLength: 1 },
    example: "0mwqxj5kb4tTqS1v9ZbJ8w",
  },
  "x-evidence-id": {
    description:
      "The id of the answer: that of its line in the service's log, and of its record in the ledger where the answer leaves one. A read leaves none.",
    schema: { type: "string", pattern: "^[0-9a-z]{9}[A-Za-z0-9_-]{22}$" },
    example: "0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ",
  },
  "Content-Digest": {
    description: "SHA-256 of the answer's content (RFC 9530). Only of a signed answer.",
    schema: { type: "string", pattern: "^sha-256=:[A-Za-z0-9+/=]{44}:$" },
    example: "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
  },
  "Signature-Input": {
    description: "What the signature covers, when it was made and by which key (RFC 9421). Only of a signed answer.",
    schema: { type: "string" },
    example:
      'psp-gate=("@status" "content-digest" "@path";req);created=1795500000;keyid="20261101T000000Z";tag="psp-gate"',
  },
  Signature: {
    description: "The Ed25519 signature (RFC 9421). Only of a signed answer.",
    schema: { type: "string" },
    example: "psp-gate=:0FRZ…:",
  },
  transaction_reference: {
    description: "The request's header of this name, unchanged. Only if it was sent and is valid.",
    schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[\\x20-\\x7e]+$" },
    example: "2026-11-22/payment-4711",
  },
  "RateLimit-Policy": {
    description: "The quota (draft-ietf-httpapi-ratelimit-headers): q requests of one source address in any w seconds.",
    required: true,
    schema: { type: "string", pattern: '^"per-ip";q=\\d+;w=\\d+$' },
    example: '"per-ip";q=15000;w=300',
  },
  RateLimit: {
    description: "What is left of the quota: r requests in the next t seconds.",
    required: true,
    schema: { type: "string", pattern: '^"per-ip";r=\\d+;t=\\d+$' },
    example: '"per-ip";r=14999;t=300',
  },
  "Retry-After": {
    description:
      "Seconds to wait before the request is sent again. Not with answer_withheld: what was asked for may have been done.",
    schema: integer,
    example: 12,
  },
  Allow: {
    description: "The methods of the path, separated by a comma.",
    required: true,
    schema: { type: "string" },
    example: "GET, DELETE",
  },
  "WWW-Authenticate": {
    description:
      "Basic if the institution's credentials are missing or wrong; psp-gate if they were taken, and another header or the certificate was refused: the error says which. Bearer at GET /v1/access if the PSP's token or certificate is refused, which a gateway hands on to the PSP.",
    required: true,
    schema: { type: "string", pattern: "^(Basic realm=|psp-gate realm=|Bearer )" },
    example: 'Basic realm="financial institution", charset="UTF-8"',
  },
  Link: {
    description:
      "The address of the next page, relative to that of the request, with the relation next (RFC 8288). Not on the last page.",
    schema: { type: "string", pattern: '^<\\?cursor=[^>]+>; rel="next"$' },
    example: '<?cursor=MS4xNzY0.0mwqxj5kb>; rel="next"',
  },
  "Cache-Control": {
    description:
      "no-store: the answer is kept by no cache. no-transform: it is signed, and is not to be compressed on its way.",
    required: true,
    schema: { type: "string", enum: ["no-store", "no-store, no-transform"] },
    example: "no-store",
  },
  "Cache-Control-signed": {
    description: "Only of a signed answer: it is not to be compressed on its way.",
    schema: { type: "string", enum: ["no-transform"] },
    example: "no-transform",
  },
  "Cache-Control-keys": {
    description: "How many seconds the keys may be kept. no-transform: the answer is signed.",
    required: true,
    schema: { type: "string", pattern: "^public, max-age=\\d+(, no-transform)?$" },
    example: "public, max-age=300",
  },
  "Access-Control-Allow-Origin": {
    description: "Any page may read the signing keys.",
    required: true,
    schema: { type: "string", enum: ["*"] },
    example: "*",
  },
} as const satisfies Readonly<Record<string, OpenApiHeader>>;

export type HeaderName = keyof typeof HEADERS;

/** One that has another meaning at some answers has a row for each; what follows the name is its own. */
export const spellHeader = (name: string): string => name.replace(/^(Cache-Control)-.*/, "$1");
