/**
 * Which error codes an operation may answer, by status. Most follow from what it takes: who is authenticated, which
 * parameters it has, whether it has a body. What only its handler knows is beside its route.
 */
import { REFUSING, VERDICT_CODES } from "../eidas/verdict-codes.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { isErrorCode } from "../http/errors/error-response.ts";
import type { ErrorCode } from "../http/errors/every-code.ts";
import type { JsonSchema } from "./open-api.ts";
import type { Operation } from "./operation.ts";

/** The order of the checks (http/middleware/financial-institution.ts, certificate.ts, ccg-token.ts). */
const OF_CREDENTIALS: readonly ErrorCode[] = [
  "credentials_missing",
  "credentials_invalid",
  "fi_reference_id_missing",
  "fi_reference_id_invalid",
];
const OF_HEADERS: readonly ErrorCode[] = ["version_missing", "version_invalid", "transaction_reference_invalid"];
const OF_BODY: readonly ErrorCode[] = ["content_type_missing", "content_type_invalid", "body_malformed"];
const OF_VERDICTS: readonly ErrorCode[] = [
  "certificate_authorisation_number_missing",
  ...REFUSING.map((name) => VERDICT_CODES[name][0]),
];
const OF_CCG_TOKEN: readonly ErrorCode[] = ["ccg_token_missing", "ccg_token_invalid", "ccg_token_expired"];
const OF_CERTIFICATE: readonly ErrorCode[] = ["certificate_missing", "certificate_unreadable"];

export type CodesByStatus = ReadonlyMap<number, readonly ErrorCode[]>;

/** `schemas`: of the operation's query and body. */
export function errorCodes(
  { method, path, statuses, query }: Endpoint,
  operation: Operation,
  schemas: readonly JsonSchema[],
): CodesByStatus {
  const codes = new Map<number, Set<ErrorCode>>();
  const add = (status: number, more: readonly ErrorCode[]) => {
    if (more.length > 0) codes.set(status, new Set([...(codes.get(status) ?? []), ...more]));
  };
  const inVersion1 = path.startsWith("/v1/");
  // statusOf of errors.ts
  const malformed = statuses.includes(400) ? 400 : 404;
  if (statuses.includes(401)) add(401, OF_CREDENTIALS);
  if (inVersion1) add(malformed, OF_HEADERS);
  if (query) add(malformed, ["parameter_unknown"]);
  if (operation.body) add(malformed, OF_BODY);
  // a DELETE may have a body, too, which nothing reads
  if (method !== "GET") add(malformed, ["body_too_large"]);
  if (path.includes("{")) add(404, ["path_malformed"]);
  if (path.includes("{account_id}")) add(malformed, ["account_id_invalid"]);
  // an empty account is a path of its own
  if (path === "/v1/oauth2/account/{account_id}/tokens") add(404, ["account_id_missing"]);
  add(malformed, schemas.flatMap(ofParameters));
  if (operation.psp === "eidas") add(401, [...OF_CERTIFICATE, ...OF_VERDICTS]);
  if (operation.psp === "bearer") add(401, ["certificate_missing", ...OF_VERDICTS]);
  if (operation.psp === "ccg_token") add(401, OF_CCG_TOKEN);
  if (operation.psp === "subject") add(404, [...OF_CERTIFICATE, "jurisdiction_missing", "jurisdiction_invalid"]);
  if (operation.psp === "optional") add(400, OF_CERTIFICATE);
  if (operation.body === "CcgTokenRequest") {
    add(400, OF_CERTIFICATE);
    add(401, OF_VERDICTS);
  }
  for (const [status, more] of Object.entries(operation.refuses ?? {})) add(Number(status), more);
  return new Map([...codes].sort(([a], [b]) => a - b).map(([status, set]) => [status, [...set]]));
}

/** As http/middleware/validate.ts names them: missing if it is required, invalid if the catalogue has it. */
function ofParameters(schema: JsonSchema): ErrorCode[] {
  const { properties = {}, required = [], anyOf = [], oneOf = [], items } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => [
      ...(required.includes(name) ? [`${name}_missing`] : []),
      // what has no schema may be anything
      ...(Object.keys(inner).length > 0 ? [`${name}_invalid`] : []),
      ...ofParameters(inner),
    ]),
    ...[...anyOf, ...oneOf, ...(items ? [items] : [])].flatMap(ofParameters),
  ].filter(isErrorCode);
}
