/** `fi ...`: an institution from its first day to its last, as an operator leads it. */
import "./in-process.ts";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { withStores } from "../../src/cli/stores.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { authenticate } from "../../src/institutions/financial-institutions.ts";
import { json, run } from "./run-here.ts";

const REFERENCE = "PSDFI-FINFSA-0001";
const OTHER = "PSDFI-FINFSA-0002";
const HOUR = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

const enters = (clientId: string, secret: string, reference: string, at = Date.now()) =>
  withStores(LOCAL, async ({ env }) => (await authenticate(env.DB, clientId, secret, reference, at)).ok);
const listed = async (reference: string) =>
  (await json("fi", "list")).find((fi: { fi_reference_id: string }) => fi.fi_reference_id === reference);

let bank: { client_id: string; client_secret: string };
beforeAll(async () => {
  bank = await json("fi", "add", "--name", "A Bank", "--reference", REFERENCE);
});

test("`fi set` changes the name, and says what there is to set", async () => {
  expect(await json("fi", "set", "--reference", REFERENCE, "--name", "The Bank")).toMatchObject({ name: "The Bank" });
  expect(await listed(REFERENCE)).toMatchObject({ name: "The Bank", status: "active" });
  expect(await run("fi", "set", "--reference", REFERENCE)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--name"),
  });
  expect(await run("fi", "set", "--reference", "PSDFI-NOBODY-1", "--name", "X")).toMatchObject({ code: 1 });
});

test("`fi add` and `fi set` say whether its ledger is required", async () => {
  expect(await listed(REFERENCE)).toMatchObject({ ledger: "default" });
  const set = (mode: string) => run("fi", "set", "--reference", REFERENCE, "--ledger", mode);
  expect(await set("required")).toMatchObject({ code: 0 });
  expect(await listed(REFERENCE)).toMatchObject({ ledger: "required", name: "The Bank" });
  expect(await set("sometimes")).toMatchObject({ code: 2, stdout: "" });
  expect(await set("default")).toMatchObject({ code: 0 });
  const strict = ["--name", "Strict", "--reference", "PSDFI-STRICT-01", "--ledger", "required"];
  expect(await json("fi", "add", ...strict)).toMatchObject({ ledger: "required" });
  expect(await listed("PSDFI-STRICT-01")).toMatchObject({ ledger: "required" });
  expect((await run("fi", "list", "--no-json")).stdout).toMatch(/ ledger [\s\S]*PSDFI-STRICT-01 .* required /);
  await run("fi", "remove", "--reference", "PSDFI-STRICT-01", "--yes");
  expect(await listed(REFERENCE)).toMatchObject({ ledger: "default" });
});

test("what a command changes of an institution waits for its ledger, and what is refused does not", async () => {
  const reference = "PSDFI-ACTS-0001";
  const { client_id: client } = await json("fi", "add", "--name", "Acts", "--reference", reference);
  const { client_id: second } = await json("fi", "link", "--reference", reference);
  await run("fi", "set", "--reference", reference, "--name", "New");
  await run("fi", "disable", "--reference", reference);
  await run("fi", "enable", "--reference", reference);
  await run("fi", "rotate", "--client", client, "--overlap", "1h");
  // while it overlaps
  await run("fi", "rotate", "--client", client, "--overlap", "1h");
  await run("fi", "unlink", "--reference", reference, "--client", second);
  await run("fi", "unlink", "--reference", reference, "--client", second, "--yes");
  await run("account", "erase", "--reference", reference, "--account", "1");
  const list = `SELECT command, about FROM command_acts act JOIN financial_institutions fi ON fi.id = act.fi_id
    WHERE fi_reference_id = ?1`;
  const acts = await withStores(LOCAL, ({ env }) => env.DB.prepare(list).bind(reference).all());
  const noted = acts.results.map(({ command, about }) => [command, about]);
  expect(noted.sort()).toEqual([
    ["account erase", null],
    ["fi disable", "disabled"],
    ["fi enable", "active"],
    ["fi link", second],
    ["fi rotate", client],
    ["fi set", null],
    ["fi unlink", second],
  ]);
  await run("fi", "remove", "--reference", reference, "--yes");
});

test("`fi disable` ends its requests, `fi enable` takes them again", async () => {
  const { client_id, client_secret } = bank;
  expect(await run("fi", "disable", "--reference", REFERENCE)).toMatchObject({ code: 0 });
  expect(await enters(client_id, client_secret, REFERENCE)).toBe(false);
  expect(await run("fi", "enable", "--reference", REFERENCE)).toMatchObject({ code: 0 });
  expect(await enters(client_id, client_secret, REFERENCE)).toBe(true);
});

