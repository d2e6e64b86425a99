/** /console/webhooks: where the institution's events are delivered. Its administrators add, test and remove webhooks. */

import { insertTestEvent } from "../../events/event-log.ts";
import { makeWebhookSecret, sealSecret, type Webhook } from "../../events/webhook.ts";
import { insertWebhook, MAX_WEBHOOKS, removeWebhook } from "../../events/webhook-changes.ts";
import { checkTarget, readTargets, resolveHost } from "../../events/webhook-target.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { clock } from "../../platform/clock.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import { makeSecret } from "../../platform/secrets.ts";
import { Age, ColumnHeads, Mark, Problem } from "../elements.tsx";
import { EVENTS, WEBHOOKS } from "../events/event-words.ts";
import { textOf } from "../forms.ts";
import { FormToken, show } from "../frame.tsx";
import { type InstitutionReader, type Page, PageProblem, type Visit } from "../page.ts";
import { ADMINISTER } from "../roles.ts";
import { writeTime } from "../wording.ts";
import { databaseFor, findOwn, listOwn, NewSecret } from "./own-webhooks.tsx";

type Own = Visit<InstitutionReader>;

const TEST = `${WEBHOOKS}/test`;
const REMOVE = CONSOLE_FORMS.webhookRemoval.path;
const ROTATE = CONSOLE_FORMS.webhookRotation.path;

export const webhooksPage: Page = {
  path: WEBHOOKS,
  menu: null,
  roles: ADMINISTER,
  get: async (visit) => await showWebhooks(visit),
  post: add,
  form: CONSOLE_FORMS.webhookAddition,
};

export const webhookTestPage: Page = {
  path: TEST,
  menu: null,
  roles: ADMINISTER,
  post: test,
  form: { unrecorded: "it decides nothing, and its event is in the list of events" },
};

export const webhookRemovalPage: Page = {
  path: REMOVE,
  menu: null,
  roles: ADMINISTER,
  get: askToRemove,
  post: remove,
  form: CONSOLE_FORMS.webhookRemoval,
};

interface Said {
  /** A sentence; null: nothing was refused. */
  readonly problem?: string;
  readonly url?: string;
  readonly tested?: { readonly webhook: Webhook; readonly delivered: boolean; readonly outcome: string | null };
}

