/** What the pages of webhooks share: the institution's own ones, and the secret of one, which is shown once. */
import { listWebhooks, type Webhook } from "../../events/webhook.ts";
import { databaseOf } from "../../institutions/databases.ts";
import { hashSecret } from "../../platform/secrets.ts";
import { Fact } from "../elements.tsx";
import { WEBHOOKS } from "../events/event-words.ts";
import { type InstitutionReader, pageNotFound, type Visit } from "../page.ts";

type Own = Visit<InstitutionReader>;

export const databaseFor = ({ c, reader }: Own): D1Database => databaseOf(c.env, reader.fi);

/** In the order in which they were added. Throws StoreError. */
export const listOwn = async (visit: Own): Promise<Webhook[]> =>
  (await listWebhooks(databaseFor(visit), visit.reader.fi.id)).sort((a, b) => a.createdAt - b.createdAt);

/** Throws {@link pageNotFound} if the institution has none of this id, StoreError. */
export async function findOwn(visit: Own, id: string): Promise<Webhook> {
  const webhook = (await listOwn(visit)).find((each) => each.id === id);
  if (!webhook) throw pageNotFound();
  return webhook;
}

/** By it a form names the secret that it replaces, and does not say it. */
export const nameSecret = ({ secret }: Webhook): string => hashSecret(secret);

export const NewSecret = ({ visit, id, url, secret }: { visit: Own } & Pick<Webhook, "id" | "url" | "secret">) => (
  <section class="card">
    <p class="notice warn">
      <span>Copy the secret now, for the receiver. No page shows it again, this one neither.</span>
    </p>
    <dl class="facts">
      <Fact name="Address">
        <code>{url}</code>
      </Fact>
      <Fact name="Webhook">
        <code>{id}</code>
      </Fact>
      <Fact name="Secret">
        <code id="secret">{secret}</code>{" "}
        <button type="button" class="quiet" data-copy="secret" hidden>
          Copy the secret
        </button>
      </Fact>
    </dl>
    <p>
      <a href={visit.href(WEBHOOKS)}>Done: back to the webhooks</a>
    </p>
  </section>
);
