/** A webhook as its administrator sees it: how it stands, and the forms that test, rotate and remove it. */
import type { Child } from "hono/jsx";
import type { ListedDelivery } from "../../events/deliveries.ts";
import type { Webhook } from "../../events/webhook.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import type { Instant } from "../../platform/instant.ts";
import { hashSecret } from "../../platform/secrets.ts";
import { Age, Mark, Time } from "../elements.tsx";
import { WEBHOOKS } from "../events/event-words.ts";
import { ChoiceField } from "../fields.tsx";
import { FormToken } from "../frame.tsx";
import { OVERLAPS, USUAL_OVERLAP } from "../institutions/rotation-page.tsx";
import type { InstitutionReader, Visit } from "../page.ts";

export type Own = Visit<InstitutionReader>;

export const TEST = `${WEBHOOKS}/test`;
const { webhookRotation, webhookRemoval } = CONSOLE_FORMS;

/** While a rotation overlaps one of the two secrets has to end: there are two at most. */
export const LOST = ["lost", "One day; the last rotation's secret, which reached nobody, ends now"] as const;
const isRotating = ({ oldSecretUntil }: Webhook, now: Instant): boolean => (oldSecretUntil ?? 0) > now;

/** `last`: its newest delivery, if it is kept. */
export function WebhookCard({
  visit,
  webhook,
  last,
}: {
  visit: Own;
  webhook: Webhook;
  last: ListedDelivery | undefined;
}) {
  const { now, href } = visit;
  const { id, url, status, createdAt, silentSince, oldSecretUntil } = webhook;
  const hasFailed = last !== undefined && last.status !== "delivered" && last.outcome !== null;
  const Form = ({ path, children }: { path: string; children?: Child }) => (
    <form method="post" action={href(path)} class="stack">
      <FormToken visit={visit} />
      <input type="hidden" name="webhook" value={id} />
      {children}
    </form>
  );
  return (
    <article class="card" aria-label={url}>
      <h2>
        <code>{url}</code>
      </h2>
      <p>
        <Mark state={status === "disabled" ? "no" : silentSince === null && !hasFailed ? "yes" : "warn"}>
          {status === "disabled"
            ? "Disabled: the receiver wants no more"
            : silentSince !== null
              ? "No answer"
              : hasFailed
                ? "Active, but the last delivery failed"
                : "Active"}
        </Mark>{" "}
        <span class="muted">
          Added <Age time={createdAt} now={now} />.{" "}
          {isRotating(webhook, now) && <Time words="The secret before signs, too, until" at={oldSecretUntil ?? 0} />}
        </span>
      </p>
      <p>
        {last ? (
          <>
            Last delivery <Age time={last.createdAt} now={now} />: the receiver {last.outcome ?? "was not asked yet"}.
          </>
        ) : (
          "Nothing was delivered there lately."
        )}
      </p>
      {status === "active" && (
        <>
          <Form path={TEST}>
            <p>
              <button type="submit" class="second">
                Test <span class="out">{url}</span>
              </button>
            </p>
          </Form>
          <details>
            <summary>
              Rotate the secret <span class="out">of {url}</span>
            </summary>
            <Form path={webhookRotation.path}>
              <input type="hidden" name="replaces" value={hashSecret(webhook.secret)} />
              <ChoiceField
                {...{ label: "How long the old secret signs beside the new one", name: "overlap" }}
                given={{ overlap: USUAL_OVERLAP }}
                choices={isRotating(webhook, now) ? [LOST, ...OVERLAPS.slice(-1)] : OVERLAPS}
              />
              <button type="submit" class="danger">
                Make a new secret
              </button>
            </Form>
          </details>
        </>
      )}
      <details>
        <summary>
          Remove <span class="out">{url}</span>
        </summary>
        <Form path={webhookRemoval.path}>
          <p>Nothing is delivered there any more. What waits or was given up is deleted; the events stay.</p>
          <button type="submit" class="danger">
            Remove the webhook
          </button>
        </Form>
      </details>
    </article>
  );
}
