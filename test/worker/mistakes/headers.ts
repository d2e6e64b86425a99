/** Mistakes in the headers of a request. */
import { ccgToken, send } from "../samples.ts";
import { eidasHeader } from "../sandbox.ts";
import type { Mistake } from "./mistake.ts";

const LIST = "GET /v1/oauth2/account/{account_id}/tokens";
const TOKENS = "POST /v1/oauth2/tokens";
const authorization = (value: string | undefined) => () => send(LIST, { headers: { Authorization: value } });

const SCENARIO_1 = eidasHeader("scenario-1");
/** A header sent twice, with which values HTTP joins by a comma, and what the answer says instead of what it means to a reader. */
const TWICE: readonly (readonly [name: string, value: string, other: string | null, status: number, code: string])[] = [
  ["Authorization", `Basic ${btoa("sandbox-fi:s3cret")}`, `Basic ${btoa("b:s3cret")}`, 401, "credentials_invalid"],
  ["Authorization", "Bearer s3cret", `Basic ${btoa("b:s3cret")}`, 401, "credentials_missing"],
  ["fi_reference_id", "PSDXX-TEST-FI0001", "PSDXX-TEST-FI0002", 401, "fi_reference_id_invalid"],
  ["version", "1", "latest", 400, "version_invalid"],
  ["Content-Type", "application/json", "text/plain", 400, "content_type_invalid"],
  ["eidas", SCENARIO_1, null, 401, "certificate_unreadable"],
  ["ccg_token", "s3cret", "s3cret.2", 401, "ccg_token_invalid"],
];
const endpointOf = (name: string) => (name === "ccg_token" ? "POST /v1/obie/tokens" : TOKENS);
const twice = TWICE.flatMap(([name, value, other, status, code]): Mistake[] => [
  {
    what: `18: ${name} sent twice, refused by ${code}`,
    send: () => send(endpointOf(name), { headers: { [name]: `${value}, ${value}` } }),
    status,
    errors: [[code, new RegExp(`^Header ${name} came twice, each time with the same value: send it once$`)]],
  },
  ...(other === null
    ? []
    : [
        {
          what: `18: ${name} sent twice with two values, refused by ${code}`,
          send: () => send(endpointOf(name), { headers: { [name]: `${value}, ${other}` } }),
          status,
          errors: [
            [code, new RegExp(`^Header ${name} has a comma, as if it came twice: send it once, with one value$`)],
          ] as const,
        },
      ]),
]);

