/** `webhook rotate`: a new secret for a webhook. Until the old one ends each delivery has a signature of both. */

import { makeWebhookSecret } from "../../events/webhook.ts";
import { noteWebhookChange, type Rotation, rotateWebhook } from "../../events/webhook-changes.ts";
import { OVERLAP_FORM, readOverlap } from "../../institutions/credential-rotation.ts";
import { clock, relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { EXIT, fail } from "../fail.ts";
import { print } from "../output.ts";
import { withStores } from "../stores.ts";
import { type Common, type MakeCommand, targetOf } from "../target.ts";
import { requireActive } from "./named.ts";

const DAY_MS = 86_400_000;

const AFTER = `
While the old secret works each delivery has two signatures, separated by a space as Standard Webhooks has it: a receiver
that knows either of the secrets accepts it. Nothing that waits is lost, or delivered twice.

Examples:
  webhook rotate --webhook wh_4fzu --overlap 7d --remote
  webhook rotate --webhook wh_4fzu --now --remote`;

interface Options extends Common {
  readonly webhook: string;
  readonly overlap?: number;
  readonly now: boolean;
  readonly lost: boolean;
}

export function addWebhookRotate(command: MakeCommand): void {
  command("rotate", "replace a webhook's secret; prints the new one, which is not shown again")
    .requiredOption("--webhook <id>", "of the webhook")
    .option("--overlap <duration>", "how long the old secret signs beside the new one (default: 24h)", overlapOf)
    .option("--now", "instead: no previous secret signs any more, for one that leaked", false)
    .option("--lost", "the last rotation's secret reached nobody: it ends, and the one before it goes on", false)
    .addHelpText("after", AFTER)
    .action(async (options: Options) => {
      const { webhook: id, overlap, lost } = options;
      if (options.now && (lost || overlap !== undefined))
        fail("webhook rotate: --now ends every old secret, so it has neither --overlap nor --lost", EXIT.usage);
      const now = clock.now();
      const until = options.now ? null : now + (overlap ?? DAY_MS);
      const rotation: Rotation =
        until === null ? { how: "replaceAll" } : { how: lost ? "replaceNew" : "rotate", until };
      const secret = makeWebhookSecret();
      await withStores(targetOf(options), async ({ env }) => {
        const { db, webhook } = await requireActive(env, id);
        const notes = [noteWebhookChange(db, "webhook rotate", webhook, now)];
        if (!(await rotateWebhook(db, { id, secret }, rotation, now, notes)))
          fail(explain(id, lost, webhook.oldSecretUntil));
      });
      const end = until === null ? null : new Date(until).toISOString();
      print({ id, secret, old_secret_until: end }, options, (style) =>
        [
          `${style.good("rotated")} ${id}`,
          `  secret   ${secret}   ${style.doubtful("shown this once only")}`,
          until === null
            ? "No previous secret signs any more: the receiver refuses deliveries, which are repeated, until it has this one."
            : `The old secret signs, too, until ${end} (${relativeTime(until, now)}): give this one to the receiver by then.`,
          `Now: webhook test ${id}`,
        ].join("\n"),
      );
    });
}

const overlapOf = (text: string): number =>
  readOverlap(text) ?? fail(`--overlap: ${text} is not ${OVERLAP_FORM}`, EXIT.usage);

/** Why nothing was changed. */
const explain = (id: string, lost: boolean, oldSecretUntil: Instant | null): string =>
  lost
    ? `nothing was changed: no rotation of ${id} overlaps, so there is one secret, which --lost would take from its receiver`
    : `nothing was changed: the last rotation of ${id} overlaps${
        oldSecretUntil === null ? "" : ` until ${new Date(oldSecretUntil).toISOString()}`
      }, and there are two secrets at most. If the receiver never got its secret, say --lost; if one leaked, --now`;
