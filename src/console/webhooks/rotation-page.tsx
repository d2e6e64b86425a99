/**
 * /console/webhooks/rotate: asks how to replace a webhook's secret, does it, and shows the new one, once. The form names the
 * secret that it replaces: an answer that is loaded again, which sends the form again, rotates nothing.
 */

import { makeWebhookSecret, sealSecret, type Webhook } from "../../events/webhook.ts";
import { type Rotation, rotateWebhook } from "../../events/webhook-changes.ts";
import { readTokenKeys } from "../../grants/token-keys.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { readOverlap } from "../../institutions/credential-rotation.ts";
import type { Instant } from "../../platform/instant.ts";
import { WEBHOOKS } from "../events/event-words.ts";
import { textOf } from "../forms.ts";
import { FormToken, show } from "../frame.tsx";
import { NO_OVERLAP, OVERLAPS, USUAL_OVERLAP } from "../institutions/rotation-page.tsx";
import { type InstitutionReader, type Page, PageProblem, type Visit } from "../page.ts";
import { ADMINISTER } from "../roles.ts";
import { writeTime } from "../wording.ts";
import { databaseFor, findOwn, NewSecret, nameSecret } from "./own-webhooks.tsx";

type Own = Visit<InstitutionReader>;

export const webhookRotationPage: Page = {
  path: CONSOLE_FORMS.webhookRotation.path,
  menu: null,
  roles: ADMINISTER,
  get: ask,
  post: rotate,
  form: CONSOLE_FORMS.webhookRotation,
};

/** A webhook has two secrets at most: while the last rotation overlaps, one of them has to end. */
const LOST = ["lost", "One day, and the last rotation's secret, which reached nobody, ends now"] as const;

const isRotating = ({ oldSecretUntil }: Webhook, now: Instant): boolean => (oldSecretUntil ?? 0) > now;

async function ask(visit: Own): Promise<Response> {
  const { c, now, href } = visit;
  const webhook = await findOwn(visit, c.req.query("webhook") ?? "");
  const overlaps = isRotating(webhook, now);
  const choices = overlaps ? [LOST, ...OVERLAPS.slice(-1)] : OVERLAPS;
  const children = (
    <form method="post" action={href(CONSOLE_FORMS.webhookRotation.path)} class="card stack">
      <p>
        <code>{webhook.url}</code> gets a new secret, which is shown once. While the old one works, too, each delivery
        has a signature of both.
      </p>
      {overlaps && (
        <p class="notice warn">
          <span>
            A rotation is still under way: the secret before signs until {writeTime(webhook.oldSecretUntil ?? now)}.
          </span>
        </p>
      )}
      <label class="field">
        How long the old secret works beside the new one
        <select name="overlap">
          {choices.map(([value, label]) => (
            <option value={value} selected={value === USUAL_OVERLAP}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <FormToken visit={visit} />
      <input type="hidden" name="webhook" value={webhook.id} />
      <input type="hidden" name="replaces" value={nameSecret(webhook)} />
      <p class="row">
        <button type="submit" class="danger">
          Rotate the secret
        </button>
        <a class="button second" href={href(WEBHOOKS)}>
          Keep the secret
        </a>
      </p>
    </form>
  );
  return await show(visit, { title: "Rotate this secret?", children, narrow: true });
}

function readRotation(chosen: string, now: Instant): Rotation | null {
  if (chosen === NO_OVERLAP) return { how: "replaceAll" };
  const overlap = readOverlap(chosen === LOST[0] ? USUAL_OVERLAP : chosen);
  return overlap === null ? null : { how: chosen === LOST[0] ? "replaceNew" : "rotate", until: now + overlap };
}

async function rotate(visit: Own, form: FormData): Promise<Response> {
  const { c, now } = visit;
  const webhook = await findOwn(visit, textOf(form, "webhook"));
  const rotation = readRotation(textOf(form, "overlap"), now);
  const { id, url, secret: replaced } = webhook;
  const secret = makeWebhookSecret();
  const sealed = { id, replaced, ...sealSecret(secret, id, readTokenKeys(c.env)) };
  const isMeant = rotation !== null && webhook.status === "active" && textOf(form, "replaces") === nameSecret(webhook);
  if (!isMeant || !(await rotateWebhook(databaseFor(visit), sealed, rotation, now))) throw notRotated();
  const children = <NewSecret visit={visit} id={id} url={url} secret={secret} />;
  return await show(visit, { title: "The secret is rotated", children });
}

const notRotated = (): PageProblem =>
  new PageProblem({
    status: 409,
    code: "secret_replaced_meanwhile",
    heading: "Nothing was rotated now",
    text: "That secret is replaced already, or a rotation is under way, or the webhook takes no more. A secret is shown once: if nobody kept it, go back to the webhooks and rotate again.",
  });
