/** The document's examples: the requests of the story and what the sandbox answered, certificates filled in. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Endpoint } from "../http/endpoint.ts";
import type { Example } from "./open-api.ts";
import { type ExampleRequest, fillCertificates, type Known, learnFrom, requestOf, STORY, type Step } from "./story.ts";

interface Recorded {
  readonly step: Step;
  readonly request: ExampleRequest;
}

const CERTIFICATES = join(import.meta.dirname, "../../fixtures/certificates");

const certificates = Object.fromEntries(
  readdirSync(CERTIFICATES)
    .filter((file) => file.endsWith(".pem"))
    .map((file) => [file.slice(0, -".pem".length), readFileSync(join(CERTIFICATES, file), "utf8")]),
);

let known: Known = {};
const RECORDED: readonly Recorded[] = STORY.map((step) => {
  const request = fillCertificates(requestOf(step, known), certificates);
  known = { ...known, ...learnFrom(step, step.answer) };
  return { step, request };
});

const recordedOf = ({ method, path }: Endpoint): readonly Recorded[] =>
  RECORDED.filter(({ request }) => request.method === method && request.path === path);

export const requestExamples = (endpoint: Endpoint): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    recordedOf(endpoint).flatMap(({ step: { name, summary, status }, request }) =>
      request.body === undefined || status === 400 ? [] : [[name, { summary, value: request.body }]],
    ),
  );

export const answerExamples = (endpoint: Endpoint, status: number): Readonly<Record<string, Example>> =>
  Object.fromEntries(
    recordedOf(endpoint).flatMap(({ step }) =>
      step.status !== status || step.answer === undefined
        ? []
        : [[step.name, { summary: step.summary, value: step.answer }]],
    ),
  );

/** The value of a parameter in the first request that has it; undefined if none has. */
export function parameterExample(
  endpoint: Endpoint | null,
  place: "parameters" | "query" | "headers",
  name: string,
): string | undefined {
  const recorded = endpoint ? recordedOf(endpoint) : RECORDED;
  return recorded.map(({ request }) => request[place]?.[name]).find((value) => value !== undefined);
}
