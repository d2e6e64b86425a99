/** What the operator's commands change is in the institution's ledger after the scheduled run, once, whatever failed between. */
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { changeInstitution, unlinkCredential } from "../../../../src/cli/institution/changes.ts";
import { makeWebhookSecret } from "../../../../src/events/webhook.ts";
import {
  insertWebhook,
  noteWebhookChange,
  removeWebhook,
  rotateWebhook,
} from "../../../../src/events/webhook-changes.ts";
import { type CommandAct, noteCommandAct, recordCommandActs } from "../../../../src/evidence/ledger/command-acts.ts";
import { eraseAccountData } from "../../../../src/grants/retention.ts";
import { rotateSecret } from "../../../../src/institutions/credential-rotation.ts";
import { insertFinancialInstitution, linkCredential } from "../../../../src/institutions/financial-institutions.ts";
import { setInstitutionStatus } from "../../../../src/institutions/institution-placement.ts";
import { hashSecret } from "../../../../src/platform/secrets.ts";
import { runEvents } from "../../../../src/refresh/events.ts";
import { FaultyStores } from "../../faults/faulty-stores.ts";
import { idOf, listRecords } from "./records.ts";

const NOW = Date.now();
let [reference, client, fiId, made] = ["", "", 0, 0];
beforeEach(async () => {
  [reference, client] = [`PSDXX-TEST-FI8${made}`, `acts-${made++}`];
  const bank = { name: "A Bank", fiReferenceId: reference, clientId: client, secretHash: hashSecret("x"), now: NOW };
  await insertFinancialInstitution(env.DB, bank);
  fiId = await idOf(reference);
});
beforeAll(() => expect(env.LEDGER_RECORDS).not.toBe("off"));

const note = (act: Omit<CommandAct, "fiId">) => [noteCommandAct(env.DB, { fiId, ...act }, NOW)];
const count = async () =>
  (await env.DB.prepare("SELECT count(*) AS acts FROM command_acts WHERE fi_id = ?1").bind(fiId).first("acts")) ?? -1;
const recorded = async () =>
  (await listRecords({}, reference)).map(({ event, endpoint, operator, about }) => [event, endpoint, operator, about]);

const [EVENT, ROTATED] = ["institution.change", "credential.rotation"] as const;
const WEBHOOK = { id: "wh_acts", url: "https://bank.test/events" };
/** What changes, and what it would have noted: the first time it is done, the second time there is nothing to do. */
const CHANGES: readonly [command: string, isDone: readonly boolean[], change: () => Promise<unknown>][] = [
  ["fi set", [true], () => changeInstitution(env, reference, { name: "B" }, note({ event: EVENT, command: "fi set" }))],
  [
    "fi set",
    [false],
    () => changeInstitution(env, "PSDXX-NOBODY", { name: "B" }, note({ event: EVENT, command: "fi set" })),
  ],
  [
    "fi disable",
    [true],
    () => setInstitutionStatus(env, reference, "disabled", undefined, note({ event: EVENT, command: "fi disable" })),
  ],
  [
    "fi rotate",
    [true],
    () =>
      rotateSecret(env.DB, client, { now: NOW, overlap: null, notes: note({ event: ROTATED, command: "fi rotate" }) }),
  ],
  [
    "fi rotate",
    [false],
    () =>
      rotateSecret(env.DB, "nobody", {
        now: NOW,
        overlap: null,
        notes: note({ event: ROTATED, command: "fi rotate" }),
      }),
  ],
  [
    "fi link",
    [true],
    () =>
      linkCredential(
        env.DB,
        { fiReferenceId: reference, clientId: `${client}-2`, secretHash: hashSecret("y"), now: NOW },
        note({ event: EVENT, command: "fi link" }),
      ),
  ],
  [
    "fi unlink",
    [true, false],
    () =>
      unlinkCredential(
        env.DB,
        { fiReferenceId: reference, clientId: client },
        true,
        note({ event: EVENT, command: "fi unlink" }),
      ),
  ],
  [
    "account erase",
    [true, true],
    () =>
      eraseAccountData(
        env.DB,
        { fiId, accountId: "nobody" },
        note({ event: "account.erasure", command: "account erase", always: true }),
      ),
  ],
  [
    "webhook add",
    [true],
    () =>
      insertWebhook(env.DB, { ...WEBHOOK, id: `${WEBHOOK.id}${fiId}`, fiId, secret: makeWebhookSecret() }, NOW, [
        noteWebhookChange(env.DB, "webhook add", { id: WEBHOOK.id, fiId }, NOW),
      ]),
  ],
];

test.each(CHANGES)("%s notes what it has done: %j", async (_, isDone, change) => {
  let notes = 0;
  for (const done of isDone) {
    await change();
    notes += Number(done);
    expect(await count()).toBe(notes);
  }
});

test("a webhook's life is recorded by its id, and a rotation that is refused is not", async () => {
  const webhook = { ...WEBHOOK, id: `${WEBHOOK.id}-${fiId}`, fiId, secret: makeWebhookSecret() };
  const noted = (command: string) => [noteWebhookChange(env.DB, command, webhook, NOW)];
  const rotate = () =>
    rotateWebhook(env.DB, webhook, { how: "rotate", until: NOW + 60_000 }, NOW, noted("webhook rotate"));
  await insertWebhook(env.DB, webhook, NOW, noted("webhook add"));
  expect([await rotate(), await rotate()]).toEqual([true, false]);
  await removeWebhook(env.DB, webhook, noted("webhook remove"));
  expect(await recordCommandActs(env, env.DB)).toMatchObject({ failures: [] });
  expect((await recorded()).sort()).toEqual(
    ["webhook add", "webhook remove", "webhook rotate"].map((command) => [
      "webhook.change",
      command,
      "npm run admin",
      webhook.id,
    ]),
  );
  expect(await count()).toBe(0);
});

test("the scheduled run records them, and without a ledger, as of a command that refreshes, they wait", async () => {
  await env.DB.batch([env.DB.prepare("SELECT 1"), ...note({ event: EVENT, command: "fi set", always: true })]);
  const step = { stepState: {}, now: NOW, maxWrites: 500, maxListBytes: 1 };
  const { LEDGER: _, ...withoutLedger } = env;
  await runEvents({ ...step, env: withoutLedger });
  await runEvents({ ...step, env: { ...env, LEDGER_RECORDS: "off" } });
  expect([await count(), await recorded()]).toEqual([1, []]);
  await runEvents({ ...step, env });
  expect([await count(), await recorded()]).toEqual([0, [[EVENT, "fi set", "npm run admin", undefined]]]);
});

test("whatever fails between, each is recorded once", async () => {
  for (let at = 0; at < 4; at++) {
    await env.DB.batch([env.DB.prepare("SELECT 1"), ...note({ event: EVENT, command: `fi ${at}`, always: true })]);
    // the call number `at` is carried out, and its answer is lost
    let calls = 0;
    const stores = new FaultyStores(env, null, 0, async (carryOut) => {
      const answer = await carryOut();
      if (calls++ === at) throw new Error("no answer");
      return answer;
    });
    await recordCommandActs(stores.env, stores.env.DB).catch(() => {});
    await recordCommandActs(env, env.DB);
    expect(await count()).toBe(0);
  }
  expect((await recorded()).map(([, endpoint]) => endpoint).sort()).toEqual(["fi 0", "fi 1", "fi 2", "fi 3"]);
});
