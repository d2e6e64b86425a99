/** A change of a PSP, from the register to a bank's receiver: the built Worker, its schedule and the real queue. */
import { expect, test, vi } from "vitest";
import { withStores } from "../../src/cli/stores.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { insertWatch } from "../../src/events/watches.ts";
import { makeWebhookSecret } from "../../src/events/webhook.ts";
import { insertWebhook } from "../../src/events/webhook-changes.ts";
import { insertFinancialInstitution } from "../../src/institutions/financial-institutions.ts";
import { hashSecret } from "../../src/platform/secrets.ts";
import { identify } from "../raw-bank.ts";
import { life } from "./own-service.ts";
import { type Receiver, startReceiver } from "./webhook-receiver.ts";

const PSP = "PSDXX-TEST-000001";
const BANK = { clientId: "told-fi", secret: "told-secret", fiReferenceId: "PSDXX-TEST-FI0009" };
const secret = makeWebhookSecret();

let receiver: Receiver;
/** Before the service: makes its institution with a watch and a webhook; answers the variables that it needs. */
export async function startReceiving(): Promise<Record<string, string>> {
  receiver = await startReceiver(() => secret);
  await withStores(
    LOCAL,
    async ({ env }) => {
      const { clientId, fiReferenceId } = BANK;
      const row = { name: "Told", fiReferenceId, clientId, secretHash: hashSecret(BANK.secret), now: 0 };
      await insertFinancialInstitution(env.DB, row);
      const find = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1").bind(
        fiReferenceId,
      );
      const fiId = Number(await find.first<number>("id"));
      await insertWebhook(env.DB, { id: "wh_1", fiId, url: receiver.url, secret }, 0);
      // before the sandbox's register is loaded, the PSP is in none
      const standing = JSON.stringify({ register: { ambiguous: false, categories: [] }, issuers: [] });
      await insertWatch(env.DB, fiId, PSP, { digest: "of before", standing }, 0);
    },
    { pending: "apply" },
  );
  return { WEBHOOK_TARGETS: "any" };
}
export const stopReceiving = (): Promise<void> => receiver.down();

export function testWebhookQueue(): void {
  test("the receiver gets it signed, again after a failure, and the list has the same", async () => {
    receiver.manner = () => ({ status: receiver.got.length === 1 ? 500 : 204 });
    expect((await fetch(`${life().url}/cdn-cgi/handler/scheduled`)).status).toBe(200);
    await vi.waitUntil(() => receiver.got.length === 2, { timeout: 60_000, interval: 200 });
    const [first, again] = receiver.got;
    expect(again?.id).toBe(first?.id);
    expect(again?.event).toEqual(first?.event);
    const answer = await fetch(`${life().url}/v1/events`, { headers: { ...identify(BANK), version: "1" } });
    const { data } = (await answer.json()) as { data: object[] };
    expect(data).toEqual([first?.event]);
    expect(data).toMatchObject([
      {
        type: "psp.status_changed",
        data: { psp_id: PSP, before: { categories: [] }, grants: { tokens: 0, consents: 0 } },
      },
    ]);
  });
}
