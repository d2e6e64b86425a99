/** Errors of the bank's description of a signed request. What is wrong with the signature is no error: it is answered. */
import { table } from "../../http/errors/entry.ts";

export const SIGNATURES = table("caller", {
  method_missing: {
    title: "method is missing",
    rule: "Of a signed request the method is needed: most profiles cover it.",
    cause: "The gateway knew the method from its route, and left it out.",
    cure: "Send the method as it was received.",
    example: '"method": "PUT"',
  },
  method_invalid: {
    title: "method is not a method of HTTP",
    rule: "It is the word with which the signed request began: 1 to 32 characters.",
    cause: "The whole first line of the request was sent.",
    cure: "Send the first word of that line.",
    example: '"method": "POST"',
  },
  target_missing: {
    title: "target is missing",
    rule: "POST /v1/psp/signatures needs path and query as the PSP signed them.",
    cause: "It was sent as path or url.",
    cure: "Send path and query as they were received, before a gateway rewrote them.",
    example: '"target": "/v1/payments/sepa-credit-transfers?x=1"',
  },
  target_invalid: {
    title: "target is neither a path with its query nor an address",
    rule: "It begins with / or https://, has no fragment and no blank, and has at most 8,192 characters.",
    cause: "It was decoded, or is the name of a route.",
    cure: "Send it as it was received, percent-encoded.",
    example: '"target": "https://api.bank.example/v1/accounts?withBalance=true"',
  },
  headers_missing: {
    title: "headers is missing",
    rule: "POST /v1/psp/signatures needs the headers of the request that was signed.",
    cause: "They were sent as headers of this request.",
    cure: "Send all of them as an object in the body.",
    example: '"headers": {"Digest": "SHA-256=...", "Signature": "..."}',
  },
  headers_invalid: {
    title: "headers is not an object of headers",
    rule: "Each member has the name of a header, and its value as a string without line breaks, or a list of them.",
    cause: "A list of lines was sent, or a value with a line break.",
    cure: "Send an object. A header that came several times has a list.",
    example: '"headers": {"Date": "Tue, 24 Nov 2026 12:00:00 GMT", "X-Request-ID": ["..."]}',
  },
  body_invalid: {
    title: "body is not a string",
    rule: "It is the content of the signed request as text, byte for byte as it was received.",
    cause: "JSON was sent as an object.",
    cure: "Send the text of the JSON as a string, or body_digest.",
    example: '"body": "{\\"amount\\":\\"1.00\\"}"',
  },
  body_digest_invalid: {
    title: "body_digest is not a digest",
    rule: "It replaces body, and has the SHA-256 or the SHA-512 in the form of Content-Digest or Digest.",
    cause: "It is hexadecimal, or was sent beside body.",
    cure: "Send the base64 of the digest with the name of the algorithm.",
    example: '"body_digest": "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"',
  },
  require_date_invalid: {
    title: "require_date is not true or false",
    rule: "With true a request of the Berlin Group without date is not verified. Without the member it may be.",
    cause: 'It was sent as a string, such as "true".',
    cure: "Send true, or leave it out.",
    example: '"require_date": true',
  },
  replay_invalid: {
    title: 'replay is not "refuse"',
    rule: "With refuse an id of a request is accepted once. Without the member nothing is remembered.",
    cause: "A boolean was sent.",
    cure: "Send refuse, or leave it out.",
    example: '"replay": "refuse"',
  },
});
