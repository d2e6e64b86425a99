/** `webhook add | list | test | rotate | replay | remove`: where the events of an institution are delivered. */
import type { Command } from "commander";
import type { ListedDelivery } from "../../events/deliveries.ts";
import { reviewDeliveries } from "../../events/event-review.ts";
import { listWebhooks, makeWebhookSecret, type Webhook } from "../../events/webhook.ts";
import {
  insertWebhook,
  MAX_WEBHOOKS,
  noteWebhookChange,
  removeWebhook,
  replayAll,
  replayDelivery,
} from "../../events/webhook-changes.ts";
import { checkTarget, readTargets, resolveHost } from "../../events/webhook-target.ts";
import { listDatabases } from "../../institutions/databases.ts";
import { clock, relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { makeSecret } from "../../platform/secrets.ts";
import { readInstant } from "../evidence/audit.ts";
import { EXIT, fail } from "../fail.ts";
import { type OfInstitution, REFERENCE, requireInstitution } from "../institution/options.ts";
import { drawTable, print, type Style } from "../output.ts";
import { withStores } from "../stores.ts";
import { type Common, commandsOf, type MakeCommand, targetOf } from "../target.ts";
import { localTargets } from "./local-deliveries.ts";
import { requireActive, requireWebhook } from "./named.ts";
import { type CountedDeliveries, countByWebhook } from "./reading.ts";
import { addWebhookRotate } from "./rotate.ts";
import { addWebhookTest } from "./test-event.ts";

const AFTER_ADD = `
The address is https, and all addresses of its host are on the public internet. Of npm start it may be of this machine,
such as http://127.0.0.1:9999/events. The secret is for the receiver, who
verifies each delivery by Standard Webhooks (standardwebhooks.com). At most ${MAX_WEBHOOKS} for an institution, and each
gets every event. A delivery that fails is repeated for three days; then it is dead, and \`webhook replay\` begins it anew.
A receiver that answers with 410 ends its webhook.

Example:
  webhook add --reference PSDFI-FINFSA-0001 --url https://bank.example/psp-events --remote`;

const AFTER_REPLAY = `
Of one PSP events come in order; those that are begun anew come behind later ones that were delivered meanwhile.

Examples:
  webhook replay --webhook wh_4fzu --since 2026-11-22T00:00:00Z --remote
  webhook replay evt_VYQ6.wh_4fzu`;

export function addWebhookCommands(program: Command): void {
  const webhook = program.command("webhook").description("where events are delivered");
  const command = commandsOf(webhook);

  command("add", "deliver an institution's events to an address; prints the secret, which is not shown again")
    .requiredOption(...REFERENCE)
    .requiredOption("--url <address>", "an https address; of npm start also one of this machine")
    .addHelpText("after", AFTER_ADD)
    .action(async (options: OfInstitution & { url: string }) => {
      const made = await withStores(targetOf(options), async ({ env }) => {
        const { id: fiId, db } = await requireInstitution(env, options.reference);
        const target = await checkTarget(options.url, targetsOf(env, options), resolveHost);
        if (!target.ok) fail(`nothing was added: ${options.url} ${target.message}`);
        const added = { id: `wh_${makeSecret(12)}`, fiId, url: options.url, secret: makeWebhookSecret() };
        const now = clock.now();
        if (!(await insertWebhook(db, added, now, [noteWebhookChange(db, "webhook add", added, now)])))
          fail(`nothing was added: ${options.reference} has ${MAX_WEBHOOKS} webhooks`);
        return added;
      });
      print({ id: made.id, url: made.url, secret: made.secret }, options, (style) =>
        [
          `${style.good("added")} ${made.id}`,
          `  address  ${made.url}`,
          `  secret   ${made.secret}   ${style.doubtful("shown this once only")}`,
          `Now: webhook test ${made.id}`,
        ].join("\n"),
      );
    });

  addWebhookList(command);
  addWebhookTest(command);
  addWebhookRotate(command);

  command("replay", "deliver an event again that was delivered or given up, or all that was given up of a webhook")
    .argument("[delivery]", "its id, as `webhook list` shows it")
    .option("--webhook <id>", "instead of one delivery: all that was given up there, but tests")
    .option("--since <instant>", "of these: events from this time on, e.g. 2026-11-22T00:00:00Z")
    .addHelpText("after", AFTER_REPLAY)
    .action(async (id: string | undefined, options: Common & { webhook?: string; since?: string }) => {
      const { webhook: webhookId, since } = options;
      if ((id === undefined) === (webhookId === undefined))
        fail("webhook replay: either the id of one delivery, or --webhook with a webhook's", EXIT.usage);
      if (since !== undefined && webhookId === undefined) fail("--since: only with --webhook", EXIT.usage);
      const from = readInstant("--since", since) ?? 0;
      if (webhookId === undefined) return await replayOne(id ?? "", options);
      const replayed = await withStores(targetOf(options), async ({ env }) => {
        const { db, webhook } = await requireActive(env, webhookId);
        return await replayAll(db, { fiId: webhook.fiId, webhookId, since: from }, clock.now());
      });
      if (replayed === 0)
        fail(`${webhookId}: nothing was given up there${since ? " since then" : ""} that is still kept`);
      print(
        { webhook: webhookId, since: since ?? null, replayed },
        options,
        (style) => `${style.good("due")} ${replayed} events of ${webhookId}: from the next scheduled run on`,
      );
    });

  command("remove", "deliver nothing there any more")
    .argument("<id>", "of the webhook")
    .action(async (id: string, options: Common) => {
      await withStores(targetOf(options), async ({ env }) => {
        const { db, webhook } = await requireWebhook(env, id);
        await removeWebhook(db, webhook, [noteWebhookChange(db, "webhook remove", webhook, clock.now())]);
      });
      print({ id, removed: true }, options, (style) => `${style.good("removed")} ${id}`);
    });
}

async function replayOne(id: string, options: Common): Promise<void> {
  await withStores(targetOf(options), async ({ env }) => {
    for (const { db } of listDatabases(env)) if (await replayDelivery(db, id)) return;
    fail(`${id}: no delivery of this id has ended whose event is still kept and whose webhook is active`);
  });
  print({ id, status: "pending" }, options, (style) => `${style.good("due")} ${id}: with the next scheduled run`);
}

const targetsOf = (env: Env, options: Common) =>
  readTargets(targetOf(options).remote ? env : { WEBHOOK_TARGETS: localTargets(env) });

/** Dead deliveries that `list` shows, those of the newest events. */
const SHOWN_DEAD = 20;

function addWebhookList(command: MakeCommand): void {
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

const iso = (time: Instant): string => new Date(time).toISOString();

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

function draw({ webhooks, dead }: Shown, now: Instant, style: Style): string {
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
