/** A register that was published long ago is as old as that wherever its age is told, however lately it was imported. */

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { app } from "../../../src/app.ts";
import { findStaleSources } from "../../../src/events/stale-sources.ts";
import { DEFAULT_REGISTER_MAX_AGES_MS, listRegisters } from "../../../src/registers/manifest.ts";
import { readMetrics } from "../../unit/routes/metrics/metrics-reader.ts";
import { call } from "../bank.ts";
import { Visitor } from "../console/visitor.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";
import { importStatus } from "./changed-register.ts";

const PUBLISHED = new Date(Date.now() - 118 * 24 * 3_600_000).toISOString();
const OLDEST = { name: "nca register of XX", at: PUBLISHED };

beforeAll(async () => {
  await loadSandbox();
  await importStatus("PSDXX-TEST-000001", "Authorised", PUBLISHED);
});

test("status and health call it stale", async () => {
  const { body } = await call("GET", "/status");
  const stale = body.registers.map(({ jurisdiction, stale }: { jurisdiction: string; stale: boolean }) => [
    jurisdiction,
    stale,
  ]);
  expect(Object.fromEntries(stale)).toEqual({ XX: true, XY: false });
  expect((await call("GET", "/health")).body).toMatchObject({ status: "degraded", reasons: ["register_stale"] });
});

test("the metrics do, so that the alert fires", async () => {
  const METRICS_TOKEN = "q7Vb2nR9sLx4tW8kPz3cYd6fHg1jMa5e";
  const request = new Request("http://service.test/metrics", { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  const answer = await app.fetch(request, { ...env, METRICS_TOKEN }, createExecutionContext());
  const samples = readMetrics(await answer.text(), "Prometheus").get("psp_gate_source_stale")?.samples;
  const ofRegisters = [...(samples ?? [])].filter(([labels]) => labels.includes('kind="register"'));
  expect(
    Object.fromEntries(ofRegisters.map(([labels, value]) => [/jurisdiction="(\w+)"/.exec(labels)?.[1], value])),
  ).toEqual({ XX: 1, XY: 0 });
});

test("an answer warns, and its oldest source is of that day", async () => {
  const { body } = await call("GET", "/v1/psp/eidas?jurisdiction=xx", {
    headers: { eidas: eidasHeader("scenario-1"), version: "latest" },
  });
  const sentence = `older than 744 hours: it was published ${PUBLISHED} and fetched `;
  expect(body.homeRegister.warning_codes).toEqual(["register_stale"]);
  expect(body.homeRegister.warning).toEqual([expect.stringContaining(sentence)]);
  // one without a path, whose CRL would be older
  const headers = { eidas: eidasHeader("unlisted-qtsp"), version: "latest" };
  const { evidence } = (await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers })).body;
  expect(evidence.oldest).toMatchObject(OLDEST);
});

test("the console calls it stale among the sources", async () => {
  const visitor = new Visitor();
  await visitor.signIn();
  const { text } = await visitor.get("/console/sources");
  expect(text.split('id="register-XX"')[1]?.split("</tr>")[0]).toContain("Stale");
});

test("its institutions are told once, and another import of the same file tells nobody again", async () => {
  const tell = async () => findStaleSources([], await listRegisters(env.KV), DEFAULT_REGISTER_MAX_AGES_MS, Date.now());
  const { notices } = await tell();
  expect(notices).toMatchObject([{ id: `stale register XX nca ${PUBLISHED}`, type: "source.stale", country: "XX" }]);
  await importStatus("PSDXX-TEST-000001", "Authorised", PUBLISHED);
  expect((await tell()).notices.map(({ id }) => id)).toEqual(notices.map(({ id }) => id));
});
