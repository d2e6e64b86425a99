/** Institutions in the console: for operators only; a secret is shown once. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { authenticate, insertFinancialInstitution } from "../../../src/institutions/financial-institutions.ts";
import { findInstitutionStatus, setInstitutionStatus } from "../../../src/institutions/institution-placement.ts";
import { hashSecret } from "../../../src/platform/secrets.ts";
import { listRecords, recordOf } from "../evidence/ledger/records.ts";
import { FaultyStores } from "../faults/faulty-stores.ts";
import { loadSandbox } from "../sandbox.ts";
import { tokenOf, Visitor } from "./visitor.ts";

const PAGE = "/console/institutions";
const ROTATE = `${PAGE}/rotate`;
const STATUS = `${PAGE}/status`;

let operator: Visitor;
let logged: string[];
beforeAll(async () => {
  await loadSandbox();
  operator = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
  await operator.post("/console/sign-in/operator", {});
});
beforeEach(() => {
  logged = [];
  for (const how of ["log", "error"] as const)
    vi.spyOn(console, how).mockImplementation((line) => void logged.push(line));
});

let made = 0;
async function addBank(name = "A Bank") {
  const number = ++made;
  const bank = { reference: `PSDXX-TEST-FI9${number}`, client: `client-${number}`, secret: `secret-${number}` };
  const row = { name, fiReferenceId: bank.reference, clientId: bank.client, secretHash: hashSecret(bank.secret) };
  await insertFinancialInstitution(env.DB, { ...row, now: Date.now() - 400 * 86_400_000 });
  return bank;
}
type Bank = Awaited<ReturnType<typeof addBank>>;
const works = async ({ client, reference }: Bank, secret: string, at = Date.now()) =>
  (await authenticate(env.DB, client, secret, reference, at)).ok;
const fields = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
const openRotation = async ({ client }: Bank) => fields((await operator.get(`${ROTATE}?client=${client}`)).text);
const secretOf = (page: string): string => /<code id="secret">([^<]+)/.exec(page)?.[1] ?? "";

test("institutions are listed with their credentials and how old each secret is", async () => {
  const { client, reference } = await addBank("Old Bank");
  const { text } = await operator.get(PAGE);
  for (const words of ["Sandbox Bank", "sandbox-fi", "Old Bank", reference, client, "400 days ago"])
    expect(text).toContain(words);
  for (const page of ["evidence", "traffic", "events"])
    expect(text).toContain(`href="/console/${page}?fi=${reference}"`);
  const found = (await operator.get(`${PAGE}?q=old%20bank`)).text;
  expect([found.includes(client), found.includes("sandbox-fi")]).toEqual([true, false]);
});

test("an institution finds no such pages, and changes nothing there", async () => {
  const bank = await addBank();
  const institution = new Visitor({ ...env, CONSOLE_LOCAL_OPERATOR: "on" });
  await institution.signIn();
  for (const path of [PAGE, `${STATUS}?reference=${bank.reference}&to=disabled`])
    expect((await institution.get(path)).status).toBe(404);
  const form_token = tokenOf((await institution.get("/console/check")).text);
  const given = await openRotation(bank);
  expect((await institution.post(ROTATE, { ...given, overlap: "1h", form_token })).status).toBe(403);
  expect((await institution.post(STATUS, { reference: bank.reference, to: "disabled", form_token })).status).toBe(404);
  expect(await works(bank, bank.secret)).toBe(true);
  expect((await new Visitor().get(PAGE)).status).toBe(404);
});

describe("a rotation", () => {
  test("shows the new secret once; the old one works for as long as was chosen", async () => {
    const bank = await addBank();
    const given = await openRotation(bank);
    const answer = await operator.post(ROTATE, { ...given, overlap: "24h" });
    const secret = secretOf(answer.text);
    expect([answer.status, answer.headers.get("Cache-Control"), secret.length]).toEqual([200, "no-store", 43]);
    expect([await works(bank, secret), await works(bank, bank.secret)]).toEqual([true, true]);
    expect(await works(bank, bank.secret, Date.now() + 86_400_001)).toBe(false);
    expect((await operator.get(PAGE)).text).toContain("works until");

    // loaded again: the browser sends the same form
    const again = await operator.post(ROTATE, { ...given, overlap: "24h" });
    expect([again.status, secretOf(again.text)]).toEqual([409, ""]);
    expect([await works(bank, secret), await works(bank, bank.secret)]).toEqual([true, true]);
    const asked = { event: "credential.rotation" } as const;
    await expect.poll(() => listRecords(asked, bank.reference), { timeout: 60_000 }).toHaveLength(1);
    const [record] = await listRecords(asked, bank.reference);
    expect(record).toMatchObject({ about: bank.client, operator: "operator of this machine", status: 200 });
    for (const text of [
      JSON.stringify(record),
      ...logged,
      (await operator.get(PAGE)).text,
      (await operator.get(`${ROTATE}?client=${bank.client}`)).text,
    ])
      expect(text).not.toContain(secret);
    const events = logged.map((line) => JSON.parse(line)).filter(({ event }) => event === "secret_rotated");
    expect(events).toMatchObject([{ client: bank.client, by: "operator of this machine" }]);
  });

  test("without an overlap ends the old secret", async () => {
    const bank = await addBank();
    const { text } = await operator.post(ROTATE, { ...(await openRotation(bank)), overlap: "none" });
    expect([await works(bank, secretOf(text)), await works(bank, bank.secret)]).toEqual([true, false]);
  });

  test.each(["", "soon", "91d", "0h", "-1h"])("with an overlap of %j is refused", async (overlap) => {
    const bank = await addBank();
    const answer = await operator.post(ROTATE, { ...(await openRotation(bank)), overlap });
    expect([answer.status, answer.text.includes("from 1m to 90 days")]).toEqual([400, true]);
    expect(await works(bank, bank.secret)).toBe(true);
  });

  test("of an unknown client is no page, and of a second while one overlaps is warned of", async () => {
    expect((await operator.get(`${ROTATE}?client=nobody`)).status).toBe(404);
    const bank = await addBank();
    await operator.post(ROTATE, { ...(await openRotation(bank)), overlap: "7d" });
    expect((await operator.get(`${ROTATE}?client=${bank.client}`)).text).toContain("A rotation is still under way");
  });
});

test("an institution is disabled and enabled again", async () => {
  const bank = await addBank();
  for (const [to, done, active] of [
    ["disabled", "disabled", false],
    ["active", "enabled", true],
  ] as const) {
    const page = `${STATUS}?reference=${bank.reference}&to=${to}`;
    const given = fields((await operator.get(page)).text);
    // the second click finds it done
    for (let clicks = 0; clicks < 2; clicks++) {
      const answer = await operator.post(STATUS, given);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${PAGE}?done=${done}`]);
      expect(await works(bank, bank.secret)).toBe(active);
      expect(await recordOf(answer, bank.reference)).toMatchObject({
        ...{ event: "institution.change", endpoint: `POST ${STATUS}`, about: to, operator: "operator of this machine" },
      });
    }
  }
  const refused = [
    { reference: "nobody", to: "disabled" },
    { reference: bank.reference, to: "removed" },
    { reference: bank.reference, to: "toString" },
  ];
  for (const one of refused) {
    expect((await operator.get(`${STATUS}?${new URLSearchParams(one)}`)).status).toBe(404);
    expect((await operator.submit(PAGE, STATUS, one)).status).toBe(404);
  }
});

test("a form that enables is older than a disabling since: it says so and enables nothing", async () => {
  const bank = await addBank();
  const set = (status: "active" | "disabled") => setInstitutionStatus(env, bank.reference, status);
  await set("disabled");
  const given = fields((await operator.get(`${STATUS}?reference=${bank.reference}&to=active`)).text);
  for (const since of [["disabled"], ["active", "disabled"]] as const) {
    for (const status of since) await set(status);
    for (const sent of [given, { ...given, version: "" }]) {
      const answer = await operator.post(STATUS, sent);
      expect([answer.status, answer.text.includes("The institution was set anew meanwhile")]).toEqual([409, true]);
      expect(await works(bank, bank.secret)).toBe(false);
    }
  }
});

test("an enabling that is sent again while the first one is carried out is done", async () => {
  const bank = await addBank();
  await setInstitutionStatus(env, bank.reference, "disabled");
  const seen = (await findInstitutionStatus(env, bank.reference))?.status_version;
  const enable = (stores: Cloudflare.Env) => setInstitutionStatus(stores, bank.reference, "active", seen);
  let isMeant = true;
  const again = new FaultyStores(env, null, 0, async (carryOut) => {
    if (again.calls.at(-1)?.startsWith("DB batch UPDATE") && isMeant) {
      isMeant = false;
      expect(await enable(env)).toEqual({ ok: true });
    }
    return await carryOut();
  });
  expect(await enable(again.env)).toEqual({ ok: true });
  expect(isMeant).toBe(false);
  expect(await works(bank, bank.secret)).toBe(true);
});

test.each([ROTATE, STATUS])("%s changes nothing without the form's token", async (path) => {
  const bank = await addBank();
  const given = { ...(await openRotation(bank)), overlap: "none", reference: bank.reference, to: "disabled" };
  for (const form_token of ["", "x"]) expect((await operator.post(path, { ...given, form_token })).status).toBe(403);
  const elsewhere = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };
  expect((await operator.post(path, given, elsewhere)).status).toBe(403);
  expect(await works(bank, bank.secret)).toBe(true);
});

test("a name is shown as text", async () => {
  const bank = await addBank("<script>alert(1)</script> & Co");
  for (const page of [PAGE, `${ROTATE}?client=${bank.client}`, `${STATUS}?reference=${bank.reference}&to=disabled`]) {
    const { text } = await operator.get(page);
    expect(text).not.toContain("<script>alert");
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp; Co");
  }
});
