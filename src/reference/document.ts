/**
 * The OpenAPI 3.1 document of the service, made when it is built: from the table of endpoints, the schemas that the
 * routes validate by, the answers that the handlers are typed with, the error catalogue and the texts of texts/.
 */
import { ENDPOINTS, type Endpoint, OPERATION } from "../http/endpoints.ts";
import { VERSION } from "../platform/version.ts";
import { answerSchemas, requestSchemas } from "./components.ts";
import { errorCodes } from "./error-codes.ts";
import { answerExamples, requestExamples } from "./examples.ts";
import { HEADERS } from "./headers.ts";
import { ofRequest } from "./json-schema.ts";
import type { MediaType, OpenApiDocument, OpenApiOperation } from "./open-api.ts";
import { OPERATIONS, type Operation, REQUESTS } from "./operations.ts";
import { PARAMETERS, PUBLIC_PATHS, parametersOf } from "./parameters.ts";
import { errorResponses, SHARED_RESPONSES, successOf, successResponse } from "./responses.ts";
import { ABOUT, TAGS } from "./texts/about.ts";
import { OPERATION_TEXTS } from "./texts/operations.ts";

/** Throws if an endpoint has no row in operations.ts, or a field has no text. */
export function buildDocument(): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const endpoint of [...ENDPOINTS, ...OPERATION]) {
    const methods = paths[endpoint.path] ?? {};
    methods[endpoint.method.toLowerCase()] = describeOperation(endpoint);
    paths[endpoint.path] = methods;
  }
  return {
    openapi: "3.1.1",
    info: { title: "psp-gate", version: VERSION, ...ABOUT },
    servers: [{ url: "/", description: "This service" }],
    tags: TAGS,
    security: [{ FinancialInstitution: [] }],
    paths,
    components: {
      securitySchemes: {
        FinancialInstitution: {
          type: "http",
          scheme: "basic",
          description:
            "The client id and the secret that the operator gave to the bank (RFC 7617). They are valid together with the header fi_reference_id of an institution that is registered for them.",
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: SHARED_RESPONSES,
      schemas: { ...requestSchemas(samplesOf("body")), ...answerSchemas(samplesOf("answers")) },
    },
  };
}

/** What the story sent or was answered, by the names of the schemas. */
function samplesOf(kind: "body" | "answers"): ReadonlyMap<string, readonly unknown[]> {
  const samples = new Map<string, unknown[]>();
  for (const endpoint of [...ENDPOINTS, ...OPERATION]) {
    const { body, answers = [] } = OPERATIONS[nameOf(endpoint)] ?? {};
    const examples = kind === "body" ? requestExamples(endpoint) : answerExamples(endpoint, successOf(endpoint));
    const values = Object.values(examples).map(({ value }) => value);
    for (const name of kind === "body" ? [body ?? ""] : answers)
      samples.set(name, [...(samples.get(name) ?? []), ...values]);
  }
  return samples;
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

function describeOperation(endpoint: Endpoint): OpenApiOperation {
  const name = nameOf(endpoint);
  const operation = OPERATIONS[name];
  const texts = OPERATION_TEXTS[name];
  if (!operation || !texts) throw new Error(`${name} has no row in src/reference/operations.ts or texts/operations.ts`);
  const { query, body, whole } = operation;
  const schemas = [...(query ? [query] : []), ...(body ? [whole ?? REQUESTS[body]] : [])];
  const codes = errorCodes(endpoint, operation, schemas.map(ofRequest));
  return {
    operationId: operation.id,
    tags: [operation.tag],
    ...texts,
    security: PUBLIC_PATHS.has(endpoint.path) ? [] : [{ FinancialInstitution: [] }],
    parameters: parametersOf(endpoint, operation),
    ...(operation.body && { requestBody: { required: true, content: requestContent(endpoint, operation) } }),
    responses: { ...successResponse(endpoint, operation), ...errorResponses(endpoint, operation, codes) },
  };
}

function requestContent(endpoint: Endpoint, { body }: Operation): Record<string, MediaType> {
  const media = { schema: { $ref: `#/components/schemas/${body}` }, examples: requestExamples(endpoint) };
  return { "application/json": media, ...(endpoint.form && { "application/x-www-form-urlencoded": media }) };
}