async function showWebhooks(visit: Own, { problem, url = "", tested }: Said = {}): Promise<Response> {
  const { c, href } = visit;
  const webhooks = await listOwn(visit);
  const children = (
    <>
      {c.req.query("done") === "removed" && (
        <p class="notice yes" role="status">
          <span>The webhook is removed: nothing is delivered there any more.</span>
        </p>
      )}
      {tested && (
        <p class={`notice ${tested.delivered ? "yes" : "no"}`} role="status">
          <span>
            {tested.delivered ? "The test arrived" : "The test did not arrive"} at {tested.webhook.url}: the receiver{" "}
            {tested.outcome ?? "was not asked yet"}.
            {!tested.delivered && " It is repeated for three days, as events are."}
          </span>
        </p>
      )}
      <Problem>{problem}</Problem>
      <section class="card">
        <h2>{webhooks.length === 0 ? "No webhook yet" : `${webhooks.length} of at most ${MAX_WEBHOOKS}`}</h2>
        <p>
          Each gets every event of your institution, signed. <a href={href(EVENTS)}>Events and their deliveries</a>
        </p>
        {webhooks.length > 0 && <WebhookTable visit={visit} webhooks={webhooks} />}
      </section>
      {webhooks.length < MAX_WEBHOOKS && (
        <form method="post" action={href(WEBHOOKS)} class="card stack">
          <h2>Add one</h2>
          <FormToken visit={visit} />
          <input type="hidden" name="id" value={`${ID_PREFIX}${makeSecret(12)}`} />
          <label class="field">
            Address <span class="hint">https, on the public internet</span>
            <input
              type="url"
              name="url"
              required
              maxlength={2048}
              value={url}
              spellcheck={false}
              autocomplete="off"
              aria-describedby={problem === undefined ? undefined : "problem"}
            />
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

function WebhookTable({ visit, webhooks }: { visit: Own; webhooks: readonly Webhook[] }) {
  const { now, href } = visit;
  return (
    <section class="scroll" aria-label="Webhooks, one row each" tabindex={0}>
      <table>
        <thead>
          <ColumnHeads names={["Address", "State", "Added", "Secret"]} />
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr>
              <th scope="row" class="text">
                {webhook.url}
              </th>
              <td class="wrap">
                <StateOf webhook={webhook} visit={visit} />
              </td>
              <td>
                <Age time={webhook.createdAt} now={now} />
              </td>
              <td>
                {webhook.oldSecretUntil !== null && webhook.oldSecretUntil > now
                  ? `the old one signs, too, until ${writeTime(webhook.oldSecretUntil)}`
                  : "one"}
              </td>
              <td class="row">
                {webhook.status === "active" && (
                  <>
                    <form method="post" action={href(TEST)}>
                      <FormToken visit={visit} />
                      <input type="hidden" name="webhook" value={webhook.id} />
                      <button type="submit" class="quiet">
                        Test <span class="out">{webhook.url}</span>
                      </button>
                    </form>
                    <a href={href(`${ROTATE}?webhook=${webhook.id}`)}>
                      Rotate… <span class="out">the secret of {webhook.url}</span>
                    </a>
                  </>
                )}
                <a href={href(`${REMOVE}?webhook=${webhook.id}`)}>
                  Remove… <span class="out">{webhook.url}</span>
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function StateOf({ webhook: { status, silentSince }, visit }: { webhook: Webhook; visit: Own }) {
  if (status === "disabled") return <Mark state="no">Disabled: the receiver wants no more</Mark>;
  if (silentSince === null) return <Mark state="yes">Active</Mark>;
  return (
    <Mark state="warn">
      No answer, the first time <Age time={silentSince} now={visit.now} />
    </Mark>
  );
}

const ID_PREFIX = "wh_";
const ID = /^wh_[\w-]{16}$/;

/** The form has the new one's id: sent twice, it adds one. */
async function add(visit: Own, form: FormData): Promise<Response> {
  const { c, now, reader } = visit;
  const [id, url] = [textOf(form, "id"), textOf(form, "url").trim()];
  if (!ID.test(id)) throw addedAlready();
  const target = await checkTarget(url, readTargets(c.env), resolveHost);
  if (!target.ok) return await showWebhooks(visit, { problem: `${quoteAlways(url, 120)} ${target.message}.`, url });
  const secret = makeWebhookSecret();
  const webhook = { id, fiId: reader.fi.id, url, ...sealSecret(secret, id, readTokenKeys(c.env)) };
  if (!(await insertWebhook(databaseFor(visit), webhook, now))) {
    if ((await listOwn(visit)).length < MAX_WEBHOOKS) throw addedAlready();
    return await showWebhooks(visit, { problem: `There are ${MAX_WEBHOOKS} webhooks already: remove one first.`, url });
  }
  const children = <NewSecret visit={visit} id={id} url={url} secret={secret} />;
  return await show(visit, { title: "The webhook is added", children });
}

const addedAlready = (): PageProblem =>
  new PageProblem({
    status: 409,
    code: "webhook_added_already",
    heading: "It is added already",
    text: "This form was sent before, and nothing was done now. A secret is shown once: if nobody kept it, rotate it.",
  });

/** Delivers at once. What fails is repeated, as each delivery is. */
async function test(visit: Own, form: FormData): Promise<Response> {
  const { c, now } = visit;
  const [db, webhook] = [databaseFor(visit), await findOwn(visit, textOf(form, "webhook"))];
  const delivery = await insertTestEvent(db, webhook, now);
  // its library signs: no other page needs it
  const { deliver } = await import("../../events/deliver.ts");
  const { next, outcome } = await deliver(db, delivery, { env: c.env, now, clock: clock.now });
  return await showWebhooks(visit, { tested: { webhook, delivered: next?.step === "done", outcome } });
}

async function askToRemove(visit: Own): Promise<Response> {
  const { c, href } = visit;
  const { id, url } = await findOwn(visit, c.req.query("webhook") ?? "");
  const children = (
    <form method="post" action={href(REMOVE)} class="card stack">
      <p>
        Nothing is delivered to <code>{url}</code> any more. What waits to be delivered there, or was given up, is
        deleted. The events stay.
      </p>
      <FormToken visit={visit} />
      <input type="hidden" name="webhook" value={id} />
      <p class="row">
        <button type="submit" class="danger">
          Remove the webhook
        </button>
        <a class="button second" href={href(WEBHOOKS)}>
          Keep it
        </a>
      </p>
    </form>
  );
  return await show(visit, { title: "Remove this webhook?", children, narrow: true });
}

async function remove(visit: Own, form: FormData): Promise<Response> {
  await removeWebhook(databaseFor(visit), await findOwn(visit, textOf(form, "webhook")));
  return visit.c.redirect(visit.href(`${WEBHOOKS}?done=removed`), 303);
}
