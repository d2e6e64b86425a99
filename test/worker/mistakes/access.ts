/** Mistakes of a gateway, and of the PSP that it asks about (GET /v1/access). */
import { createAccountConsent, obtainObieToken, obtainToken } from "../bank.ts";
import { ccgToken, send } from "../samples.ts";
import { eidasHeader } from "../sandbox.ts";
import type { Mistake } from "./mistake.ts";

const ask = (query: string, headers: Record<string, string | undefined> = {}) =>
  send("GET /v1/access", { query, headers: { access_token: "Bearer s3cret", ...headers } });
const UNREADABLE = { eidas: eidasHeader("scenario-1").slice(0, 500) };

const QUERIES: readonly (readonly [query: string, code: string, title: RegExp])[] = [
  ["", "scope_missing", /^scope is missing$/],
  ["?scope=AIS", "scope_invalid", /^scope is "AIS", not payments or accounts$/],
  [
    "?scope=accounts&permissions=ReadPAN",
    "parameter_unknown",
    /^The query has "permissions", .* nearest is permission,/,
  ],
  [
    "?scope=accounts&permission=ReadBalance",
    "permission_invalid",
    /^permission is "ReadBalance", not one of ReadAccountsBasic, ReadAccountsDetail, ReadBalances, /,
  ],
  ["?scope=accounts&permission=ReadBalances,ReadPAN", "permission_invalid", /^permission is "ReadBalances,ReadPAN", /],
  ["?scope=payments&permission=ReadPAN", "permission_invalid", /^permission is of the scope accounts only$/],
  ["?scope=accounts&account_id=", "account_id_invalid", /^account_id is empty$/],
  [
    "?scope=accounts&standing=Authorised",
    "standing_invalid",
    /^standing is "Authorised", not "required": send that, or leave it out$/,
  ],
  ["?scope=accounts&max_age=61", "max_age_invalid", /^max_age is "61", not a number from 0 to 60$/],
  ["?scope=accounts&max_age=1h", "max_age_invalid", /^max_age is "1h", not a number from 0 to 60$/],
];

/** The challenge of RFC 6750, which the gateway hands on to the PSP. */
const ofPsp = (status: 401 | 403, mistake: Omit<Mistake, "challenge" | "status">): Mistake => ({
  challenge: "Bearer",
  status,
  ...mistake,
});

export const ACCESS_MISTAKES: readonly Mistake[] = [
  ...QUERIES.map(
    ([query, code, title]): Mistake => ({
      what: `GET /v1/access${query}`,
      send: () => ask(query),
      status: 400,
      errors: [[code, title]],
    }),
  ),
  {
    what: "a gateway that cuts the certificate off",
    send: () => ask("?scope=accounts", UNREADABLE),
    status: 400,
    errors: [["certificate_unreadable", /^Header eidas is unreadable: truncated/]],
  },
  {
    what: "a gateway that sends x-eidas",
    send: () => ask("?scope=accounts", { eidas: undefined, "x-eidas": eidasHeader("scenario-1") }),
    status: 400,
    errors: [["certificate_missing", /x-eidas was renamed to eidas/]],
  },
  ofPsp(401, {
    what: "no token",
    send: () => ask("?scope=accounts", { access_token: undefined }),
    errors: [["access_token_missing", /^Header access_token is missing$/]],
  }),
  ofPsp(401, {
    what: "no certificate",
    send: () => ask("?scope=accounts", { eidas: undefined }),
    errors: [["certificate_missing", /^Header eidas is missing$/]],
  }),
  ofPsp(401, {
    what: "a token of nobody",
    send: () => ask("?scope=accounts"),
    errors: [["access_token_invalid", /^The access token is not one that this institution has given, or was altered$/]],
  }),
  ofPsp(401, {
    what: "another PSP's token",
    send: async () =>
      ask("?scope=accounts", { access_token: await obtainToken("another-psp"), eidas: eidasHeader("scenario-9") }),
    errors: [["access_token_invalid", /^The access token was issued to another PSP than that of the certificate$/]],
  }),
  ofPsp(401, {
    what: "a token with a revoked certificate",
    send: async () =>
      ask("?scope=accounts", { access_token: await obtainToken("a-psp"), eidas: eidasHeader("scenario-5") }),
    // 18: it was the catalogue's title, which leaves open which of the two it is
    errors: [
      [
        "certificate_revoked",
        /^notRevoked: the certificate of psd2.* has been revoked since 2025-06-01T00:00:00.* \(keyCompromise\), says its issuer's CRL$/,
      ],
    ],
  }),
  ofPsp(401, {
    what: "18: a token with an expired certificate",
    send: async () =>
      ask("?scope=accounts", { access_token: await obtainToken("a-psp"), eidas: eidasHeader("scenario-4") }),
    errors: [["certificate_expired", /^notExpired: the certificate expired on 2022-01-01T00:00:00Z$/]],
  }),
  ofPsp(401, {
    what: "18: a token that a gateway sends twice",
    send: () => ask("?scope=accounts", { access_token: "Bearer s3cret, Bearer s3cret" }),
    errors: [["access_token_invalid", /^Header access_token came twice, each time with the same value: send it once$/]],
  }),
  ofPsp(403, {
    what: "a permission that the customer has not agreed to",
    send: async () => {
      const ccg = await ccgToken("accounts");
      const access_token = await obtainObieToken(ccg, await createAccountConsent(ccg));
      return ask("?scope=accounts&permission=ReadPAN", { access_token });
    },
    errors: [["insufficient_scope", /^The customer has not agreed to ReadPAN$/]],
  }),
];