test("`fi set` gives its tokens lifetimes of their own, each scope by itself, and takes them back", async () => {
  const set = (...args: string[]) => run("fi", "set", "--reference", REFERENCE, ...args);
  const lifetimes = async () => (await listed(REFERENCE)).token_seconds;
  expect(await lifetimes()).toEqual({ payments: null, accounts: null });
  expect(await set("--accounts-tokens", "180d")).toMatchObject({ code: 0 });
  expect(await lifetimes()).toEqual({ payments: null, accounts: 180 * 86_400 });
  expect(await set("--payments-tokens", "10m", "--accounts-tokens", "default")).toMatchObject({ code: 0 });
  expect(await lifetimes()).toEqual({ payments: 600, accounts: null });
  for (const wrong of ["59s", "367d", "long", ""])
    expect(await set("--payments-tokens", wrong)).toMatchObject({ code: 2, stdout: "" });
  expect(await lifetimes()).toEqual({ payments: 600, accounts: null });
});

describe("`fi rotate`", () => {
  test("with --overlap: both secrets enter until the end that is shown, then only the new one", async () => {
    const { client_id, client_secret } = await json(
      "fi",
      "add",
      "--name",
      "Rotating",
      "--reference",
      "PSDFI-FINFSA-0010",
    );
    const reference = "PSDFI-FINFSA-0010";
    const before = Date.now();
    const rotated = await json("fi", "rotate", "--client", client_id, "--overlap", "24h");
    const until = Date.parse(rotated.old_secret_until);
    expect(until - 24 * HOUR).toBeGreaterThanOrEqual(before);
    expect(until - 24 * HOUR).toBeLessThanOrEqual(Date.now());
    const bothAt = async (at: number) => [
      await enters(client_id, client_secret, reference, at),
      await enters(client_id, rotated.client_secret, reference, at),
    ];
    expect(await bothAt(until - 1)).toEqual([true, true]);
    expect(await bothAt(until)).toEqual([false, true]);
    expect((await listed(reference)).credentials).toMatchObject([
      { client_id, old_secret_until: rotated.old_secret_until },
    ]);
    expect((await run("fi", "list", "--no-json")).stdout).toMatch(/ends in (24|23) h/);

    // sent again, as after a lost answer: the bank's secret goes on
    const again = ["fi", "rotate", "--client", client_id, "--overlap", "1h"];
    expect(await run(...again)).toMatchObject({
      ...{ code: 1, stdout: "", stderr: expect.stringContaining(`overlaps until ${rotated.old_secret_until}`) },
    });
    expect(await bothAt(until - 1)).toEqual([true, true]);
    await json(...again, "--yes");
    expect(await bothAt(Date.now())).toEqual([false, true]);
  });

  test("without: the old one enters no more; the age is that of the secret", async () => {
    const { client_id, client_secret } = await json("fi", "add", "--name", "Now", "--reference", "PSDFI-FINFSA-0011");
    const before = Date.now();
    const rotated = await json("fi", "rotate", "--client", client_id);
    expect(rotated).not.toHaveProperty("old_secret_until");
    expect(await enters(client_id, client_secret, "PSDFI-FINFSA-0011")).toBe(false);
    const [credential] = (await listed("PSDFI-FINFSA-0011")).credentials;
    expect(Date.parse(credential.secret_made_at)).toBeGreaterThanOrEqual(before);
    expect(credential.old_secret_until).toBeNull();
  });

  test.each(["soon", "0h", "59s", "91d", "-1h"])("takes no overlap of %s", async (overlap) => {
    expect(await run("fi", "rotate", "--client", bank.client_id, `--overlap=${overlap}`)).toMatchObject({
      ...{ code: 2, stdout: "", stderr: expect.stringContaining("--overlap") },
    });
  });
});

