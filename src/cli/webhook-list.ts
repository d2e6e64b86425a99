/** `webhook list`: an institution's webhooks, and the deliveries that were given up. */

import type { ListedDelivery } from "../events/deliveries.ts";
import { reviewDeliveries } from "../events/event-review.ts";
import { listWebhooks, type Webhook } from "../events/webhook.ts";
import { clock, relativeTime } from "../platform/clock.ts";
import { type MakeCommand, type OfInstitution, REFERENCE } from "./fi-options.ts";
import { print, type Style } from "./output.ts";
import { requireInstitution } from "./required-webhook.ts";
import { withStores } from "./stores.ts";
import { drawTable } from "./table.ts";
import { targetOf } from "./target.ts";
import { type CountedDeliveries, countByWebhook } from "./webhook-reading.ts";

/** Dead deliveries that `list` shows, those of the newest events. */
const SHOWN_DEAD = 20;

export function addWebhookList(command: MakeCommand): void {
  command("list", "show an institution's webhooks, and the deliveries that were given up")
    .requiredOption(...REFERENCE)
    .action(async (options: OfInstitution) => {
      const shown = await withStores(targetOf(options), async ({ env }) => {
        const { id, db } = await requireInstitution(env, options.reference);
        const [webhooks, counts, dead] = await Promise.all([
          listWebhooks(db, id),
          countByWebhook(db, id),
          reviewDeliveries(db, id, "dead", SHOWN_DEAD),
        ]);
        return { webhooks: webhooks.map((one) => describe(one, counts.get(one.id))), dead: dead.map(describeDead) };
      });
      print(shown, options, (style) => draw(shown, clock.now(), style));
    });
}

const iso = (time: number): string => new Date(time).toISOString();

/** The secret stays where it is. */
const describe = (
  { id, url, status, createdAt, silentSince, oldSecretUntil }: Webhook,
  counts?: CountedDeliveries,
) => ({
  ...{ id, url, status, added_at: iso(createdAt), silent_since: silentSince === null ? null : iso(silentSince) },
  // one that has ended is deleted with the next run
  old_secret_until: oldSecretUntil === null || oldSecretUntil <= clock.now() ? null : iso(oldSecretUntil),
  ...(counts ?? { pending: 0, delivered: 0, dead: 0 }),
});

const describeDead = ({ id, webhookId, eventId, subject, attempts, createdAt, outcome }: ListedDelivery) => ({
  ...{ id, webhook: webhookId, event: eventId, subject, attempts, made_at: iso(createdAt), outcome },
});

interface Shown {
  readonly webhooks: readonly ReturnType<typeof describe>[];
  readonly dead: readonly ReturnType<typeof describeDead>[];
}

function draw({ webhooks, dead }: Shown, now: number, style: Style): string {
  if (webhooks.length === 0) return "no webhook: webhook add --reference REFERENCE --url https://...";
  const rows = webhooks.map(({ id, url, status, added_at, silent_since, old_secret_until, ...counts }) => [
    id,
    status === "disabled"
      ? style.bad("✗ disabled (410)")
      : silent_since === null
        ? style.good("✓ active")
        : style.bad(`✗ no answer, first ${relativeTime(silent_since, now)}`),
    relativeTime(added_at, now),
    old_secret_until === null ? "one" : style.doubtful(`two, the old one ends ${relativeTime(old_secret_until, now)}`),
    ...[counts.pending, counts.delivered, counts.dead].map(String),
    url,
  ]);
  const given = dead.map(({ id, subject, made_at, outcome }) => [
    id,
    subject,
    relativeTime(made_at, now),
    outcome ?? "",
  ]);
  return [
    drawTable(["webhook", "", "added", "secrets", "pending", "delivered", "dead", "address"], rows, style),
    ...(given.length === 0 ? [] : ["", drawTable(["dead delivery", "about", "made", "the receiver"], given, style)]),
  ].join("\n");
}
