/** Sealed keys: made before a key is live, opened by age's own program, and put back by `key import`. */
import "./own-state.ts";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { RETIRED } from "../../src/evidence/signatures/signing-keys.ts";
import { findTool } from "../tools.ts";
import "./in-process.ts";
import { STATE_DIR } from "./own-state.ts";
import { run as admin, json } from "./run-here.ts";

const devVars = join(STATE_DIR, ".dev.vars");
const keys = join(STATE_DIR, "keys");
const identity = join(STATE_DIR, "identity.txt");
const secret = await generateX25519Identity();
const recipient = await identityToRecipient(secret);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2027-06-01T00:00:00Z") });
  await writeFile(devVars, "");
  await rm(keys, { recursive: true, force: true });
  await writeFile(identity, `# created: 2027-06-01T00:00:00Z\n# public key: ${recipient}\n${secret}\n`);
});
afterAll(() => void vi.useRealTimers());

const rotate = (noun = "key") => json(noun, "rotate", "--recipient", recipient);
const importKeys = (...files: string[]) => admin("key", "import", ...files, "--identity", identity);
const readKeys = () => readFile(devVars, "utf8");

test("a new token key is sealed for its keeper alone, and put back after it was lost", async () => {
  const { kid, sealed } = await rotate();
  expect([kid, sealed]).toEqual(["20270601T000000Z", join(keys, "local", "TOKEN_KEY_20270601T000000Z.age")]);
  expect((await stat(sealed)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(sealed))).mode & 0o777).toBe(0o700);
  const made = await readKeys();
  expect((await readFile(sealed)).includes(made.trim().split("=")[1] ?? "")).toBe(false);
  expect(await json("key", "list")).toMatchObject([{ kid, signs: true, custody: true, deployed: true }]);

  await writeFile(devVars, "# others stay\n");
  expect(await json("key", "list")).toMatchObject([{ kid, signs: false, custody: true, deployed: false }]);
  expect((await admin("key", "list", "--no-json")).stdout).toMatch(/20270601T000000Z +not deployed .*✓ sealed\n/);
  expect(JSON.parse((await importKeys(sealed)).stdout)).toEqual([{ name: `TOKEN_KEY_${kid}`, did: "set", sealed }]);
  expect(await readKeys()).toBe(`# others stay\n${made}`);
  const again = JSON.parse((await importKeys(sealed)).stdout);
  expect(again).toEqual([{ name: `TOKEN_KEY_${kid}`, did: "left as it is", sealed }]);
  expect(await readKeys()).toBe(`# others stay\n${made}`);
});

test("a signing key is put back to sign if it is the newest, else to verify", async () => {
  const { sealed: first } = await rotate("signing-key");
  const made = await readKeys();
  await writeFile(devVars, "");
  expect(JSON.parse((await importKeys(first)).stdout)).toMatchObject([{ did: "set" }]);
  expect(await readKeys()).toBe(made);

  vi.setSystemTime(Date.parse("2027-06-02T00:00:00Z"));
  await writeFile(devVars, "");
  await rotate("signing-key");
  const second = await readKeys();
  const told = await importKeys(first);
  expect(JSON.parse(told.stdout)).toMatchObject([{ did: "set without its private part" }]);
  expect(await readKeys()).toBe(`${second}${made.split("=")[0]}=${RETIRED}\n`);
  expect(await json("signing-key", "list")).toMatchObject({
    ...{ keys: [{ kid: "20270601T000000Z" }, { kid: "20270602T000000Z" }] },
    ...{ sealed: ["20270601T000000Z", "20270602T000000Z"] },
  });
});

test.each([
  ["is gone", (file: string) => rm(file)],
  ["is no sealed file", (file: string) => writeFile(file, "no header of age")],
])("after `key import` the next backup has the key again, where its file %s", async (what, lose) => {
  const { sealed } = await rotate();
  const copy = join(STATE_DIR, "kept-elsewhere.age");
  const content = await readFile(sealed);
  await writeFile(copy, content);
  await writeFile(devVars, "");
  await lose(sealed);
  expect(JSON.parse((await importKeys(copy)).stdout)).toMatchObject([{ did: "set", sealed }]);
  expect(await readFile(sealed)).toEqual(content);
  expect([(await stat(sealed)).mode & 0o777, (await stat(dirname(sealed))).mode & 0o777]).toEqual([0o600, 0o700]);
  const directory = join(STATE_DIR, `backup-where-it-${what.replaceAll(" ", "-")}`);
  expect(await json("backup", directory)).toMatchObject({ secrets_unsealed: [] });
  expect(await readFile(join(directory, "keys", "TOKEN_KEY_20270601T000000Z.age"))).toEqual(content);
});

