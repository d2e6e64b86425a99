/** Mistakes in a bank's description of a signed request. */
import { sampleOf, send } from "../samples.ts";
import { type Mistake, withMember } from "./mistake.ts";

const SIGNATURES = "POST /v1/psp/signatures";

const HASH = `${"A".repeat(43)}=`;

/** What is sent for a member, and what the answer says. */
const WRONG: readonly (readonly [name: string, value: unknown, code: string, title: RegExp])[] = [
  ["method", undefined, "method_missing", /^method is missing/],
  [
    "method",
    "GET /v1",
    "method_invalid",
    /^method is not a method of HTTP: its character 4 is a blank; expected is the f/,
  ],
  ["method", "", "method_invalid", /: it is empty; /],
  ["method", "G".repeat(33), "method_invalid", /: it has 33 characters; .* of 1 to 32 characters$/],
  ["method", "GÉT", "method_invalid", /: its character 2 is "É"; /],
  ["target", undefined, "target_missing", /^target is missing/],
  [
    "target",
    "accounts",
    "target_invalid",
    /^target is neither .* address with https: it begins with "accounts", not with /,
  ],
  ["target", "", "target_invalid", /: it is empty; the path of a host alone is \/$/],
  ["target", "/a#b", "target_invalid", /: its character 3 is "#"; a fragment is never sent$/],
  ["target", "/a b", "target_invalid", /: its character 3 is a blank; send it percent-encoded/],
  ["target", "/a?ä", "target_invalid", /: its character 4 is "ä"; send it percent-encoded/],
  ["target", "https://me@bank.example/", "target_invalid", /: it has a user's name before the host$/],
  ["target", "https:///a", "target_invalid", /: no host follows the scheme$/],
  ["target", "https://a,b/", "target_invalid", /: its host is "a,b"$/],
  ["headers", undefined, "headers_missing", /^headers is missing/],
  ["headers", ["Date: x"], "headers_invalid", /^headers is not an object of names .*: it is a list$/],
  ["headers", "Date: x", "headers_invalid", /: it is a string$/],
  ["headers", { Date: "a\nb" }, "headers_invalid", /: the value of Date has a line break, which would begin another/],
  ["headers", { Date: "a\tb\u0001" }, "headers_invalid", /: the value of Date has a control .*: its character 4 is /],
  ["headers", { Date: 1 }, "headers_invalid", /: the value of Date is a number, not a string$/],
  ["headers", { Date: null }, "headers_invalid", /: the value of Date is null, not a string$/],
  ["headers", { Host: "a", "x-y": ["b", {}] }, "headers_invalid", /: value 2 of x-y is an object, not a string$/],
  [
    "headers",
    { Host: "a", "a b": "c" },
    "headers_invalid",
    /: the name of member 2 is no header's: its character 2 is a b/,
  ],
  ["headers", { "": "c" }, "headers_invalid", /: the name of member 1 is no header's: it is empty$/],
  ["headers", { ["a".repeat(129)]: "c" }, "headers_invalid", /: it has 129 characters$/],
  ["body", { amount: 1 }, "body_invalid", /^body is not a string/],
  ["body", "\ud800", "body_invalid", /^body is not well-formed Unicode: send body_digest$/],
  [
    "body_digest",
    "abc",
    "body_digest_invalid",
    /^body_digest has no sha-256 and no sha-512: expected is sha-256=:base64:/,
  ],
  ["body_digest", "a".repeat(64), "body_digest_invalid", /: it is hexadecimal; expected is sha-256=:base64: or /],
  ["body_digest", `sha-256=${"a".repeat(64)}`, "body_digest_invalid", /: it is hexadecimal; /],
  ["body_digest", "md5=:AAAA:", "body_digest_invalid", /: it has md5 alone$/],
  ["body_digest", "sha-256=:AAAA:", "body_digest_invalid", /: its sha-256 has 3 bytes, not 32$/],
  ["body_digest", "SHA-256=AAAAA", "body_digest_invalid", /: its sha-256 is no base64$/],
  ["body_digest", `SHA-256=${HASH},SHA-256=${HASH}`, "body_digest_invalid", /: sha-256 is there twice$/],
  ["jurisdiction", undefined, "jurisdiction_missing", /^jurisdiction is missing/],
  ["jurisdiction", "FIN", "jurisdiction_invalid", /^jurisdiction FIN is not a country/],
  ["require_date", "true", "require_date_invalid", /^require_date is not true or false/],
  ["replay", true, "replay_invalid", /^replay is not "refuse"/],
];

export const SIGNATURE_MISTAKES: readonly Mistake[] = [
  ...WRONG.map(
    ([name, value, code, title]): Mistake => ({
      what: `a signed request whose ${name} is ${JSON.stringify(value)}`,
      send: () => send(SIGNATURES, { body: withMember(sampleOf(SIGNATURES).body ?? {}, [name], value) }),
      status: 400,
      errors: [[code, title]],
    }),
  ),
  {
    what: "a signed request with its body and a digest",
    send: () => {
      const digest = `sha-256=:${"A".repeat(43)}=:`;
      return send(SIGNATURES, { body: { ...sampleOf(SIGNATURES).body, body: "", body_digest: digest } });
    },
    status: 400,
    errors: [["body_digest_invalid", /^body_digest is sent beside body/]],
  },
  {
    what: "a signed request and a header eidas that cannot be read",
    send: () => send(SIGNATURES, { headers: { eidas: "!!!" } }),
    status: 400,
    errors: [["certificate_unreadable", /^Header eidas is unreadable/]],
  },
];
