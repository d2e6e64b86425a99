/** `signing-key` and `evidence verify`: from the key's making to what a saved answer proves. */
import "./own-state.ts";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { signAnswer } from "../../src/evidence/signatures/answer-signature.ts";
import { readSigningKeys } from "../../src/evidence/signatures/signing-keys.ts";
import "./in-process.ts";
import { STATE_DIR } from "./own-state.ts";
import { run as admin } from "./run-here.ts";

const devVars = join(STATE_DIR, ".dev.vars");
const OTHERS = "# made by hand\nTOKEN_KEY_20260101T000000Z=secret\n";
beforeEach(() => writeFile(devVars, OTHERS));
afterAll(() => void vi.useRealTimers());

/** The secrets of the local service. */
async function readSecrets(): Promise<Record<string, string>> {
  const lines = (await readFile(devVars, "utf8")).split("\n").filter((line) => line.startsWith("SIGNING_KEY_"));
  return Object.fromEntries(lines.map((line) => line.split("=") as [string, string]));
}

const rotateAt = async (time: string): Promise<string> => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(time) });
  const { code, stdout } = await admin("signing-key", "rotate");
  expect(code).toBe(0);
  return JSON.parse(stdout).kid;
};

test("a rotation makes a key that signs, keeps of the others what verifies, and every other line of the file", async () => {
  expect(await rotateAt("2026-06-01T00:00:00Z")).toBe("20260601T000000Z");
  const first = readSigningKeys(await readSecrets());
  expect(first.signer?.kid).toBe("20260601T000000Z");
  expect(await rotateAt("2026-06-11T00:00:00Z")).toBe("20260611T000000Z");
  const secrets = await readSecrets();
  expect(Object.values(secrets)).toEqual(["retired", expect.stringMatching(/^[\w-]{43}$/)]);
  const second = readSigningKeys(secrets);
  expect(second.signer?.kid).toBe("20260611T000000Z");
  expect(second.published[0]).toEqual({ ...first.published[0], exp: Date.parse("2026-06-11T00:05:00Z") / 1000 });
  expect(await readFile(devVars, "utf8")).toContain(OTHERS);
  expect((await stat(devVars)).mode & 0o777).toBe(0o600);

  const { stdout } = await admin("signing-key", "list");
  expect(JSON.parse(stdout)).toEqual({ keys: second.published, sealed: [] });
  const text = (await admin("signing-key", "list", "--no-json")).stdout;
  expect(text).toMatch(/20260601T000000Z.*signed until 2026-06-11T00:05:00\.000Z.*\n.*20260611T000000Z.*✓ signs/);
});

test("two rotations in one second: the second one changes nothing", async () => {
  await rotateAt("2026-06-01T00:00:00Z");
  const before = await readFile(devVars, "utf8");
  expect(await admin("signing-key", "rotate")).toMatchObject({ code: 1, stderr: expect.stringContaining("try again") });
  expect(await readFile(devVars, "utf8")).toBe(before);
});

test("a rotation by a clock that is behind the newest key changes nothing: else no key would sign", async () => {
  await rotateAt("2026-06-01T00:10:00Z");
  const before = await readFile(devVars, "utf8");
  vi.setSystemTime(Date.parse("2026-06-01T00:05:00Z"));
  expect(await admin("signing-key", "rotate")).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining("the key 20260601T001000Z is newer than this machine's clock") },
  });
  expect(await readFile(devVars, "utf8")).toBe(before);
  expect(readSigningKeys(await readSecrets()).signer?.kid).toBe("20260601T001000Z");
});

test("without a key the list says how to make the first one", async () => {
  expect((await admin("signing-key", "list", "--no-json")).stdout).toBe(
    "no key: signing-key rotate makes the first one\n",
  );
});