export const HEADER_MISTAKES: readonly Mistake[] = [
  ...twice,
  {
    what: "no Authorization",
    send: authorization(undefined),
    status: 401,
    errors: [
      ["credentials_missing", /^Header Authorization is missing: send Basic and the base64 of client_id:secret/],
    ],
  },
  {
    what: "a Bearer token",
    send: authorization("Bearer s3cret"),
    status: 401,
    errors: [
      [
        "credentials_missing",
        /^Header Authorization is not of the scheme Basic: send Basic and the base64 of client_id/,
      ],
    ],
  },
  {
    what: "Basic that is not base64",
    send: authorization("Basic sandbox-fi:s3cret"),
    status: 401,
    errors: [
      [
        "credentials_invalid",
        /^The value after Basic is not base64: send the base64 of client_id:secret, as in Basic \w+=$/,
      ],
    ],
  },
  {
    what: "Basic without a colon",
    send: authorization(`Basic ${btoa("s3cret")}`),
    status: 401,
    errors: [
      ["credentials_invalid", /^The value after Basic contains no colon: send the base64 of client_id:secret, as in /],
    ],
  },
  {
    what: "Basic without a client id",
    send: authorization(`Basic ${btoa(":s3cret")}`),
    status: 401,
    errors: [
      [
        "credentials_invalid",
        /^The value after Basic has no client id before its colon: send the base64 of client_id:secret/,
      ],
    ],
  },
  {
    what: "Basic that is not UTF-8",
    send: authorization(`Basic ${btoa("sandbox-fi:s3cr\xe9t")}`),
    status: 401,
    errors: [
      ["credentials_invalid", /^The value after Basic is not UTF-8 in base64: send the base64 of client_id:secret/],
    ],
  },
  {
    what: "a wrong secret",
    send: authorization(`Basic ${btoa("sandbox-fi:s3cret")}`),
    status: 401,
    errors: [["credentials_invalid", /^The client id or the secret is wrong, or the institution is disabled$/]],
  },
  {
    what: "no fi_reference_id",
    send: () => send(LIST, { headers: { fi_reference_id: undefined } }),
    status: 401,
    errors: [["fi_reference_id_missing", /^Header fi_reference_id is missing$/]],
  },
  {
    what: "fi-reference-id",
    send: () => send(LIST, { headers: { fi_reference_id: undefined, "fi-reference-id": "PSDXX-TEST-FI0001" } }),
    status: 401,
    errors: [
      [
        "fi_reference_id_missing",
        /^Header fi_reference_id is missing: its name has underscores, and fi-reference-id is another one$/,
      ],
    ],
  },
  {
    what: "a transaction_reference that is too long, where the endpoint has 400",
    send: () => send(TOKENS, { headers: { transaction_reference: "s3cret".padEnd(129, "x") } }),
    status: 400,
    errors: [
      [
        "transaction_reference_invalid",
        /^Header transaction_reference is 129 characters long: send 1 to 128 printable ASCII characters$/,
      ],
    ],
  },
  {
    what: "a transaction_reference with a letter beyond ASCII, where it has none",
    send: () => send(LIST, { headers: { transaction_reference: "s3cret-\xe9" } }),
    status: 404,
    errors: [
      ["transaction_reference_invalid", /^Header transaction_reference has a character that is not printable ASCII: /],
    ],
  },
  {
    what: "an empty transaction_reference",
    send: () => send(TOKENS, { headers: { transaction_reference: "" } }),
    status: 400,
    errors: [["transaction_reference_invalid", /^Header transaction_reference is empty: send 1 to 128 /]],
  },
  {
    what: "another institution's fi_reference_id",
    send: () => send(LIST, { headers: { fi_reference_id: "PSDXX-TEST-FI0002" } }),
    status: 401,
    errors: [["fi_reference_id_invalid", /^These credentials are not valid for this fi_reference_id$/]],
  },
  {
    what: "no version",
    send: () => send(LIST, { headers: { version: undefined } }),
    status: 404,
    errors: [["version_missing", /^Header version is missing: it must be latest or 1$/]],
  },
  {
    what: "version: 1.7",
    send: () => send(TOKENS, { headers: { version: "1.7" } }),
    status: 400,
    errors: [["version_invalid", /^Header version must be latest or 1, not "1\.7"$/]],
  },
  {
    what: "version: v1",
    send: () => send(LIST, { headers: { version: "v1" } }),
    status: 404,
    errors: [["version_invalid", /^Header version must be latest or 1, not "v1"$/]],
  },
  {
    what: "version: something long",
    send: () => send(LIST, { headers: { version: "0123456789abcdef".repeat(9) } }),
    status: 404,
    errors: [["version_invalid", /^Header version must be latest or 1, not "0123456789abcdef0123…"$/]],
  },
  {
    what: "no Content-Type",
    send: () => send(TOKENS, { headers: { "Content-Type": undefined } }),
    status: 400,
    errors: [["content_type_missing", /^Header Content-Type is missing: it must be application\/json$/]],
  },
  {
    what: "a form's Content-Type",
    send: () => send(TOKENS, { headers: { "Content-Type": "application/x-www-form-urlencoded" } }),
    status: 400,
    errors: [
      [
        "content_type_invalid",
        /^Header Content-Type must be application\/json, not "application\/x-www-form-urlencoded"$/,
      ],
    ],
  },
  {
    what: "no certificate where a PSP authenticates",
    send: () => send(TOKENS, { headers: { eidas: undefined } }),
    status: 401,
    errors: [["certificate_missing", /^Header eidas is missing$/]],
  },
  {
    what: "x-eidas where a PSP authenticates",
    send: () => send(TOKENS, { headers: { eidas: undefined, "x-eidas": eidasHeader("scenario-1") } }),
    status: 401,
    errors: [["certificate_missing", /^Header eidas is missing: x-eidas was renamed to eidas in version 1\.7$/]],
  },
  {
    what: "an empty eidas at the introspection, where it is optional",
    send: () => send("POST /v1/introspect", { headers: { eidas: "" } }),
    status: 400,
    errors: [["certificate_missing", /^Header eidas is empty: leave it out if the PSP shows no certificate$/]],
  },
  {
    what: "x-eidas at the introspection",
    send: () => send("POST /v1/introspect", { headers: { "x-eidas": eidasHeader("scenario-1") } }),
    status: 400,
    errors: [["certificate_missing", /^Header eidas is missing: x-eidas was renamed to eidas in version 1\.7$/]],
  },
  {
    what: "x-eidas at the PSP check",
    send: () => send("GET /v1/psp/eidas", { headers: { eidas: undefined, "x-eidas": eidasHeader("scenario-1") } }),
    status: 404,
    errors: [["certificate_missing", /^Header eidas is missing: x-eidas was renamed to eidas in version 1\.7$/]],
  },
  {
    what: "x-ccg-token",
    send: async () =>
      send("GET /v1/obie/tokens/{token}", {
        headers: { ccg_token: undefined, "x-ccg-token": await ccgToken("accounts") },
      }),
    status: 401,
    errors: [
      ["ccg_token_missing", /^Header ccg_token is missing: x-ccg-token was renamed to ccg_token in version 1\.7$/],
    ],
  },
  {
    what: "no ccg_token",
    send: () => send("GET /v1/obie/tokens/{token}", { headers: { ccg_token: undefined } }),
    status: 401,
    errors: [["ccg_token_missing", /^Header ccg_token is missing$/]],
  },
  {
    what: "Bearer before the ccg_token",
    send: async () =>
      send("GET /v1/obie/tokens/{token}", { headers: { ccg_token: `Bearer ${await ccgToken("accounts")}` } }),
    status: 401,
    errors: [["ccg_token_invalid", /^ccg_token is not valid: send the token alone, without Bearer$/]],
  },
];
