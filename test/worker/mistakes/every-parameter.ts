/** Each parameter left out, and each with a value that it cannot have: this provokes every code of a parameter. */
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { CATALOGUE } from "../../../src/http/errors/error-response.ts";
import { fillWatches } from "../events/full-watches.ts";
import { sampleOf, send } from "../samples.ts";
import { type Mistake, membersOf, withMember } from "./mistake.ts";

const WITH_BODY = ENDPOINTS.filter(({ method }) => method === "POST" || method === "PUT").map(
  ({ method, path }) => `${method} ${path}`,
);
/** A parameter without a code for its absence may be left out; so may a debtor's name. */
const isRequired = (path: readonly string[]) =>
  [...CATALOGUE.keys()].some((code) => code === `${path.at(-1)}_missing`) &&
  path.join(".") !== "data.initiation.debtor_account.name";

const inBodies = WITH_BODY.flatMap((endpoint) => {
  const body = sampleOf(endpoint).body ?? {};
  return membersOf(body).flatMap((path): Mistake[] => {
    const place = path.join(".").replaceAll(".", "\\.");
    const isCertificate = path.at(-1) === "eIDAS";
    const row = (what: string, value: unknown, code: string, title: string): Mistake => ({
      what: `${endpoint}: ${path.join(".")} ${what}`,
      send: () => send(endpoint, { body: withMember(body, path, value) }),
      status: 400,
      errors: [[code, new RegExp(`^${place} ${title}`)]],
    });
    const name = path.at(-1) ?? "";
    const inCapitals = withMember(withMember(body, path, undefined), [...path.slice(0, -1), name.toUpperCase()], "x");
    const isOptional = !isCertificate && !isRequired(path);
    const misspelt: Mistake = {
      what: `${endpoint}: ${path.join(".")} has another name`,
      send: () => send(endpoint, { body: inCapitals }),
      status: 400,
      errors: [[`${name}_invalid`, new RegExp(`^${place} is not there: its name is written ${name}, capitals count$`)]],
    };
    return [
      ...(isOptional ? [misspelt] : []),
      row("is a number", 7, isCertificate ? "certificate_unreadable" : `${path.at(-1)}_invalid`, "is "),
      ...(isCertificate ? [row("is missing", undefined, "certificate_missing", "is missing$")] : []),
      ...(isRequired(path) ? [row("is missing", undefined, `${path.at(-1)}_missing`, "is missing$")] : []),
    ];
  });
});

