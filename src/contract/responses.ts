/** The answers of an operation: its own, and its errors with their codes. */
import type { Endpoint } from "../endpoints.ts";
import type { ErrorCode } from "../error-catalogue.ts";
import type { CodesByStatus } from "./error-codes.ts";
import type { HeaderName } from "./headers.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { MediaType, OpenApiResponse, Reference } from "./open-api.ts";
import type { Operation } from "./operations.ts";
import { ERROR_MEANINGS, SUCCESS_MEANINGS } from "./texts/statuses.ts";

const ALWAYS: readonly HeaderName[] = ["x-request-id", "transaction_reference", "RateLimit-Policy", "RateLimit"];

const headers = (...more: readonly HeaderName[]): Record<string, Reference> =>
  Object.fromEntries([...ALWAYS, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const json = (schema: JsonSchema): Readonly<Record<string, MediaType>> => ({ "application/json": { schema } });

/** Only these codes of the catalogue. */
const errorsWith = (form: string, codes: readonly ErrorCode[]): JsonSchema => ({
  allOf: [
    ref(form),
    {
      type: "object",
      properties: {
        errors: {
          type: "array",
          items: { type: "object", properties: { code: { type: "string", enum: [...codes] } } },
        },
      },
    },
  ],
});

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
  InternalError: errorResponse(500, ["internal_error"]),
  TemporarilyUnavailable: errorResponse(503, ["temporarily_unavailable"], "Retry-After"),
} as const satisfies Readonly<Record<string, OpenApiResponse>>;

const shared = (name: keyof typeof SHARED_RESPONSES): Reference => ({ $ref: `#/components/responses/${name}` });

/** GET /health says 503 in its own form. */
const HEALTH = "/health";

export function errorResponses(
  { path }: Endpoint,
  { refusedRedirect }: Operation,
  codes: CodesByStatus,
): Record<string, OpenApiResponse | Reference> {
  const own = [...codes].map(([status, list]): [string, OpenApiResponse] => {
    const challenged = status === 401 ? (["WWW-Authenticate"] as const) : [];
    if (status !== 403 || !refusedRedirect) return [String(status), errorResponse(status, list, ...challenged)];
    const form = errorsWith("RefusedRedirectRecord", list);
    return ["403", { ...errorResponse(403, list), description: ERROR_MEANINGS["redirect"] ?? "", content: json(form) }];
  });
  return {
    ...Object.fromEntries(own),
    "405": shared("MethodNotAllowed"),
    "429": shared("TooManyRequests"),
    "500": shared("InternalError"),
    "503":
      path === HEALTH
        ? {
            description: "A store does not answer, so nothing can be said of the data: the status is down.",
            headers: headers("Cache-Control"),
            content: json(ref("Health")),
          }
        : shared("TemporarilyUnavailable"),
  };
}

export function successResponse({ path, statuses }: Endpoint, operation: Operation): Record<string, OpenApiResponse> {
  const status = String(statuses.find((each) => each < 300));
  const { answers, id, links } = operation;
  const forms = answers.map(ref);
  const [only] = forms;
  // with version 1 a form may be valid as that of latest, too
  const schema =
    forms.length === 1 && only ? only : answers[1]?.endsWith("Latest") ? { anyOf: forms } : { oneOf: forms };
  const stored: readonly HeaderName[] = path.startsWith("/v1/psp/") || path === "/status" ? [] : ["Cache-Control"];
  return {
    [status]: {
      description: SUCCESS_MEANINGS[id] ?? "",
      headers: headers(...stored, ...(links ? (["Link"] as const) : [])),
      ...(forms.length > 0 && { content: json(schema) }),
    },
  };
}
