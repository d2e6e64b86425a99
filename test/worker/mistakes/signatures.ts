/** Mistakes in a bank's description of a signed request. */
import { sampleOf, send } from "../samples.ts";
import { type Mistake, withMember } from "./mistake.ts";

const SIGNATURES = "POST /v1/psp/signatures";

/** What is sent for a member, and what the answer says. */
const WRONG: readonly (readonly [name: string, value: unknown, code: string, title: RegExp])[] = [
  ["method", undefined, "method_missing", /^method is missing/],
  ["method", "GET /v1", "method_invalid", /^method is not a method of HTTP/],
  ["target", undefined, "target_missing", /^target is missing/],
  ["target", "accounts", "target_invalid", /^target is neither a path with its query nor an address/],
  ["target", "/a#b", "target_invalid", /^target is neither/],
  ["headers", undefined, "headers_missing", /^headers is missing/],
  ["headers", ["Date: x"], "headers_invalid", /^headers is not an object of names/],
  ["headers", { Date: "a\nb" }, "headers_invalid", /^headers is not an object of names/],
  ["headers", { "a b": "c" }, "headers_invalid", /^headers is not an object of names/],
  ["body", { amount: 1 }, "body_invalid", /^body is not a string/],
  ["body_digest", "abc", "body_digest_invalid", /^body_digest has no sha-256 and no sha-512/],
  ["jurisdiction", undefined, "jurisdiction_missing", /^jurisdiction is missing/],
  ["jurisdiction", "FIN", "jurisdiction_invalid", /^jurisdiction FIN is not a country/],
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