describe("evidence verify", () => {
  const file = (name: string, text: string) => writeFile(join(STATE_DIR, name), text).then(() => join(STATE_DIR, name));

  async function save() {
    await rotateAt("2026-06-01T00:00:00Z");
    const { signer, published } = readSigningKeys(await readSecrets());
    if (!signer) throw new Error("no key");
    const request = new Request("https://gate.bank.example/v1/psp/eidas?jurisdiction=FI", {
      headers: { fi_reference_id: "PSDFI-FINFSA-0001", eidas: "MIIE", version: "1" },
    });
    const [headers, body] = [{ "x-evidence-id": "0mwqxj5kb" }, "{}"];
    const exchange = { request, status: 200, headers: new Headers(headers), content: new TextEncoder().encode(body) };
    const signed = signAnswer(exchange, signer, Date.parse("2026-06-10T12:00:00Z"));
    const saved = {
      request: { method: "GET", url: request.url, headers: Object.fromEntries(request.headers) },
      response: { status: 200, headers: { ...headers, ...signed }, body },
    };
    vi.setSystemTime(Date.parse("2031-01-01T00:00:00Z"));
    return { saved, keys: JSON.stringify({ keys: published }) };
  }

  test("says what is proven, by which key and when: the keys from a file or an address", async () => {
    const { saved, keys } = await save();
    const path = await file("check.json", JSON.stringify(saved));
    const { code, stdout, stderr } = await admin("evidence", "verify", path, "--keys", await file("jwks.json", keys));
    expect(stderr).toBe("");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        ...{ proven: true, kid: "20260601T000000Z", signed_at: "2026-06-10T12:00:00.000Z", evidence_id: "0mwqxj5kb" },
        ...{ nonce: null, method: "GET", target: "/v1/psp/eidas?jurisdiction=FI", status: 200 },
      },
    ]);
    const server = createServer((_, response) => response.end(keys));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/jwks.json`;
    const told = await admin("evidence", "verify", path, "--keys", address, "--no-json");
    server.close();
    expect(told.stdout).toBe(
      "proven: GET /v1/psp/eidas?jurisdiction=FI of PSDFI-FINFSA-0001 was answered 200 with this content, signed at 2026-06-10T12:00:00.000Z by the key 20260601T000000Z, evidence 0mwqxj5kb\n",
    );
  });

  test("keys that anybody on the way could change prove nothing: exit code 2", async () => {
    const { saved } = await save();
    const path = await file("check.json", JSON.stringify(saved));
    const keys = "http://gate.bank.example/.well-known/jwks.json";
    expect(await admin("evidence", "verify", path, "--keys", keys)).toMatchObject({
      ...{ code: 2, stdout: "", stderr: expect.stringContaining("neither https nor on this machine") },
    });
  });

  test("a changed answer is not proven: exit code 1, and why", async () => {
    const { saved, keys } = await save();
    const changed = { ...saved, response: { ...saved.response, body: "[]" } };
    const path = await file("changed.json", JSON.stringify(changed));
    const result = await admin("evidence", "verify", path, "--keys", await file("jwks.json", keys));
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain("not proven: the content is not what was signed");
  });

  test.each([
    ["no such file", ["nowhere.json", "jwks.json"], "nowhere.json cannot be read: there is no such file"],
    ["a file that is no exchange", ["jwks.json", "jwks.json"], "request has no method and absolute url"],
    ["keys that are none", ["check.json", "check.json"], 'expected is a set of keys such as {"keys": [...]}'],
    ["no such file of keys", ["check.json", "nowhere.json"], "nowhere.json cannot be read: there is no such file"],
    ["an address that nobody serves", ["check.json", "http://127.0.0.1:9/jwks.json"], "could not be read"],
  ])("%s: exit code 3, since nothing is known", async (_, [name = "", keys = ""], reason) => {
    const made = await save();
    await file("check.json", JSON.stringify(made.saved));
    await file("jwks.json", made.keys);
    const place = keys.startsWith("http") ? keys : join(STATE_DIR, keys);
    const result = await admin("evidence", "verify", join(STATE_DIR, name), "--keys", place);
    expect(result).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining(reason) });
  });
});

test.each(["2026-11-22T00:00:00", "22 Nov 2026", "1"])(
  "a range from %s is not understood: whose midnight?",
  async (from) => {
    const range = ["--fi", "PSDFI-FINFSA-0001", "--from", from, "--to", "2026-11-23T00:00:00Z"];
    for (const command of [
      ["audit", "list"],
      ["evidence", "replay"],
      ["evidence", "export", "x.zip"],
    ])
      expect(await admin(...command, ...range)).toMatchObject({
        ...{ code: 2, stdout: "", stderr: expect.stringContaining("is not an instant such as 2026-11-22T00:00:00Z") },
      });
  },
);