test("without a recipient a key is made, and the list says that it has no custody", async () => {
  expect(await json("key", "rotate")).toEqual({ kid: "20270601T000000Z", sealed: null });
  expect(await json("key", "list")).toMatchObject([{ custody: false, deployed: true }]);
  // a file that is none counts for nothing
  await mkdir(join(keys, "local"), { recursive: true });
  await writeFile(join(keys, "local", "TOKEN_KEY_20270601T000000Z.age"), "no header of age");
  expect(await json("key", "list")).toMatchObject([{ custody: false, deployed: true }]);
});

test.each([["age1abc"], [secret], ["age1yubikey1abc"], [""]])(
  "what is no recipient makes no key, and is not repeated, since it may be the secret: %#",
  async (given) => {
    const { code, stderr } = await admin("key", "rotate", "--recipient", given);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --recipient is no public key of age.*\n$/)]);
    expect(stderr).not.toContain(secret);
    expect(await readKeys()).toBe("");
  },
);

test("a key that cannot be sealed is not made", async () => {
  await writeFile(keys, "a file in the folder's place");
  expect(await admin("key", "rotate", "--recipient", recipient)).toMatchObject({ code: 3, stdout: "" });
  expect(await readKeys()).toBe("");
});

test("another key of the same name is not replaced, and of several files none is imported", async () => {
  const { sealed } = await rotate();
  vi.setSystemTime(Date.parse("2027-06-02T00:00:00Z"));
  const { sealed: later } = await rotate();
  await writeFile(devVars, `TOKEN_KEY_20270601T000000Z=${"A".repeat(43)}\n`);
  const before = await readKeys();
  expect(await importKeys(later, sealed)).toEqual({
    ...{ code: 1, stdout: "" },
    stderr: "error: nothing was changed: there is another key with the name TOKEN_KEY_20270601T000000Z\n",
  });
  expect(await readKeys()).toBe(before);
});

const age = findTool("age");

describe.skipIf(!age)("age's own program", () => {
  test("opens what is sealed, and seals what is opened", async () => {
    const { sealed } = await rotate();
    const made = await readKeys();
    const opened = execFileSync(age ?? "", ["--decrypt", "--identity", identity, sealed], { encoding: "utf8" });
    expect(opened).toBe(made);
    const own = join(STATE_DIR, "sealed-by-age");
    execFileSync(age ?? "", ["--recipient", recipient, "--output", own], { input: opened });
    await writeFile(devVars, "");
    expect(await importKeys(own)).toMatchObject({ code: 0 });
    expect(await readKeys()).toBe(made);
    await rm(own);
  });
});