describe("`fi link` and `fi unlink`", () => {
  test("a credential speaks for a second institution, and then for it no more", async () => {
    const other = await json("fi", "add", "--name", "Other Bank", "--reference", OTHER);
    const link = ["--reference", OTHER, "--client", bank.client_id];
    expect(await run("fi", "link", ...link)).toMatchObject({ code: 0 });
    expect(await enters(bank.client_id, bank.client_secret, OTHER)).toBe(true);
    expect(await run("fi", "link", ...link)).toMatchObject({ code: 1, stderr: expect.stringContaining("already") });
    expect(await run("fi", "unlink", ...link)).toMatchObject({ code: 0 });
    expect(await enters(bank.client_id, bank.client_secret, OTHER)).toBe(false);
    expect(await enters(bank.client_id, bank.client_secret, REFERENCE)).toBe(true);
    expect(await enters(other.client_id, other.client_secret, OTHER)).toBe(true);
  });

  test("without --client a second credential is made; the last one is unlinked with --yes only", async () => {
    const second = await json("fi", "link", "--reference", OTHER);
    expect(await enters(second.client_id, second.client_secret, OTHER)).toBe(true);
    const unlink = ["fi", "unlink", "--reference", OTHER, "--client", second.client_id];
    expect(await run(...unlink)).toMatchObject({ code: 1, stderr: expect.stringContaining("say --yes") });
    expect(await enters(second.client_id, second.client_secret, OTHER)).toBe(true);
    expect(await json(...unlink, "--yes")).toMatchObject({ credential_deleted: true });
    expect(await enters(second.client_id, second.client_secret, OTHER)).toBe(false);
  });

  test.each([
    ["link", ["--reference", "PSDFI-NOBODY-1"], "no such institution"],
    ["link", ["--reference", OTHER, "--client", "nobody"], "no such client"],
    ["unlink", ["--reference", OTHER, "--client", "nobody"], "does not speak for"],
  ])("`fi %s %s`: %s", async (verb, args, reason) => {
    expect(await run("fi", verb, ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
  });
});

test("`fi remove` says what goes and ends with 1; with --yes it is gone, and its reference is free", async () => {
  const reference = "PSDFI-FINFSA-0020";
  const { client_id, client_secret } = await json("fi", "add", "--name", "Going", "--reference", reference);
  await run("fi", "link", "--reference", reference, "--client", bank.client_id);
  const id = await withStores(LOCAL, async ({ env }) => {
    const row = await env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1")
      .bind(reference)
      .first<number>("id");
    const insert = env.DB.prepare(
      `INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at)
       VALUES (?1, 'k', ?2, 'PSDXX-TEST-1', 'a', 'accounts', 0, ?3)`,
    );
    await env.DB.batch([insert.bind("gone-1", row, Date.now() + HOUR), insert.bind("gone-2", row, 1)]);
    return row;
  });
  const asked = await run("fi", "remove", "--reference", reference);
  expect(asked).toMatchObject({ code: 1 });
  expect(JSON.parse(asked.stdout)).toMatchObject({
    ...{ removed: false, credentials_that_stay: [bank.client_id] },
    goes: { tokens: 2, live_tokens: 1, credentials: [client_id] },
  });
  expect(await enters(client_id, client_secret, reference)).toBe(true);
  expect((await run("fi", "remove", "--reference", reference, "--no-json")).stdout).toMatch(
    /2 tokens, 1 of them live[\s\S]*Its ledger would stay [\s\S]*evidence export first/,
  );

  expect(await json("fi", "remove", "--reference", reference, "--yes")).toMatchObject({ removed: true });
  expect(await enters(client_id, client_secret, reference)).toBe(false);
  expect(await enters(bank.client_id, bank.client_secret, reference)).toBe(false);
  expect(await enters(bank.client_id, bank.client_secret, REFERENCE)).toBe(true);
  expect(await listed(reference)).toBeUndefined();
  expect(await run("fi", "remove", "--reference", reference, "--yes")).toMatchObject({ code: 1 });
  const again = await json("fi", "add", "--name", "Coming", "--reference", reference);
  expect(await enters(again.client_id, again.client_secret, reference)).toBe(true);
  await withStores(LOCAL, async ({ env }) => {
    const next = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1").bind(reference);
    expect(await next.first<number>("id")).toBeGreaterThan(id ?? Number.POSITIVE_INFINITY);
  });
});

test("the list for people is a table with ages; a secret is in it never", async () => {
  const { stdout } = await run("fi", "list", "--no-json");
  expect(stdout).toMatch(/^reference +name +status +added +live tokens +client id +secret made +old secret$/m);
  expect(stdout).toMatch(
    new RegExp(`^${REFERENCE} +The Bank +✓ active +(now|\\d+ (s|min) ago) +0 +${bank.client_id} `, "m"),
  );
  expect(stdout).not.toContain(bank.client_secret);
});

test("`fi set` sets what is chosen for banks abroad, which `fi list` shows; before, that it was never chosen", async () => {
  const set = (...args: string[]) => run("fi", "set", "--reference", REFERENCE, ...args);
  const chosen = async () => (await listed(REFERENCE)).bank_passports;
  expect(await chosen()).toBeNull();
  expect((await run("fi", "list", "--no-json")).stdout).not.toContain("bank passports");
  for (const choice of ["accept", "refuse"]) {
    expect(await set("--bank-passports", choice)).toMatchObject({ code: 0 });
    expect(await chosen()).toBe(choice);
  }
  expect((await run("fi", "list", "--no-json")).stdout).toMatch(/bank passports[\s\S]*refuse/);
  // what is left out stays
  expect(await set("--payments-tokens", "default")).toMatchObject({ code: 0 });
  for (const wrong of ["yes", "Accept", "", "null"])
    expect(await set("--bank-passports", wrong)).toMatchObject({ code: 2, stdout: "" });
  expect(await chosen()).toBe("refuse");
});
