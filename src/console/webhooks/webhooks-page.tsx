/**
 * /console/webhooks: where the institution's events are delivered. Its administrators add, test, rotate and remove webhooks.
 * A secret is shown once: forms that make one name the webhook that they make, or the secret that they replace, so that an
 * answer that is loaded again, which sends the form again, makes none.
 */

import type { Child } from "hono/jsx";
import { insertTestEvent } from "../../events/event-log.ts";
import { reviewDeliveries } from "../../events/event-review.ts";
import { listWebhooks, makeWebhookSecret, sealSecret, type Webhook } from "../../events/webhook.ts";
import {
  insertWebhook,
  MAX_WEBHOOKS,
  type Rotation,
  removeWebhook,
  rotateWebhook,
} from "../../events/webhook-changes.ts";
import { checkTarget, readTargets, resolveHost } from "../../events/webhook-target.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { readOverlap } from "../../institutions/credential-rotation.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import { hashSecret, makeSecret } from "../../platform/secrets.ts";
import { Fact, Problem, Said, SecretCard } from "../elements.tsx";
import { DELIVERY_STATES } from "../events/event-lists.ts";
import { EVENTS, WEBHOOKS } from "../events/event-words.ts";
import { textOf } from "../forms.ts";
import { FormToken, show } from "../frame.tsx";
import { NO_OVERLAP, USUAL_OVERLAP } from "../institutions/rotation-page.tsx";
import { type Page, PageProblem, pageNotFound } from "../page.ts";
import { ADMINISTER } from "../roles.ts";
import { LOST, type Own, TEST, WebhookCard } from "./webhook-card.tsx";

const { webhookAddition, webhookRotation, webhookRemoval } = CONSOLE_FORMS;
const shared = { menu: null, roles: ADMINISTER };

export const webhookPages: readonly Page[] = [
  { ...shared, path: WEBHOOKS, get: async (visit) => await showWebhooks(visit), post: add, form: webhookAddition },
  { ...shared, path: TEST, post: test, form: { unrecorded: "it decides nothing, and leaves an event" } },
  { ...shared, path: webhookRotation.path, post: rotate, form: webhookRotation },
  { ...shared, path: webhookRemoval.path, post: remove, form: webhookRemoval },
];

const databaseFor = ({ c, reader }: Own): D1Database => databaseOf(c.env, reader.fi);
const listOwn = async (visit: Own): Promise<Webhook[]> =>
  (await listWebhooks(databaseFor(visit), visit.reader.fi.id)).sort((a, b) => a.createdAt - b.createdAt);

/** The one that a form names. Throws PageProblem if the institution has none of this id, StoreError. */
async function findOwn(visit: Own, form: FormData): Promise<Webhook> {
  const webhook = (await listOwn(visit)).find(({ id }) => id === textOf(form, "webhook"));
  if (!webhook) throw pageNotFound();
  visit.c.set("concerns", { about: webhook.id });
  return webhook;
}

async function showWebhooks(visit: Own, said?: Child, problem?: string): Promise<Response> {
  const { href, c } = visit;
  const states = DELIVERY_STATES.map((state) =>
    reviewDeliveries(databaseFor(visit), visit.reader.fi.id, state, 2 * MAX_WEBHOOKS),
  );
  const [webhooks, ...deliveries] = await Promise.all([listOwn(visit), ...states]);
  const newest = deliveries.flat().sort((a, b) => b.eventSeq - a.eventSeq);
  const removed = c.req.query("done") === "removed" && (
    <Said>The webhook is removed: nothing is delivered there any more.</Said>
  );
  const children = (
    <>
      {said ?? removed}
      <Problem>{problem}</Problem>
      <p>
        {webhooks.length === 0
          ? "There is none yet"
          : `At most ${MAX_WEBHOOKS} can be there; there ${webhooks.length === 1 ? "is one" : `are ${webhooks.length}`}`}
        . Each gets every event of your institution, signed. <a href={href(EVENTS)}>Events and their deliveries</a>
      </p>
      {webhooks.map((webhook) => (
        <WebhookCard visit={visit} webhook={webhook} last={newest.find((one) => one.webhookId === webhook.id)} />
      ))}
      {webhooks.length < MAX_WEBHOOKS && (
        <form method="post" action={href(WEBHOOKS)} class="card stack">
          <h2>Add one</h2>
          <FormToken visit={visit} />
          <input type="hidden" name="id" value={`wh_${makeSecret(12)}`} />
          <label class="field">
            Address <span class="hint">https, on the public internet</span>
            <input type="url" name="url" required maxlength={2048} autocomplete="off" />
          </label>
          <p class="muted">
            Its secret is shown once, on the next page: by it the receiver knows that an event is ours.
          </p>
          <button type="submit">Add the webhook</button>
        </form>
      )}
    </>
  );
  return await show(visit, { title: "Webhooks", children, status: problem === undefined ? 200 : 400 });
}

