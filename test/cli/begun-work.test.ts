/** What a command begins beside its answer ends before its stores are closed. Only `psp check` begins such work. */
import "./in-process.ts";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withBegunWork } from "../../src/cli/begun-work.ts";
import { withStores } from "../../src/cli/stores.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { type Authority, createAuthority } from "../../src/sandbox/pki/authority.ts";
import { issueCrl } from "../../src/sandbox/pki/crl.ts";
import { issuePspCertificate } from "../../src/sandbox/pki/psp-certificate.ts";
import { Sources } from "../refresh/sources.ts";
import { runAdmin } from "./admin-command.ts";
import { STATE_DIR } from "./own-state.ts";
import { collectOutput, json, run } from "./run-here.ts";

const DAY_MS = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
const PERIOD = { notBefore: daysFromNow(-10), notAfter: daysFromNow(100) };

let sources: Sources;
beforeAll(async () => {
  sources = await Sources.start();
  await json("register", "import", "fixtures/registers/XX.json");
});
afterAll(() => sources.stop());

async function write(name: string, certificate: { toString(format: "pem"): string }): Promise<string> {
  const path = join(STATE_DIR, name);
  await writeFile(path, certificate.toString("pem"));
  return path;
}

const issue = (authority: Authority) =>
  issuePspCertificate(
    {
      ...{ country: "XX", authNumber: "PSDXX-TEST-000001", organisation: "A PSP", commonName: "psp.example" },
      ...{ type: "web", roles: ["PSP_AI", "PSP_PI"], ncaName: "Test Authority of XX", ncaId: "XX-TEST", key: "p-256" },
      ...PERIOD,
    },
    authority,
  );

/** A listed QTSP, and two certificates of a PSP: the second one is revoked by the CRL that both name. */
async function makePsp(name: string): Promise<{ good: string; revoked: string; crl: string }> {
  const crl = `/${name}.crl`;
  const names = { country: "XX", organisation: `QTSP ${name}`, commonName: `CA ${name}` };
  const authority = await createAuthority(
    { ...names, ...PERIOD, key: "p-256", pathLength: 0, crlUrl: sources.url + crl },
    null,
  );
  const [good, revoked] = [await issue(authority), await issue(authority)];
  const issued = { thisUpdate: daysFromNow(-1), nextUpdate: daysFromNow(30), revokedAt: daysFromNow(-2) };
  sources.file(crl, new Uint8Array((await issueCrl({ revoked: [revoked], ...issued }, authority)).rawData));
  const anchor = await write(`${name}-ca.pem`, authority.certificate);
  await json("trust", "import", anchor, "--source", `OWN-${name}`, "--jurisdiction", "XX");
  return { good: await write(`${name}-good.pem`, good), revoked: await write(`${name}-revoked.pem`, revoked), crl };
}

const check = (file: string) => ["psp", "check", file, "--jurisdiction", "XX"] as const;
const notRevoked = ({ stdout }: { stdout: string }) => JSON.parse(stdout).eIDAS.validity.notRevoked;

test("`psp check` of which a CRL is fetched answers, and keeps the CRL", async () => {
  const { good, revoked, crl } = await makePsp("first");
  const fetching = await runAdmin({ STATE_DIR }, ...check(good));
  expect(fetching).toMatchObject({ code: 0, stderr: "" });
  expect(notRevoked(fetching)).toBe(true);
  expect(sources.asked).toEqual([`${crl} 200`]);
  // it is gone: only what was kept can tell
  sources.set(crl, { sends: "status", status: 503 });
  const later = await runAdmin({ STATE_DIR }, ...check(revoked));
  expect(later).toMatchObject({ code: 1, stderr: "" });
  expect(notRevoked(later)).toBe(false);
  expect(JSON.parse(later.stdout).eIDAS.warning).toContainEqual(expect.stringMatching(/has been revoked since/));
});

test("a revoked certificate, too", async () => {
  const { revoked } = await makePsp("second");
  const fetching = await runAdmin({ STATE_DIR }, ...check(revoked));
  expect(fetching).toMatchObject({ code: 1, stderr: "" });
  expect(notRevoked(fetching)).toBe(false);
});

test("what cannot be kept is a warning, and changes neither answer nor exit code", async () => {
  const { good } = await makePsp("third");
  const result = await withStores(LOCAL, async ({ env }) => {
    const { KV } = env;
    const put = () => Promise.reject(new Error("connection lost"));
    const full = new Proxy(KV, { get: (kv, name) => (name === "put" ? put : Reflect.get(kv, name)) });
    Object.assign(env, { KV: full });
    return await run(...check(good)).finally(() => Object.assign(env, { KV }));
  });
  expect(notRevoked(result)).toBe(true);
  expect(result).toMatchObject({
    code: 0,
    stderr:
      "warning: the answer stands, but what was fetched for it could not all be kept: a store did not answer: KV: connection lost\n",
  });
});

describe("work that a command begins", () => {
  /** Ends when all that was asked for before has ended. */
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

  test("is waited for with what it begins in its turn, also after a failure of the command", async () => {
    const done: string[] = [];
    const failed = withBegunWork(async (ctx) => {
      ctx.waitUntil(
        turn().then(() => {
          done.push("first");
          ctx.waitUntil(turn().then(() => done.push("second")));
        }),
      );
      throw new Error("of the command");
    });
    await expect(failed).rejects.toThrow("of the command");
    expect(done).toEqual(["first", "second"]);
  });

  test("fails without a stack trace, and is told once where it fails in the same way", async () => {
    const { code, stderr } = await collectOutput(() =>
      withBegunWork(async (ctx) => {
        for (const _ of [1, 2]) ctx.waitUntil(turn().then(() => Promise.reject(new Error("no room"))));
        await turn();
        return 3;
      }),
    );
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/^warning: .*: Error: no room\n$/) });
  });
});

test("only `psp check` takes a context for such work: another command needs its row here", async () => {
  const folder = join(import.meta.dirname, "../../src/cli");
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(
    files.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
  );
  expect(texts.filter(([, text]) => /async \(\{[^}]*\bctx\b/.test(text)).map(([name]) => name)).toEqual(["psp.ts"]);
});
