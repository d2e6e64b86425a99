/** `key remove`: no live token loses its key unawares. */
import "./own-state.ts";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { runAdmin } from "./admin-command.ts";
import "./in-process.ts";
import { STATE_DIR } from "./own-state.ts";
import { withOwnStores } from "./own-stores.ts";
import { run as admin } from "./run-here.ts";

const OLD = "20260101T000000Z";
const OLDER = "20250101T000000Z";
const NEWEST = "20260201T000000Z";
const HOUR = 3_600_000;

const devVars = join(STATE_DIR, ".dev.vars");
beforeAll(async () => {
  expect(await admin("fi", "add", "--name", "A Bank", "--reference", "PSDFI-FINFSA-0001")).toMatchObject({ code: 0 });
});
beforeEach(() => writeKeys(OLDER, OLD, NEWEST));

const textOf = (...kids: string[]) => kids.map((kid) => `TOKEN_KEY_${kid}=secret-of-${kid}\n`).join("");
const writeKeys = (...kids: string[]) => writeFile(devVars, `# made by hand\n${textOf(...kids)}`, { mode: 0o600 });
const readKeys = () => readFile(devVars, "utf8");

/** The table of tokens holds exactly these. */
const storeTokens = (...tokens: { kid: string; expires: number; revoked?: number }[]) =>
  withOwnStores(async ({ env: { DB } }) => {
    const insert = DB.prepare(`
      INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at, revoked_at)
      VALUES (?, ?, (SELECT id FROM financial_institutions), 'PSDXX-TEST-000001', 'an account', 'accounts', 0, ?, ?)`);
    const rows = tokens.map(({ kid, expires, revoked }, i) => insert.bind(`token ${i}`, kid, expires, revoked ?? null));
    await DB.batch([DB.prepare("DELETE FROM tokens"), ...rows]);
  });

test("a key that no live token needs is removed, and every other line of the file stays", async () => {
  const now = Date.now();
  await storeTokens(
    { kid: OLD, expires: now - 1 },
    { kid: OLD, expires: now + HOUR, revoked: now - 1 },
    { kid: OLDER, expires: now + HOUR },
  );
  const result = await admin("key", "remove", OLD);
  expect(result).toMatchObject({ code: 0 });
  expect(JSON.parse(result.stdout)).toEqual({ kid: OLD, removed: true, access_tokens_ended: 0 });
  expect(await readKeys()).toBe(`# made by hand\n${textOf(OLDER, NEWEST)}`);
  expect((await stat(devVars)).mode & 0o777).toBe(0o600);
  expect(await readdir(STATE_DIR)).not.toContain(".dev.vars.new");
  expect(JSON.parse((await admin("key", "list")).stdout)).toMatchObject([{ kid: OLDER }, { kid: NEWEST }]);
});

test("a key that live tokens need is not removed: how many, and until when. --force ends them", async () => {
  const until = Math.floor(Date.now() / 1000) * 1000 + HOUR;
  await storeTokens({ kid: OLD, expires: until }, { kid: OLD, expires: until - HOUR / 2 });
  // as a process, beside the other that has the stores open
  const refused = await runAdmin({ STATE_DIR }, "key", "remove", OLD);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toBe(
    `error: ${OLD} was not removed: 2 access tokens need it until ${new Date(until).toISOString()}. Wait until then, or end them now with --force\n`,
  );
  expect(await readKeys()).toContain(textOf(OLD));
  const forced = await admin("key", "remove", OLD, "--force");
  expect(JSON.parse(forced.stdout)).toEqual({ kid: OLD, removed: true, access_tokens_ended: 2 });
  expect(await readKeys()).not.toContain(OLD);
});

test("a key that signed until a moment ago is not removed: CCG tokens of it may be alive", async () => {
  await storeTokens();
  await writeKeys(OLD);
  const { kid } = JSON.parse((await admin("key", "rotate")).stdout);
  const made = Date.parse(kid.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const refused = await admin("key", "remove", OLD);
  expect(refused).toMatchObject({ code: 1 });
  const until = new Date(made + 5 * 60_000 + HOUR).toISOString();
  expect(refused.stderr).toContain(`CCG tokens, which nobody can count, may need it until ${until}`);
  expect(await readKeys()).toContain(OLD);
});

test("a rotation by a clock that is behind the newest key makes none: that key would go on signing", async () => {
  const ahead = "29990101T000000Z";
  await writeKeys(OLD, ahead);
  const before = await readKeys();
  expect(await admin("key", "rotate")).toMatchObject({
    ...{ code: 1, stdout: "", stderr: expect.stringContaining(`the key ${ahead} is newer than this machine's clock`) },
  });
  expect(await readKeys()).toBe(before);
});

describe("never removed, not even by --force", () => {
  test("a key that has sealed the secret of a webhook", async () => {
    // no name has an address here
    vi.stubEnv("WEBHOOK_TARGETS", "any");
    const { id } = JSON.parse(
      (await admin("webhook", "add", "--reference", "PSDFI-FINFSA-0001", "--url", "https://bank.example/")).stdout,
    );
    vi.unstubAllEnvs();
    const seal = (kid: string) =>
      withOwnStores(async ({ env: { DB } }) => {
        await DB.prepare("UPDATE webhooks SET kid = ?1 WHERE id = ?2").bind(kid, id).run();
      });
    await seal(OLD);
    const refused = await admin("key", "remove", OLD, "--force");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("the secrets of 1 webhooks are sealed") });
    expect(await readKeys()).toContain(OLD);
    await seal(NEWEST);
    expect(await admin("key", "remove", OLD, "--force")).toMatchObject({ code: 0 });
  });

  test.each([
    ["the newest key", [OLD, NEWEST], NEWEST, "is the newest key, which makes new tokens: key rotate first"],
    ["the only key", [OLD], OLD, "is the only key"],
    ["a key that there is not", [OLD, NEWEST], OLDER, "no such key"],
  ])("%s", async (_, kids, kid, reason) => {
    await writeKeys(...kids);
    const before = await readKeys();
    const result = await admin("key", "remove", kid, "--force");
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(new RegExp(`^error: ${kid}:? ${reason}.*\n$`));
    expect(await readKeys()).toBe(before);
  });
});
