/** `webhook test`: delivers a test event, and says what is to be done about the receiver's answer. */

import { insertTestEvent } from "../events/event-log.ts";
import { clock } from "../platform/clock.ts";
import { EXIT, fail } from "./fail.ts";
import type { Common, MakeCommand } from "./fi-options.ts";
import { print } from "./output.ts";
import { requireActive } from "./required-webhook.ts";
import { withStores } from "./stores.ts";
import { targetOf } from "./target.ts";
import { adviceFor } from "./webhook-advice.ts";
import { awaitDelivery, deliverHere } from "./webhook-attempt.ts";

const STATUS = "SELECT status FROM financial_institutions WHERE id = ?1";

export function addWebhookTest(command: MakeCommand): void {
  command("test", "deliver a test event, and wait for the receiver's answer")
    .argument("<id>", "of the webhook")
    .addHelpText("after", "\nOn the deployed service the next scheduled run makes the delivery: within two minutes.")
    .action(async (id: string, options: Common) => {
      const target = targetOf(options);
      const ended = await withStores(target, async ({ env }) => {
        const { db, webhook: found } = await requireActive(env, id);
        if ((await db.prepare(STATUS).bind(found.fiId).first("status")) !== "active")
          fail(`${id}: its institution is disabled, so nothing is delivered until \`fi enable\``);
        const delivery = await insertTestEvent(db, found, clock.now());
        const made = target.remote ? await awaitDelivery(db, delivery) : await deliverHere(env, db, delivery);
        return { ...made, advice: adviceFor({ id, url: found.url, outcome: made.outcome }) };
      });
      print(ended, options, (style) =>
        [
          ended.status !== "delivered"
            ? `${style.bad("✗ not delivered:")} the receiver ${ended.outcome ?? "was not asked yet"}`
            : ended.advice === null
              ? `${style.good("✓ delivered:")} the receiver ${ended.outcome}`
              : `${style.doubtful("? delivered:")} the receiver ${ended.outcome}`,
          ...(ended.advice === null ? [] : [`  → ${ended.advice}`]),
        ].join("\n"),
      );
      if (ended.status !== "delivered") process.exitCode = ended.outcome === null ? EXIT.unknown : EXIT.no;
      else if (ended.advice !== null) process.exitCode = EXIT.unknown;
    });
}
