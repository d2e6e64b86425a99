/** `sandbox psp`: a PSP of one's own in the sandbox's registers, and what institutions are told of its changes. */
import "./in-process.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { readSandbox } from "../../src/cli/sandbox/files.ts";
import { seedSandbox } from "../../src/cli/sandbox/sandbox.ts";
import { listEvents } from "../../src/events/event-log.ts";
import { insertWatch } from "../../src/events/watches.ts";
import { makeWebhookSecret } from "../../src/events/webhook.ts";
import { insertWebhook } from "../../src/events/webhook-changes.ts";
import { clock } from "../../src/platform/clock.ts";
import { STATE_DIR } from "./own-state.ts";
import { withOwnStores } from "./own-stores.ts";
import { json, run } from "./run-here.ts";
import { startReceiver } from "./webhook-receiver.ts";

const OWN = "PSDXX-TEST-001001";
let env: Env;

const seed = async () => seedSandbox(env, await readSandbox());
const listed = async (number: string) => {
  const psps: { number: string; categories: object[] }[] = await json("sandbox", "psp", "list");
  return psps.find((psp) => psp.number === number)?.categories;
};

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  await withOwnStores(async (stores) => {
    env = stores.env;
  });
  await seed();
});

test("a PSP of one's own gets the next free number, and is listed beside the recorded ones", async () => {
  const args = ["--name", "My Payments Ltd", "--passport", "XY:7", "FI:8"];
  expect(await json("sandbox", "psp", "add", ...args)).toEqual({
    number: OWN,
    categories: [
      {
        ...{ category: "Payment Institution", name: "My Payments Ltd", status: "Authorised", services: [7, 8] },
        passports: [
          { country: "XY", services: [7] },
          { country: "FI", services: [8] },
        ],
      },
    ],
    // 18: a passport to a country of which no register is loaded was taken without a word
    countries_without_register: ["FI"],
    told_institutions: 0,
    deliveries: [],
  });
  const all: { number: string }[] = await json("sandbox", "psp", "list");
  expect(all.map(({ number }) => number)).toEqual(
    expect.arrayContaining([OWN, "PSDXX-TEST-000001", "PSDXY-TEST-000001"]),
  );
  const { stdout } = await run("sandbox", "psp", "list", "--no-json");
  expect(stdout).toMatch(/PSDXX-TEST-001001 +My Payments Ltd +Payment Institution +Authorised +7 8 +XY 7, FI 8/);
  const host = await env.KV.get("register/XY/nca/psp/PSDXXTEST001001");
  expect(JSON.parse(host ?? "")).toMatchObject([{ categories: [{ passportIn: "XX", services: [7] }] }]);
});

test("npm start keeps one's own PSPs, and makes the recorded ones as they were recorded", async () => {
  await json("sandbox", "psp", "set", "PSDXX-TEST-000002", "--status", "Authorised");
  expect(await listed("PSDXX-TEST-000002")).toMatchObject([{ status: "Authorised" }, { status: "Authorised" }]);
  await seed();
  expect(await listed("PSDXX-TEST-000002")).toMatchObject([{ status: "Unauthorised" }, { status: "Unauthorised" }]);
  expect(await listed(OWN)).toMatchObject([{ name: "My Payments Ltd" }]);
  const recorded = JSON.parse(await readFile(join(import.meta.dirname, "../../fixtures/registers/XX.json"), "utf8"));
  const { psps } = (await env.KV.get<{ psps: number }>("register/manifest/XX/nca", "json")) ?? { psps: 0 };
  expect(psps).toBe(recorded.psps.length + 1);
});

