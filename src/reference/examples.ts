/** The document's examples: the requests of the story and what the sandbox answered, certificates filled in. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Endpoint } from "../http/endpoints.ts";
import { fillCertificates } from "./certificates.ts";
import type { Example } from "./open-api.ts";
import { type ExampleRequest, STORY } from "./story.ts";
import recorded from "./story-answers.json" with { type: "json" };

interface Told {
  readonly name: string;
  readonly summary: string;
  readonly request: ExampleRequest;
  readonly status: number;
  /** Undefined without a body. */
  readonly answer: unknown;
}

const CERTIFICATES = join(import.meta.dirname, "../../fixtures/certificates");

const certificates = Object.fromEntries(
  readdirSync(CERTIFICATES)
    .filter((file) => file.endsWith(".pem"))
    .map((file) => [file.slice(0, -".pem".length), readFileSync(join(CERTIFICATES, file), "utf8")]),
);

const nameOf = ({ method, path }: Pick<Endpoint, "path"> & { readonly method: string }): string => `${method} ${path}`;

const TOLD: readonly Told[] = recorded.flatMap((step: Omit<Told, "summary" | "answer"> & { answer?: unknown }) => {
  const told = STORY.find(({ name, operation }) => name === step.name && operation === nameOf(step.request));
  // one that is not told any more: the test of the story fails
  if (told === undefined) return [];
  const request = fillCertificates(step.request, certificates) as ExampleRequest;
  return [{ ...step, request, summary: told.summary, answer: step.answer }];
});

const toldOf = ({ method, path }: Endpoint): readonly Told[] =>
  TOLD.filter(({ request }) => request.method === method && request.path === path);

export const requestExamples = (endpoint: Endpoint): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    toldOf(endpoint).flatMap(({ name, summary, request, status }) =>
      request.body === undefined || status === 400 ? [] : [[name, { summary, value: request.body }]],
    ),
  );

export const answerExamples = (endpoint: Endpoint, status: number): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    toldOf(endpoint).flatMap((told) =>
      told.status !== status || told.answer === undefined
        ? []
        : [[told.name, { summary: told.summary, value: told.answer }]],
    ),
  );

/** The value of a parameter in the first request that has it; undefined if none has. */
export function parameterExample(
  endpoint: Endpoint | null,
  place: "parameters" | "query" | "headers",
  name: string,
): string | undefined {
  const told = endpoint ? toldOf(endpoint) : TOLD;
  return told.map(({ request }) => request[place]?.[name]).find((value) => value !== undefined);
}
