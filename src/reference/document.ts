/**
 * The OpenAPI 3.1 document of the service, made when it is built: from the table of endpoints, the schemas that the
 * routes validate by, the answers that the handlers are typed with, the error catalogue and the texts beside the routes.
 */

import type { Endpoint } from "../http/endpoint.ts";
import { ENDPOINTS } from "../http/endpoints.ts";
import { VERSION } from "../platform/version.ts";
import { OPERATION } from "../routes/endpoints.ts";
import { answerSchemas, requestSchemas } from "./components.ts";
import { codesOf, lacksOperation, nameOf } from "./error-places.ts";
import { answerExamples, requestExamples } from "./examples.ts";
import { HEADERS } from "./headers.ts";
import type { MediaType, OpenApiDocument, OpenApiOperation } from "./open-api.ts";
import type { Operation } from "./operation.ts";
import { PARAMETERS, PUBLIC_PATHS, parametersOf } from "./parameters.ts";
import { OPERATIONS, OWN_HEADERS } from "./resources.ts";
import { errorResponses, SHARED_RESPONSES, successOf, successResponse } from "./responses.ts";
import { webhooks } from "./webhooks.ts";

/** Throws if an endpoint has no operation beside its route, or a field has no text. */
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
    webhooks: webhooks(),
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
      headers: { ...HEADERS, ...OWN_HEADERS },
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

function describeOperation(endpoint: Endpoint): OpenApiOperation {
  const name = nameOf(endpoint);
  const operation = OPERATIONS[name];
  if (!operation) throw lacksOperation(endpoint);
  const { id, tag, summary, description } = operation;
  const codes = codesOf(endpoint);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
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

const ABOUT = {
  summary: "Consents, tokens and PSP checks for banks",
  description: `A bank asks this service about the payment service providers (PSPs) that ask the bank. It answers who they are, by their eIDAS certificates and the registers of the national authorities. It answers what they may do with which account, too.

## Authentication

Every request has the bank's Basic credentials and the header \`fi_reference_id\`, the reference of its institution (FI). All under \`/v1\` have the header \`version\`, too.

## Versions

With \`version: 1\` an answer has exactly the fields of version 1. With \`version: latest\` some have more: where that is so, the schema has a form for each, and \`x-version\` names it.

## Errors

An error is \`{"errors":[{"id","code","title","link"}]}\`. Decide by \`code\`: codes are stable, titles are for people. Each operation lists the codes of each status. The first error decides the status. 405 is the answer to another method at the path.

## Limits

One source address may send 15,000 requests in any five minutes; each answer says in \`RateLimit\` what is left. \`GET /health\` does not count.

## Bodies and values

Bodies are JSON in UTF-8, at most 64 KiB, without repeated members. Members that are not named here are ignored, and \`null\` counts as missing. A parameter of the query that is not named here is refused where an operation lists \`parameter_unknown\`, else ignored.

Amounts are decimal strings. Date-times are RFC 3339 in UTC; \`exp\`, \`iat\` and \`revoked_at\` are seconds since 1970; durations are seconds.`,
  license: { name: "MIT", identifier: "MIT" },
} as const;

const TAGS = [
  {
    name: "Core flow",
    description:
      "These operations make a code for the redirect, exchange it for an access token, and list the tokens of an account. The PSP shows its certificate with each request.",
  },
  {
    name: "Open-banking flow",
    description:
      "These operations create a consent for the PSP, which the customer authorises at the bank. They give a code and a token that belong to it. A CCG token takes the certificate's place.",
  },
  {
    name: "PSP check",
    description:
      "These operations check a PSP by its certificate and by the registers of its home and host country, and verify what it signed. Beyond the four verdicts version latest adds a decision for each scope and the evidence.",
  },
  {
    name: "Introspection",
    description:
      "These operations tell the bank's resource servers and gateways whether a token is active, for which account, and what may be read.",
  },
  {
    name: "Permissions",
    description:
      "These operations serve the bank's own pages: they list and withdraw what a customer agreed to, and block an account. No PSP takes part.",
  },
  {
    name: "Audit",
    description:
      "These operations show what the bank was answered, as its supervisor may ask. The ledger has its PSP checks, grants and what ended them, blocks and watches.",
  },
  {
    name: "Events",
    description:
      "These operations list what changes of a PSP when a list, a register or a check says something new, and keep the PSPs that the institution watches.",
  },
  {
    name: "Operation",
    description:
      "These operations tell monitors and banks whether the service is up, how fresh its data is, and by which keys it signs.",
  },
] as const;