const showSecret = (visit: Own, title: string, url: string, secret: string): Promise<Response> => {
  const back = <a href={visit.href(WEBHOOKS)}>Done: back to the webhooks</a>;
  const children = (
    <SecretCard name="Secret, for the receiver" secret={secret} back={back}>
      <Fact name="Address">
        <code>{url}</code>
      </Fact>
    </SecretCard>
  );
  return show(visit, { title, children });
};

const notNow = (text: string): PageProblem =>
  new PageProblem({
    ...{ status: 409, code: "webhook_changed_meanwhile", heading: "Nothing was done now" },
    text: `${text} A secret is shown once: if nobody kept it, rotate it.`,
  });

async function add(visit: Own, form: FormData): Promise<Response> {
  const { c, now, reader } = visit;
  const [id, url] = [textOf(form, "id"), textOf(form, "url").trim()];
  const target = await checkTarget(url, readTargets(c.env), resolveHost);
  if (!target.ok) return await showWebhooks(visit, null, `${quoteAlways(url, 120)} ${target.message}.`);
  const secret = makeWebhookSecret();
  c.set("concerns", { about: id });
  const webhook = { id, fiId: reader.fi.id, url, ...sealSecret(secret, id, readTokenKeys(c.env)) };
  if (/^wh_[\w-]{16}$/.test(id) && (await insertWebhook(databaseFor(visit), webhook, now)))
    return await showSecret(visit, "The webhook is added", url, secret);
  if ((await listOwn(visit)).length < MAX_WEBHOOKS) throw notNow("This form was sent before.");
  return await showWebhooks(visit, null, `There are ${MAX_WEBHOOKS} webhooks already: remove one first.`);
}

/** Delivers at once. What fails is repeated, as each delivery is. */
async function test(visit: Own, form: FormData): Promise<Response> {
  const { c, now } = visit;
  const [db, webhook] = [databaseFor(visit), await findOwn(visit, form)];
  const delivery = await insertTestEvent(db, webhook, now);
  // its library signs: no other page needs it
  const { deliver } = await import("../../events/deliver.ts");
  const { next, outcome } = await deliver(db, delivery, { env: c.env, now, clock: clock.now });
  const arrived = next?.step === "done";
  const said = (
    <p class={`notice ${arrived ? "yes" : "no"}`} role="status">
      <span>
        {arrived ? "The test arrived" : "The test did not arrive"} at {webhook.url}: the receiver{" "}
        {outcome ?? "was not asked yet"}.{!arrived && " It is repeated for three days, as events are."}
      </span>
    </p>
  );
  return await showWebhooks(visit, said);
}

function readRotation(chosen: string, now: Instant): Rotation | null {
  if (chosen === NO_OVERLAP) return { how: "replaceAll" };
  const overlap = readOverlap(chosen === LOST[0] ? USUAL_OVERLAP : chosen);
  return overlap === null ? null : { how: chosen === LOST[0] ? "replaceNew" : "rotate", until: now + overlap };
}

async function rotate(visit: Own, form: FormData): Promise<Response> {
  const { id, url, status, secret: replaced } = await findOwn(visit, form);
  const rotation = readRotation(textOf(form, "overlap"), visit.now);
  const secret = makeWebhookSecret();
  const sealed = { id, replaced, ...sealSecret(secret, id, readTokenKeys(visit.c.env)) };
  const isMeant = rotation !== null && status === "active" && textOf(form, "replaces") === hashSecret(replaced);
  if (isMeant && (await rotateWebhook(databaseFor(visit), sealed, rotation, visit.now)))
    return await showSecret(visit, "The secret is rotated", url, secret);
  throw notNow("That secret is replaced already, or a rotation is under way, or the webhook takes no more.");
}

async function remove(visit: Own, form: FormData): Promise<Response> {
  await removeWebhook(databaseFor(visit), await findOwn(visit, form));
  return visit.c.redirect(visit.href(`${WEBHOOKS}?done=removed`), 303);
}
