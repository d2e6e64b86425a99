/** A PSP whose certificate has another number than its register: it is found, and stays who it is. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { applyLinks } from "../../../../src/registers/import/apply-links.ts";
import { listLinks, replaceLinks } from "../../../../src/registers/import/stored-links.ts";
import type { NumberLink } from "../../../../src/registers/number-links.ts";
import { call } from "../../bank.ts";
import { countRoundTrips } from "../../bindings.ts";
import { eidasHeader, loadSandbox } from "../../sandbox.ts";

/** The register has no such number, and the certificate is good. */
const CERTIFICATE = "scenario-7";
const NUMBER = "PSDXX-TEST-000007";
const REGISTERED = "PSDXX-TEST-000001";
const PAIR = { country: "XX", source: "A file" };

beforeAll(loadSandbox);
afterAll(() => void vi.useRealTimers());

async function link(...targets: readonly string[]): Promise<void> {
  const links = targets.map((number): NumberLink => {
    const target = { kind: "register_number", number } as const;
    return { ...PAIR, number: NUMBER, target, kind: "supervisor_number", asOf: "2026-11-01" };
  });
  await replaceLinks(env.DB, [PAIR], links);
  const applied = await applyLinks(env, { country: "XX", source: "nca" }, await listLinks(env.DB));
  expect(applied).toMatchObject({ ok: true });
  // until what the isolate remembers of the check before has ended
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 60_000 });
}

async function check() {
  const { env: counted, trips } = countRoundTrips(env);
  const headers = { version: "latest", eidas: eidasHeader(CERTIFICATE) };
  const { body } = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers, env: counted });
  return { body, rounds: trips.rounds };
}

test("a link finds it in the round trips of any check; its tokens have the certificate's number", async () => {
  await link();
  const before = await check();
  expect(before.body.homeRegister).toMatchObject({ categoryEntries: [], warning_codes: ["not_in_register"] });
  await link(REGISTERED);
  const after = await check();
  const by = { kind: "supervisor_number", source: "A file", as_of: "2026-11-01", register_number: REGISTERED };
  const entry = { pspAuthStatus: "Authorised", found_by: { number: NUMBER, ...by } };
  expect(after.body.homeRegister.categoryEntries).toMatchObject([entry, entry]);
  expect(after.body.decision).toMatchObject({ payments: { allowed: true }, accounts: { allowed: true } });
  expect(after.rounds).toBe(before.rounds);
  const created = await call("POST", "/v1/obie/ccg_tokens", {
    body: { eIDAS: eidasHeader(CERTIFICATE), scope: "accounts" },
  });
  expect(created.body).toMatchObject({ psp_id: NUMBER, active: true });
  expect(created.body).not.toHaveProperty("warning");
});

test("links to two entries find none, and the decision says why", async () => {
  await link(REGISTERED, "PSDXX-TEST-000002");
  const { homeRegister, decision } = (await check()).body;
  expect(homeRegister).toMatchObject({ categoryEntries: [], warning_codes: ["not_in_register", "register_ambiguous"] });
  expect(decision.payments.reasons).toEqual([
    expect.objectContaining({
      ...{ code: "register_ambiguous", whose: "source" },
      message: expect.stringMatching(
        /^the numbers that were imported for XX contradict each other on PSP PSDXX-TEST-000007/,
      ),
    }),
  ]);
});

test("a link to a withdrawn PSP gives nothing", async () => {
  await link("PSDXX-TEST-000008");
  const { decision } = (await check()).body;
  expect(decision.payments.reasons).toMatchObject([{ code: "authorisation_withdrawn" }]);
});
