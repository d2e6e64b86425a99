/** The parameters of requests in headers, paths and queries. Credentials of the bank are a security scheme. */
import type { Endpoint } from "../http/endpoint.ts";
import { parameterExample } from "./examples.ts";
import type { OpenApiParameter, Reference } from "./open-api.ts";
import { type JsonSchema, ofRequest } from "./open-api.ts";
import type { Operation } from "./operation.ts";

/** The headers of requests. */
export const PARAMETERS = {
  fi_reference_id: {
    name: "fi_reference_id",
    in: "header",
    required: true,
    description:
      "The reference that the bank's national authority knows it by. The operator registered it for these credentials.",
    schema: { type: "string", minLength: 1 },
    example: "PSDXX-TEST-FI0001",
  },
  version: {
    name: "version",
    in: "header",
    required: true,
    description:
      "The version of the interface. `1`: its fields and no other, without breaking changes. `latest`: the newest version, with all fields; it may change. Send the same in all requests.",
    schema: { type: "string", enum: ["1", "latest"] },
    example: "1",
  },
  transaction_reference: {
    name: "transaction_reference",
    in: "header",
    required: false,
    description:
      "The bank's own name for what it does, to find the request in both logs: 1 to 128 printable ASCII characters. It is logged and given back. No secret.",
    schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[\\x20-\\x7e]+$" },
    example: "2026-11-22/payment-4711",
  },
  eidas: certificateHeader(
    "The eIDAS certificate of the PSP that asks the bank, which authenticates it: base64 of the DER, without line breaks. PEM in base64, several certificates (the issuers after the PSP's) and the byte sequences of RFC 9440 are taken, too. At most 64 KiB and ten certificates.",
    true,
  ),
  eidas_subject: certificateHeader(
    "The eIDAS certificate that is checked, in the form of the other endpoints: base64 of the DER, without line breaks. An expired or revoked one is answered, not refused.",
    true,
  ),
  eidas_optional: certificateHeader(
    "The certificate of the PSP that shows the token, if it shows one. The token is then active only for the PSP that it was issued to. An empty header is refused.",
    false,
  ),
  eidas_bearer: certificateHeader(
    "The certificate that the PSP has shown to the gateway, as the gateway forwards it. Without one nothing passes.",
    true,
  ),
  access_token: {
    name: "access_token",
    in: "header",
    required: true,
    description: "The token that the PSP has shown: its header Authorization, with or without `Bearer`.",
    schema: { type: "string", minLength: 1 },
    example: "Bearer 20261121T041500Z.0mwqxj5kb4tTqS1v9ZbJ8w.3q2-7w",
  },
  accept_signature: {
    name: "Accept-Signature",
    in: "header",
    required: false,
    description:
      "Asks for a signed answer (RFC 9421 section 5.1). The label, the nonce and the components that can be covered are taken over; status, content, evidence id and the request are always covered.",
    schema: { type: "string", minLength: 1 },
    example: 'psp-gate=("@status" "content-digest");nonce="b3k2pp5k7z"',
  },
  ccg_token: {
    name: "ccg_token",
    in: "header",
    required: true,
    description:
      "The `access_token` of POST /v1/obie/ccg_tokens for the PSP that asks the bank. It authenticates the PSP in place of its certificate, for one scope, until `expires_in` seconds have passed.",
    schema: { type: "string", minLength: 1 },
    example: parameterExample(null, "headers", "ccg_token"),
  },
} as const satisfies Readonly<Record<string, OpenApiParameter>>;

function certificateHeader(description: string, required: boolean): OpenApiParameter {
  return {
    name: "eidas",
    in: "header",
    required,
    description,
    schema: { type: "string", minLength: 1, maxLength: 65_536 },
    example: parameterExample(null, "headers", "eidas"),
  };
}

/** Open to everybody. */
export const PUBLIC_PATHS: ReadonlySet<string> = new Set(["/health", "/.well-known/jwks.json"]);

const ref = (name: keyof typeof PARAMETERS): Reference => ({ $ref: `#/components/parameters/${name}` });

const PSP_HEADERS = {
  eidas: ["eidas"],
  ccg_token: ["ccg_token"],
  subject: ["eidas_subject"],
  optional: ["eidas_optional"],
  bearer: ["access_token", "eidas_bearer"],
} as const;

export function parametersOf(endpoint: Endpoint, operation: Operation): (OpenApiParameter | Reference)[] {
  const { path } = endpoint;
  const { psp } = operation;
  return [
    ...pathParameters(endpoint, operation),
    ...queryParameters(endpoint, operation),
    ...(PUBLIC_PATHS.has(path) ? [] : [ref("fi_reference_id")]),
    ...(path.startsWith("/v1/") ? [ref("version")] : []),
    ...(psp ? PSP_HEADERS[psp].map(ref) : []),
    ref("transaction_reference"),
    ref("accept_signature"),
  ];
}

function pathParameters(endpoint: Endpoint, operation: Operation): OpenApiParameter[] {
  const schemas = operation.path ? (ofRequest(operation.path).properties ?? {}) : {};
  return [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: schemas[name] ?? { type: "string", minLength: 1 },
    description: textOf(operation, name),
    ...example(parameterExample(endpoint, "parameters", name)),
  }));
}

function queryParameters(endpoint: Endpoint, operation: Operation): OpenApiParameter[] {
  const { properties = {}, required = [] }: JsonSchema = operation.query ? ofRequest(operation.query) : {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: inQuery(schema),
    description: textOf(operation, name),
    ...example(parameterExample(endpoint, "query", name), schema),
  }));
}

/** A query has no null. */
const inQuery = ({ type, ...schema }: JsonSchema): JsonSchema => {
  const types = typeof type === "string" ? [type] : (type ?? []);
  const [only] = types.filter((each) => each !== "null");
  return { ...(only !== undefined && { type: only }), ...schema };
};

function textOf({ id, parameters = {} }: Operation, name: string): string {
  const text = parameters[name] ?? PATH_TEXTS[name];
  if (text === undefined) throw new Error(`the parameter ${name} of ${id} has no text beside its route`);
  return text;
}

const example = (value: string | undefined, { type }: JsonSchema = {}) =>
  value === undefined ? {} : { example: type === "integer" || type?.includes("integer") ? Number(value) : value };

/** Of parameters that several paths have. */
const PATH_TEXTS: Readonly<Record<string, string>> = {
  account_id:
    "The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`.",
  token: "The `access_token` of the answer that gave it, unchanged.",
  consent_id: "The `consent_id` of the answer that created the consent.",
};
