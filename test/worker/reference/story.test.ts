/**
 * The examples of the document are true: the requests of story.json are sent to the sandbox again, and each answer
 * is the recorded one, apart from what differs from day to day (ids, codes, tokens, times). To record it again after a
 * change: node test/contract/record-story.ts
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillCertificates, type Known, learnFrom, requestOf, STORY, type Step } from "../../../src/reference/story.ts";
import { type Answer, call } from "../bank.ts";
import { recordOf } from "../evidence/ledger/records.ts";
import { loadSandbox } from "../sandbox.ts";
import { withoutVariance } from "./recorded.ts";

beforeAll(loadSandbox);

const answered: Step[] = [];

test("the sandbox answers each request of the story as the document shows it", async () => {
  let known: Known = {};
  let checked: Answer | undefined;
  for (const step of STORY) {
    const request = requestOf(step, known);
    const { method, path } = request;
    const { parameters = {}, query = {}, headers = {}, body } = fillCertificates(request, env.TEST_CERTIFICATES);
    // the record of a check arrives after the response
    if (path.startsWith("/v1/audit/") && checked) await recordOf(checked);
    const place = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? ""));
    const target = Object.keys(query).length === 0 ? place : `${place}?${new URLSearchParams(query)}`;
    const answer = await call(method, target, { headers, ...(body !== undefined && { body }) });
    expect([step.name, path, answer.status]).toEqual([step.name, path, step.status]);
    if (path === "/v1/psp/eidas" && answer.status === 200) checked = answer;
    known = { ...known, ...learnFrom(step, answer.body) };
    const { answer: _, ...sent } = step;
    answered.push({ ...sent, ...(answer.body && { answer: answer.body }) });
  }
  if (!env.TEST_RECORD_STORY) expect(withoutVariance(answered)).toEqual(withoutVariance(STORY));
});

// what a test logs is shown only if it fails
afterAll(() => {
  if (env.TEST_RECORD_STORY) console.log(`STORY${JSON.stringify(answered)}YROTS`);
});