describe("what does not open is one sentence, and changes nothing", () => {
  const seal = async (text: string): Promise<string> => {
    const { Encrypter } = await import("age-encryption");
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    const path = join(STATE_DIR, "sealed-here.age");
    await writeFile(path, await encrypter.encrypt(text));
    return path;
  };
  const change = async (sealed: string, edit: (bytes: Buffer) => Uint8Array): Promise<string> => {
    await writeFile(sealed, edit(await readFile(sealed)));
    return sealed;
  };
  const flip = (bytes: Buffer, at: number) => bytes.with(at, (bytes.at(at) ?? 0) ^ 1);
  /** Still Base64: a flipped bit would make a sign of no alphabet of some letters. */
  const swapLetter = (bytes: Buffer, at: number) => bytes.with(at, bytes.at(at) === 0x41 ? 0x42 : 0x41);
  const foreign = "SIGNING_KEY_20270601T000000Z_d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

  test.each<[string, (sealed: string) => Promise<string>, number, RegExp]>([
    ["its last byte was changed", (it) => change(it, (bytes) => flip(bytes, bytes.length - 1)), 1, /was changed since/],
    ["its stanza was changed", (it) => change(it, (bytes) => swapLetter(bytes, 40)), 1, /or its head was changed/],
    [
      "its MAC was changed",
      (it) => change(it, (bytes) => swapLetter(bytes, 150)),
      1,
      /was changed since it was sealed/,
    ],
    ["it was cut off", (it) => change(it, (bytes) => bytes.subarray(0, -20)), 1, /was changed since it was sealed, or/],
    ["it is another file", async () => "fixtures/register-example.csv", 1, /is no sealed key: it does not begin/],
    ["it is empty", (it) => change(it, () => new Uint8Array()), 1, /is no sealed key/],
    ["it is not there", async () => join(STATE_DIR, "nowhere.age"), 3, /nowhere\.age cannot be read: there is no such/],
    ["it holds another text", () => seal("METRICS_TOKEN=a\n"), 1, /holds no token key or signing key/],
    ["its token key is short", () => seal("TOKEN_KEY_20260101T000000Z=YQ\n"), 1, /holds no token key or signing key/],
    [
      "its signing key has another's name",
      () => seal(`${foreign}=${"A".repeat(43)}\n`),
      1,
      /holds no token key or sign/,
    ],
    ["it holds two lines", () => seal(`TOKEN_KEY_1=${"A".repeat(43)}\nBASE_URL=x\n`), 1, /holds no token key or sign/],
  ])("%s", async (_, makeFile, code, sentence) => {
    const { sealed } = await rotate();
    await writeFile(devVars, "");
    const file = await makeFile(sealed);
    const result = await importKeys(file);
    expect(result).toEqual({ code, stdout: "", stderr: expect.stringMatching(/^error: .+\n$/) });
    expect(result.stderr).toMatch(sentence);
    expect(await readKeys()).toBe("");
  });

  test.each<[string, () => Promise<string>, number, RegExp]>([
    ["of another keeper", generateX25519Identity, 1, /does not open by .*: it is sealed to another key/],
    ["that is the public half", async () => recipient, 1, /identity\.txt holds no secret key of age/],
    ["with comments only", async () => "# created\n", 1, /identity\.txt holds no secret key of age/],
    ["that is misspelt", async () => `${secret.slice(0, -1)}\n`, 1, /identity\.txt holds no secret key of age/],
  ])("by an identity %s", async (_, makeIdentity, code, sentence) => {
    const { sealed } = await rotate();
    await writeFile(devVars, "");
    await writeFile(identity, await makeIdentity());
    const result = await importKeys(sealed);
    expect(result).toEqual({ code, stdout: "", stderr: expect.stringMatching(/^error: .+\n$/) });
    expect(result.stderr).toMatch(sentence);
    expect(result.stderr).not.toContain(secret.slice(0, -1));
    expect(await readKeys()).toBe("");
  });

  test("by an identity that is not there", async () => {
    const { sealed } = await rotate();
    await rm(identity);
    expect(await importKeys(sealed)).toMatchObject({ code: 3, stderr: expect.stringContaining("cannot be read") });
  });
});

test("a backup has the sealed keys, verifies them, and says which key is neither in it nor sealed", async () => {
  const { sealed, kid } = await rotate();
  vi.setSystemTime(Date.parse("2027-06-02T00:00:00Z"));
  await json("key", "rotate");
  const directory = join(STATE_DIR, "backup");
  const { stdout } = await admin("backup", directory, "--no-json");
  expect(stdout).toContain(`\nSealed in it, for key import: TOKEN_KEY_${kid}\n`);
  expect(stdout).toContain(`\nNot in it, but in ${devVars}: TOKEN_KEY_20270602T000000Z\n`);
  const copy = join(directory, "keys", `TOKEN_KEY_${kid}.age`);
  expect(await readFile(copy)).toEqual(await readFile(sealed));
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
  expect(await admin("backup", "verify", directory)).toMatchObject({ code: 0 });
  await writeFile(copy, "changed");
  expect(await admin("backup", "verify", directory)).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining(`TOKEN_KEY_${kid}.age is not as backup wrote it`) },
  });
});
