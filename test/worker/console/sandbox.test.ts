/** The console's page that makes a sandbox's certificates: in workerd, with the CA as a secret, and without it. */

import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { makeSandboxCa } from "../../../src/sandbox/sandbox-ca.ts";
import { ALL_TRUE } from "../../all-true.ts";
import { loadSandbox } from "../sandbox.ts";
import { Visitor } from "./visitor.ts";

const PAGE = "/console/sandbox";
const AMBER = "PSDXX-TEST-000001";
const USUAL = { number: AMBER, type: "web", key: "p-256", days: "30", flaw: "none", roles: "PSP_AI" };

let visitor: Visitor;
beforeAll(async () => {
  await loadSandbox();
  visitor = await signedIn({ SANDBOX_CA: await makeSandboxCa() });
});

async function signedIn(more: object): Promise<Visitor> {
  const made = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on", ...more });
  await made.post("/console/sign-in/operator", {});
  return made;
}
const pemOf = (page: string, label: string): string =>
  new RegExp(`-----BEGIN ${label}-----\\s[\\s\\S]*?-----END ${label}-----`).exec(page)?.[0] ?? "";

test("the certificate is one that the service believes, and the answer is not to be stored", async () => {
  const made = await visitor.submit(PAGE, PAGE, USUAL);
  expect([made.status, made.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  expect(pemOf(made.text, "PRIVATE KEY")).not.toBe("");
  const eidas = pemOf(made.text, "CERTIFICATE").replaceAll(/-----[^-]+-----|\s/g, "");
  const checked = await visitor.send("GET", "/v1/psp/eidas?jurisdiction=xx", {
    Authorization: `Basic ${btoa("sandbox-fi:sandbox-secret")}`,
    ...{ fi_reference_id: "PSDXX-TEST-FI0001", version: "latest", eidas },
  });
  expect(JSON.parse(checked.text)).toMatchObject({
    eIDAS: { validity: ALL_TRUE },
    decision: { payments: { allowed: false }, accounts: { allowed: true } },
  });
});

test.each([
  [{ number: "PSDDE-BAFIN-1" }, "no PSP of a real country"],
  [{ number: "PSDXX-TEST-999999" }, "is not in the sandbox"],
  [{ days: "0" }, "Days: a number from 1 to 3650"],
  [{ roles: "PSP_XX" }, "Choose a role"],
])("%j is answered with %s", async (wrong, said) => {
  const { status, text } = await visitor.submit(PAGE, PAGE, { ...USUAL, ...wrong });
  expect([status, text.includes(said), pemOf(text, "PRIVATE KEY")]).toEqual([400, true, ""]);
});

test("a service without the secret, as production is, has neither the page nor its entry in the menu", async () => {
  const other = await signedIn({});
  expect((await other.get(PAGE)).status).toBe(404);
  expect((await other.get("/console/check")).text).not.toContain(PAGE);
  expect((await visitor.get("/console/check")).text).toContain(PAGE);
  const without = await other.post(PAGE, USUAL);
  expect([without.status, pemOf(without.text, "PRIVATE KEY")]).toEqual([404, ""]);
});

test("a secret that is no CA's makes nothing, and says so", async () => {
  const other = await signedIn({ SANDBOX_CA: "a.b" });
  const { status, text } = await other.submit(PAGE, PAGE, USUAL);
  expect([status, text.includes("is no key of a sandbox")]).toEqual([503, true]);
});
