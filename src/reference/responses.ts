/** The answers of an operation: its own, and its errors with their codes. */
import type { Endpoint } from "../http/endpoint.ts";
import type { ErrorCode } from "../http/errors/every-code.ts";
import type { CodesByStatus } from "./error-codes.ts";
import { answerExamples } from "./examples.ts";
import { type HeaderName, spellHeader } from "./headers.ts";
import type { Example, JsonSchema, MediaType, OpenApiResponse, Reference } from "./open-api.ts";
import type { Operation } from "./operation.ts";

/** By status; `redirect` is the 403 of an authorization request. */
const ERROR_MEANINGS: Readonly<Record<string, string>> = {
  400: "A parameter, a header or the body is missing or malformed.",
  401: "The bank's credentials are not accepted, or the PSP could not be authenticated.",
  403: "The caller is known, and this is not allowed.",
  404: "There is no such record; or a parameter is malformed, where the operation has no 400.",
  405: "The path does not have this method.",
  429: "Too many requests from this address.",
  500: "A defect of the service. Its operator finds the cause by the error's id.",
  503: "A store of the service cannot be reached, or the answer is withheld because its record could not be kept. The title says whether something was done.",
  redirect: "No code: the redirect address tells the PSP why. Send the customer there.",
};

const ALWAYS: readonly HeaderName[] = [
  ...(["x-request-id", "x-evidence-id", "transaction_reference", "RateLimit-Policy", "RateLimit"] as const),
  ...(["Content-Digest", "Signature-Input", "Signature"] as const),
];

const headers = (...more: readonly string[]): Record<string, Reference> =>
  Object.fromEntries([...ALWAYS, ...more].map((name) => [spellHeader(name), { $ref: `#/components/headers/${name}` }]));

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const json = (
  schema: JsonSchema,
  examples: Readonly<Record<string, Example>> = {},
): Readonly<Record<string, MediaType>> => ({
  "application/json": { schema, ...(Object.keys(examples).length > 0 && { examples }) },
});

/**
 * Only these codes of the catalogue. It says the rest again, too: some tools take each part of `allOf` for the whole, and
 * of two forms of a list generated types keep the last.
 */
const errorsWith = (form: "Errors" | "RefusedRedirectRecord", codes: readonly ErrorCode[]): JsonSchema => {
  const text: JsonSchema = { type: "string" };
  const error = { id: text, code: { ...text, enum: [...codes] }, title: text, link: text };
  const errors = { type: "array", items: { type: "object", properties: error, required: Object.keys(error) } };
  const properties = { ...(form === "RefusedRedirectRecord" && { data: {} }), errors };
  return { allOf: [ref(form), { type: "object", properties, required: ["errors"] }] };
};

const errorResponse = (
  status: number,
  codes: readonly ErrorCode[],
  ...more: readonly HeaderName[]
): OpenApiResponse => ({
  description: ERROR_MEANINGS[status] ?? "",
  headers: headers("Cache-Control", ...more),
  content: json(errorsWith("Errors", codes)),
});

/** The same for every operation. */
export const SHARED_RESPONSES = {
  MethodNotAllowed: errorResponse(405, ["method_not_allowed"], "Allow"),
  TooManyRequests: errorResponse(429, ["rate_limit_exceeded"], "Retry-After"),
  InternalError: errorResponse(500, ["internal_error", "records_damaged"]),
  TemporarilyUnavailable: errorResponse(503, ["temporarily_unavailable", "answer_withheld"], "Retry-After"),
} as const satisfies Readonly<Record<string, OpenApiResponse>>;

const shared = (name: keyof typeof SHARED_RESPONSES): Reference => ({ $ref: `#/components/responses/${name}` });

/** GET /health says 503 in its own form, and has no limit. */
const HEALTH = "/health";
/** It asks no store. */
const SIGNING_KEYS = "/.well-known/jwks.json";

export function errorResponses(
  endpoint: Endpoint,
  { refusedRedirect, psp }: Operation,
  codes: CodesByStatus,
): Record<string, OpenApiResponse | Reference> {
  const own = [...codes].map(([status, list]): [string, OpenApiResponse] => {
    const challenged = status === 401 || (status === 403 && psp === "bearer") ? (["WWW-Authenticate"] as const) : [];
    const redirects = status === 403 && refusedRedirect;
    const form = errorsWith(redirects ? "RefusedRedirectRecord" : "Errors", list);
    return [
      String(status),
      {
        description: ERROR_MEANINGS[redirects ? "redirect" : status] ?? "",
        headers: headers("Cache-Control", ...challenged),
        content: json(form, answerExamples(endpoint, status)),
      },
    ];
  });
  return {
    ...Object.fromEntries(own),
    "405": shared("MethodNotAllowed"),
    ...(endpoint.path !== HEALTH && { "429": shared("TooManyRequests") }),
    "500": shared("InternalError"),
    ...(endpoint.path !== SIGNING_KEYS && { "503": unavailable(endpoint) }),
  };
}

const unavailable = ({ path }: Endpoint): OpenApiResponse | Reference =>
  path === HEALTH
    ? {
        description: "A store does not answer, so nothing can be said of the data: the status is down.",
        headers: headers("Cache-Control"),
        content: json(ref("Health")),
      }
    : shared("TemporarilyUnavailable");

/** The status of an operation that does what was asked. */
export const successOf = ({ statuses }: Endpoint): number => statuses.find((each) => each < 300) ?? 200;

export function successResponse(endpoint: Endpoint, operation: Operation): Record<string, OpenApiResponse> {
  const { path } = endpoint;
  const status = successOf(endpoint);
  const { answers, success, links, bytes, headers: own = [] } = operation;
  const forms = answers.map(ref);
  const [only] = forms;
  // with version 1 a form may be valid as that of latest, too
  const schema =
    forms.length === 1 && only ? only : answers[1]?.endsWith("Latest") ? { anyOf: forms } : { oneOf: forms };
  const stored: readonly HeaderName[] =
    path === SIGNING_KEYS
      ? ["Cache-Control-keys", "Access-Control-Allow-Origin"]
      : path.startsWith("/v1/psp/") || path === "/status"
        ? ["Cache-Control-signed"]
        : ["Cache-Control"];
  return {
    [status]: {
      description: success,
      headers: headers(...stored, ...own, ...(links ? (["Link"] as const) : [])),
      ...(bytes && { content: { "application/octet-stream": { schema: {} } } }),
      ...(forms.length > 0 && { content: json(schema, answerExamples(endpoint, status)) }),
    },
  };
}