test("sandbox psp set: the event of a watched PSP is there, and at a receiver on this machine, when the command ends", async () => {
  const secret = makeWebhookSecret();
  const receiver = await startReceiver(() => secret);
  const { writeFile } = await import("node:fs/promises");
  await writeFile(join(STATE_DIR, ".dev.vars"), `TOKEN_KEY_20260101T000000Z=${"a".repeat(43)}\n`);
  const webhook = { id: "wh_here", fiId: 1, url: receiver.url, secret };
  await insertWebhook(env.DB, webhook, clock.now());
  await insertWatch(env.DB, 1, OWN, null, clock.now());
  const args = ["sandbox", "psp", "set", OWN, "--status", "Withdrawn"];
  expect(await json(...args)).toMatchObject({
    ...{ number: OWN, told_institutions: 1 },
    deliveries: [{ webhook: "wh_here", outcome: "answered with status 204" }],
  });
  expect(receiver.got.map(({ event }) => event)).toMatchObject([
    {
      type: "psp.status_changed",
      data: {
        psp_id: OWN,
        before: { categories: [{ status: "Authorised" }] },
        after: { categories: [{ status: "Withdrawn" }] },
      },
    },
  ]);
  expect(await listEvents(env.DB, 1, 0, 10)).toHaveLength(1);
  // a second time nothing has changed
  expect(await json(...args)).toMatchObject({ told_institutions: 0 });
  expect(receiver.got).toHaveLength(1);
  await receiver.down();
});

test("sandbox psp set: another category is added, and one of several has to be named", async () => {
  await json("sandbox", "psp", "set", OWN, "--category", "AISP", "--services", "8");
  expect(await listed(OWN)).toMatchObject([
    { category: "Payment Institution", status: "Withdrawn" },
    { category: "AISP", name: "My Payments Ltd", status: "Authorised", services: [8], passports: [] },
  ]);
  const { code, stderr } = await run("sandbox", "psp", "set", OWN, "--services", "7");
  expect([code, stderr]).toEqual([1, expect.stringContaining("say by --category whose")]);
  await json("sandbox", "psp", "set", OWN, "--category", "Payment Institution", "--passport", "none");
  expect(await env.KV.get("register/XY/nca/psp/PSDXXTEST001001")).toBe(null);
});

test.each([
  [
    ["psp", "add", "--name", "A", "--number", "hello"],
    2,
    "--number: hello is no authorisation number: one such as PSDXX-TEST-001001 is expected (it does not begin with PSD)",
  ],
  [["psp", "set", "hello", "--status", "Withdrawn"], 2, "number: hello is no authorisation number"],
  [["certificate", "--psp", "hello"], 2, "--psp: hello is no authorisation number"],
  [["psp", "add", "--name", "A", "--number", "PSDDE-BAFIN-1"], 2, "no PSP of a real country is ever in a sandbox"],
  [["psp", "add", "--name", "A", "--number", "PSDXX-NCA-1"], 2, "is not PSDXX-TEST- and up to 32 letters and digits"],
  [["psp", "add", "--name", "A", "--number", "PSDXX-TEST-000001"], 1, "is in the register already"],
  [
    ["psp", "add", "--name", "A", "--passport", "X:7"],
    2,
    "--passport: X:7 is not like XY:7,8, a country with payment services of 1 to 8",
  ],
  [["psp", "add", "--name", "A", "--passport", "none", "XY:7"], 2, "--passport: none stands alone: it takes all"],
  [["psp", "add", "--name", "A", "--passport", "XX:7"], 1, "--passport: XX is the PSP's home, where its --services"],
  [["psp", "add", "--name", "A", "--passport", "QQ:7"], 1, "--passport: QQ is no country: XX, XY or one of ISO 3166-1"],
  [["psp", "add", "--name", "A", "--passport", "XY:7", "XY:8"], 2, "XY is named twice"],
  [["psp", "add", "--name", "A", "--services", "9"], 2, "--services: 9 is not like 7,8: payment services are 1 to 8"],
  [["psp", "add", "--name", ""], 1, "--name: is empty"],
  [["psp", "set", "PSDXX-TEST-999999", "--status", "Withdrawn"], 1, "is not in the register"],
  [["psp", "set", OWN], 2, "nothing is to be changed"],
  [["psp", "add", "--name", "A", "--remote"], 1, "production has no sandbox"],
  [["psp", "list", "--env", "production"], 1, "production has no sandbox"],
])("sandbox %j ends with %i: %s", async (args, code, said) => {
  expect(await run("sandbox", ...args)).toMatchObject({ code, stderr: expect.stringContaining(said) });
});
