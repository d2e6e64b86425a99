/** Traffic and records go by what was decided: a good certificate whose PSP a register refuses is no success. */

import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { app } from "../../../src/app.ts";
import { readMetrics } from "../../unit/routes/metrics/metrics-reader.ts";
import { call, endBackground } from "../bank.ts";
import { recordOf } from "../evidence/ledger/records.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";
import { asRead, Visitor } from "./visitor.ts";

const GOOD = "PSDXX-TEST-000001";
/** Its certificate is good. */
const UNAUTHORISED = "PSDXX-TEST-000002";
const REVOKED = "PSDXX-TEST-000005";

const sandbox = new Visitor();
let ofOne: string;
let ofTwo: string;
beforeAll(async () => {
  await loadSandbox();
  await sandbox.signIn();
  const check = (name: string) =>
    call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: eidasHeader(name), version: "latest" } });
  const checks = ["scenario-1", "scenario-2"].map((name) => ({ eIDAS: eidasHeader(name), jurisdictions: ["xx"] }));
  await recordOf(await check("scenario-1"));
  ofOne = (await recordOf(await check("scenario-2"))).id;
  await recordOf(await check("scenario-5"));
  ofTwo = (await recordOf(await call("POST", "/v1/psp/checks", { headers: { version: "latest" }, body: { checks } })))
    .id;
  await endBackground();
});

const read = async (path: string) =>
  asRead((await sandbox.get(path.replaceAll("&amp;", "&"))).text).replaceAll(/\s+/g, " ");
const listed = (page: string): string[] =>
  [...page.matchAll(/href="\/console\/evidence\/([\w-]+)"/g)].map(([, id]) => id ?? "");
/** The row of a PSP, as its table has it. */
const rowOf = (page: string, psp: string): string => page.split(`/console/psps/${psp}"`)[1]?.split("</tr>")[0] ?? "";

test.each(["hour", "day", "month"])("in the last %s what a register refused counts as refused", async (span) => {
  // of the two certificates that were checked together one was allowed something
  expect(await read(`/console/traffic?span=${span}`)).toContain(
    "4 requests with a record, 2 of them refused or not ok",
  );
});

test("whoever a register refused is among the PSPs that were refused, the most refused first", async () => {
  const page = await read("/console/psps?filter=refused");
  expect(rowOf(page, UNAUTHORISED)).toContain('<td class="number">2</td>');
  expect(rowOf(page, REVOKED)).toContain('<td class="number">1</td>');
  expect(page.indexOf(UNAUTHORISED)).toBeLessThan(page.indexOf(REVOKED));
  expect(page).not.toContain(GOOD);
  expect(rowOf(await read("/console/psps"), GOOD)).toContain('<td class="number">0</td>');
});

test("each reason on its page leads to the records that it counts", async () => {
  const page = await read(`/console/psps/${UNAUTHORISED}`);
  expect(page).toContain("Checked, and nothing allowed</a>");
  const [why = ""] = /\/console\/evidence\?psp=PSDXX-TEST-000002&amp;outcome=[^"]*/.exec(page) ?? [];
  expect(listed(await read(why))).toEqual([ofTwo, ofOne]);
  const traffic = await read("/console/traffic?span=hour");
  const [all = ""] = /\/console\/evidence\?outcome=nothing_allowed[^"]*/.exec(traffic) ?? [];
  expect(listed(await read(all))).toEqual([ofOne]);
});

test("records are filtered by the decision, and ok are those that allowed something", async () => {
  const form = await read("/console/evidence");
  expect(form).toContain('<option value="nothing_allowed">');
  const found = async (query: string) => listed(await read(`/console/evidence?${query}`));
  expect(await found("outcome=nothing_allowed")).toEqual([ofOne]);
  expect(await found("outcome=ok")).not.toContain(ofOne);
  expect(await found("outcome=ok")).toContain(ofTwo);
  expect(await found(`psp=${GOOD}&outcome=nothing_allowed`)).toEqual([]);
  expect(await found(`psp=${GOOD}&outcome=ok`)).toContain(ofTwo);
});

test("the metrics go on to say the outcome of the log lines", async () => {
  const METRICS_TOKEN = "q7Vb2nR9sLx4tW8kPz3cYd6fHg1jMa5e";
  const request = new Request("http://service.test/metrics", { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
  const answer = await app.fetch(request, { ...env, METRICS_TOKEN }, createExecutionContext());
  const text = await answer.text();
  expect(text).not.toContain("nothing_allowed");
  const samples = [...(readMetrics(text, "Prometheus").get("psp_gate_requests_total")?.samples ?? [])];
  expect(
    samples.filter(([labels]) => /psp\/eidas/.test(labels) && /outcome="ok"/.test(labels)).map(([, value]) => value),
  ).toEqual([2]);
});

test("the record of a refusal says why and what to do, as the page of the result", async () => {
  const revoked = await call("GET", "/v1/psp/eidas?jurisdiction=xx", {
    headers: { eidas: eidasHeader("scenario-5"), version: "latest" },
  });
  const page = await read(`/console/evidence/${(await recordOf(revoked)).id}`);
  expect(page).toContain("what was found first: The certificate of psd2.elm.invalid has been revoked since 1 Jun 2025");
  expect(page).toContain("Do not rely on the certificate. Ask the PSP for a new one.");
  for (const vague of ["or its status is unknown", "nobody could say whether", "The title says which"])
    expect(page).not.toContain(vague);
  const unauthorised = await read(`/console/evidence/${ofOne}`);
  expect(unauthorised).toContain("<b>What to do:</b> Do not let the PSP act. If it says otherwise, ask its NCA.");
  const absent = await call("GET", "/v1/psp/eidas?jurisdiction=xx", {
    headers: { eidas: eidasHeader("scenario-7"), version: "latest" },
  });
  expect(await read(`/console/evidence/${(await recordOf(absent)).id}`)).toContain("Warnings, as it was answered");
  // no sentence is kept of a refused code: what to do stands without a title
  const code = await call("POST", "/v1/oauth2/authorization_codes", { headers: { eidas: eidasHeader("scenario-5") } });
  expect(await read(`/console/evidence/${(await recordOf(code)).id}`)).not.toContain("The title says which");
});