const QUERIES: readonly (readonly [endpoint: string, query: string, status: number, code: string, title: RegExp])[] = [
  [
    "GET /v1/psp/eidas",
    "",
    404,
    "jurisdiction_missing",
    /^jurisdiction is missing in the query: a two-letter country code such as FI is expected$/,
  ],
  [
    "GET /v1/psp/eidas",
    "?Jurisdiction=DE",
    404,
    "jurisdiction_missing",
    /^jurisdiction is missing in the query: its name is written jurisdiction, capitals count$/,
  ],
  ...["juristiction", "jurisdictions"].map(
    (name) =>
      [
        "GET /v1/psp/eidas",
        `?${name}=DE`,
        404,
        "jurisdiction_missing",
        new RegExp(`^jurisdiction is missing in the query: "${name}" was sent, the name is written jurisdiction$`),
      ] as const,
  ),
  [
    "GET /v1/psp/eidas",
    "?jurisdiction=DEU",
    404,
    "jurisdiction_invalid",
    /^jurisdiction DEU is not a country: a two-letter code of ISO 3166-1 such as FI is expected/,
  ],
  [
    "GET /v1/obie/payment_order_consents",
    "?limit=1000",
    400,
    "limit_invalid",
    /^limit is "1000", not a number from 1 to 100$/,
  ],
  [
    "GET /v1/obie/payment_order_consents",
    "?limit=101",
    400,
    "limit_invalid",
    /^limit is "101", not a number from 1 to 100$/,
  ],
  [
    "GET /v1/oauth2/account/{account_id}/tokens",
    "?cursor=2",
    404,
    "cursor_invalid",
    /^cursor is not from an earlier answer for this account$/,
  ],
  ["GET /v1/obie/payment_order_consents", "?cursor=2", 400, "cursor_invalid", /^cursor is not from an earlier answer$/],
  [
    "GET /v1/accounts/{account_id}/permissions",
    "?cursor=2",
    400,
    "cursor_invalid",
    /^cursor is not from an earlier answer for this account and status$/,
  ],
  [
    "GET /v1/accounts/{account_id}/permissions",
    "?status=Authorised",
    400,
    "status_invalid",
    /^status is "Authorised", not active or ended$/,
  ],
  ["DELETE /v1/accounts/{account_id}/permissions", "?by=psu", 400, "by_invalid", /^by is "psu", not bank or customer$/],
  ["GET /v1/psp/watches", "?cursor=2", 400, "cursor_invalid", /^cursor is not from an earlier answer$/],
  ["GET /v1/events", "?after=evt_1", 400, "after_invalid", /^after is not from an earlier answer$/],
  ["GET /v1/events", "?limit=0", 400, "limit_invalid", /^limit is "0", not a number from 1 to 100$/],
  [
    "GET /v1/events",
    `?limit=${"9".repeat(5_000)}`,
    400,
    "limit_invalid",
    /^limit is "9{40}…", not a number from 1 to 100$/,
  ],
  [
    "GET /v1/audit/records",
    "?from=2026-11-22",
    400,
    "from_invalid",
    /^from has no time and no offset from UTC: such as 2030-01-01T00:00:00Z is expected$/,
  ],
  ["GET /v1/audit/records", "?to=0", 400, "to_invalid", /^to is "0", not an instant such as 2026-11-22T10:00:00Z$/],
  [
    "GET /v1/audit/records",
    "?to=2026-11-22T10:00:00+01:00",
    400,
    "to_invalid",
    /^to has a blank before its offset: in a query a \+ is sent as %2B$/,
  ],
  ["GET /v1/audit/records", "?to=2026&to=2027", 400, "to_invalid", /^to is given twice$/],
  ["GET /v1/audit/records", "?psp_id=", 400, "psp_id_invalid", /^psp_id is empty$/],
  [
    "GET /v1/audit/records",
    "?endpoint=/v1/psp/eidas",
    400,
    "endpoint_invalid",
    /^endpoint is "\/v1\/psp\/eidas", not the method and path of an endpoint, such as GET \/v1\/psp\/eidas$/,
  ],
  ["GET /v1/audit/records", "?limit=201", 400, "limit_invalid", /^limit is "201", not a number from 1 to 200$/],
  ["GET /v1/audit/records", "?limit=0", 400, "limit_invalid", /^limit is "0", not a number from 1 to 200$/],
  [
    "GET /v1/audit/records",
    "?cursor=2",
    400,
    "cursor_invalid",
    /^cursor is not from an earlier answer for these parameters$/,
  ],
  [
    "GET /v1/audit/records",
    "?psp=PSDXX-TEST-000001",
    400,
    "parameter_unknown",
    /^The query has "psp", .* endpoint: the nearest is psp_id, the others are from, to, endpoint, cursor, limit$/,
  ],
  ["GET /v1/audit/records", "?limit=5&PSP%2DID=x", 400, "parameter_unknown", /"PSP-ID", .*: the nearest is psp_id,/],
  ["GET /v1/audit/records", "?until=2026-11-22T10:00:00Z", 400, "parameter_unknown", /^The query has "until",/],
  ["GET /v1/audit/records", "?evidence_endpoint=x", 400, "parameter_unknown", /: the nearest is endpoint,/],
  ["GET /v1/events", "?next_after=x", 400, "parameter_unknown", /: the nearest is after, the others are limit$/],
  ["GET /v1/psp/watches", "?__proto__=x", 400, "parameter_unknown", /"__proto__", .*: the nearest is cursor$/],
  ["GET /v1/psp/watches", `?${"x".repeat(5_000)}%E2%80%AE`, 400, "parameter_unknown", /^The query has "x{20}…", /],
];
const withRequired = (endpoint: string): string => (endpoint === "GET /v1/access" ? "scope=accounts&" : "");
const OWN = ENDPOINTS.flatMap(({ method, path, query }) => (query ? [{ endpoint: `${method} ${path}`, query }] : []));
const inOwnQueries = OWN.flatMap(({ endpoint, query }): (typeof QUERIES)[number][] => [
  [
    endpoint,
    "?nonsense=s3cret",
    400,
    "parameter_unknown",
    /^The query has "nonsense", which is no parameter of this endpoint: /,
  ],
  ...query.map(
    (name) =>
      [
        endpoint,
        `?${name === "scope" ? "" : withRequired(endpoint)}${name}=1&${name}=2`,
        400,
        `${name}_invalid`,
        new RegExp(`^${name} is given twice$`),
      ] as const,
  ),
]);
const inQueries = [...QUERIES, ...inOwnQueries].map(
  ([endpoint, query, status, code, title]): Mistake => ({
    what: `${endpoint}${query}`,
    send: () => send(endpoint, { query }),
    status,
    errors: [[code, title]],
  }),
);

const inHeaders = [undefined, "2"].flatMap((version) =>
  ["POST /v1/obie/ccg_tokens", "GET /v1/psp/eidas"].map(
    (endpoint): Mistake => ({
      what: `${endpoint} with version ${version}`,
      send: () => send(endpoint, { headers: { version } }),
      status: endpoint.startsWith("POST") ? 400 : 404,
      errors: [[version === undefined ? "version_missing" : "version_invalid", /^Header version /]],
    }),
  ),
);

export const EVERY_PARAMETER: readonly Mistake[] = [
  ...inBodies,
  ...inQueries,
  ...inHeaders,
  {
    what: "a watch beyond the 10,000th",
    send: async () => {
      await fillWatches();
      return send("PUT /v1/psp/watches/{authorisation_number}", { segment: "PSDXX-TEST-000002" });
    },
    status: 403,
    errors: [["watches_full", /^10000 PSPs are watched already: DELETE one to watch another$/]],
  },
  {
    what: "a watch of a company number",
    send: () => send("PUT /v1/psp/watches/{authorisation_number}", { segment: "FI12345678" }),
    status: 400,
    errors: [
      ["authorisation_number_invalid", /^authorisation_number "FI12345678" is none: it does not begin with PSD$/],
    ],
  },
  {
    what: "an account_id with a control character in a path",
    send: () => send("GET /v1/oauth2/account/{account_id}/tokens", { segment: "a%00b" }),
    status: 404,
    errors: [["account_id_invalid", /^account_id contains a control character$/]],
  },
];
