/** The decision of `version: latest`, and that codes, tokens and CCG tokens follow the same rule. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Sandbox } from "../../../../src/cli/sandbox/files.ts";
import type { Decision } from "../../../../src/psp-check/decision.ts";
import { importRegister } from "../../../../src/registers/import/import-register.ts";
import { readRegisterFile } from "../../../../src/registers/import/own-form.ts";
import { type Answer, call, codeRequest } from "../../bank.ts";
import { eidasHeader, loadSandbox } from "../../sandbox.ts";

beforeAll(loadSandbox);

const chainOf = (name: string) => encodeURIComponent(env.TEST_CERTIFICATES[name] ?? "");
const check = (name: string, jurisdiction: string): Promise<Answer> =>
  call("GET", `/v1/psp/eidas?jurisdiction=${jurisdiction}`, { headers: { version: "latest", eidas: chainOf(name) } });

async function decisionOn(name: string, jurisdiction: string): Promise<Record<keyof Decision, string>> {
  const { decision } = (await check(name, jurisdiction)).body as { decision: Decision };
  const short = ({ allowed, reasons }: Decision["payments"]) =>
    allowed ? "yes" : reasons.map(({ code, whose }) => `${code} (${whose})`).join(", ");
  return { payments: short(decision.payments), accounts: short(decision.accounts) };
}

const NOT_IN_ROLE = "role_not_on_certificate (psp)";
const NOT_GIVEN = "service_not_in_register (nca)";
const UNPASSPORTED = "service_not_passported (nca)";
const REVOKED = "signature_invalid (psp), certificate_revoked (psp)";
const PATHLESS = "qtsp_invalid (qtsp), signature_invalid (psp), revocation_unknown (qtsp)";
const TABLE: [certificate: string, jurisdiction: string, payments: string, accounts: string][] = [
  ["scenario-1", "xx", "yes", "yes"],
  ["scenario-1", "xy", "yes", "yes"],
  ["scenario-1", "fi", UNPASSPORTED, UNPASSPORTED],
  ["scenario-1-renewed", "xx", "yes", "yes"],
  ["scenario-2", "xx", "unauthorised (nca)", "unauthorised (nca)"],
  ["scenario-2", "xy", `unauthorised (nca), ${UNPASSPORTED}`, `unauthorised (nca), ${UNPASSPORTED}`],
  ["scenario-3", "xx", NOT_GIVEN, NOT_GIVEN],
  ["scenario-5", "xx", "certificate_revoked (psp)", "certificate_revoked (psp)"],
  ["scenario-6", "xx", "qtsp_invalid (qtsp)", "qtsp_invalid (qtsp)"],
  ["scenario-7", "xx", "not_in_register (nca)", "not_in_register (nca)"],
  ["scenario-8", "xx", "authorisation_withdrawn (nca)", "authorisation_withdrawn (nca)"],
  ["scenario-9", "xx", "yes", "yes"],
  // absent from the host register, which does not count
  ["scenario-10", "xy", "yes", "yes"],
  ["accounts-only", "xx", `${NOT_IN_ROLE}, ${NOT_GIVEN}`, "yes"],
  ["accounts-only", "xy", `${NOT_IN_ROLE}, ${NOT_GIVEN}, ${UNPASSPORTED}`, UNPASSPORTED],
  ["payments-only", "xx", "yes", `${NOT_IN_ROLE}, ${NOT_GIVEN}`],
  ["credit-institution", "xy", "yes", "yes"],
  ["service-withdrawn", "xx", NOT_GIVEN, "yes"],
  ["chain-valid", "xx", "yes", "yes"],
  ["chain-expired-issuer", "xx", REVOKED, REVOKED],
  ["unlisted-qtsp", "xx", PATHLESS, PATHLESS],
  ["home-xy", "xy", "yes", "yes"],
];

test.each(TABLE)("%s in %s: payments %s, accounts %s", async (name, jurisdiction, payments, accounts) => {
  expect(await decisionOn(name, jurisdiction)).toEqual({ payments, accounts });
});

test("version 1 has none", async () => {
  const headers = { version: "1", eidas: eidasHeader("scenario-1") };
  expect((await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers })).body).not.toHaveProperty("decision");
});

test.each(Object.keys(env.TEST_CERTIFICATES))("each warning about %s has its code, with latest only", async (name) => {
  const latest = (await check(name, "xy")).body;
  const headers = { version: "1", eidas: chainOf(name) };
  const first = (await call("GET", "/v1/psp/eidas?jurisdiction=xy", { headers })).body;
  for (const block of ["eIDAS", "homeRegister", "hostRegister"]) {
    const { warning = [], warning_codes = [] } = latest[block] ?? {};
    expect(warning_codes).toHaveLength(warning.length);
    expect(first[block]?.warning ?? []).toEqual(warning);
    expect(first[block] ?? {}).not.toHaveProperty("warning_codes");
  }
});

test("messages are the sentences that the endpoints give", async () => {
  const { decision } = (await check("scenario-5", "xx")).body;
  const refused = await call("POST", "/v1/oauth2/authorization_codes", {
    headers: { eidas: eidasHeader("scenario-5") },
    body: codeRequest(),
  });
  expect(refused.body.errors[0]).toMatchObject({
    code: decision.accounts.reasons[0].code,
    title: decision.accounts.reasons[0].message,
  });
});

describe("at home, every endpoint that needs the scope follows the decision", () => {
  const names = Object.keys(env.TEST_CERTIFICATES).filter((name) =>
    /^scenario-|-only$|-institution$|-withdrawn$/.test(name),
  );
  const scopes = ["payments", "accounts"] as const;
  test.each(names.flatMap((name) => scopes.map((scope) => [name, scope] as const)))("%s, %s", async (name, scope) => {
    const { decision } = (await check(name, "xx")).body as { decision: Decision };
    const { allowed, reasons } = decision[scope];
    const eidas = chainOf(name);
    const code = await call("POST", "/v1/oauth2/authorization_codes", {
      headers: { eidas },
      body: codeRequest({ scope }),
    });
    expect(code.status === 201).toBe(allowed);
    const token = await call("POST", "/v1/oauth2/tokens", {
      headers: { eidas },
      body: { client_request_query_parameters: { grant_type: "client_credentials", scope } },
    });
    expect(token.status === 201).toBe(allowed);
    const ccg = await call("POST", "/v1/obie/ccg_tokens", { body: { eIDAS: eidas, scope } });
    expect(ccg.status === 201 && ccg.body.warning === undefined).toBe(allowed);
    for (const answer of [code, token])
      expect(allowed ? undefined : answer.body.errors[0].title).toBe(reasons[0]?.message);
    expect(ccg.body.warning ?? ccg.body.errors?.[0].title).toBe(reasons[0]?.message);
  });
});

test("a host register that says Withdrawn changes nothing but its own entry", async () => {
  const registers: { country: string; psps: { categories: { status: string }[] }[] }[] = (
    JSON.parse(env.TEST_SANDBOX) as Sandbox
  ).registers.map((text) => JSON.parse(text));
  const host = registers.find(({ country }) => country === "XY");
  for (const { categories } of host?.psps ?? []) for (const category of categories) category.status = "Withdrawn";
  const file = readRegisterFile(JSON.stringify({ ...host, published: new Date().toISOString() }));
  if (!file.ok) throw new Error(JSON.stringify(file.problems));
  await importRegister(env, file.register, { now: Date.now(), force: true });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  const { body } = await check("scenario-1", "xy");
  expect(body.hostRegister.categoryEntries[0].pspAuthStatus).toBe("Withdrawn");
  expect([body.decision.payments.allowed, body.decision.accounts.allowed]).toEqual([true, true]);
  vi.useRealTimers();
});
