/**
 * /console/institutions/rotate: asks how to rotate a credential's secret, does it, and shows the new secret in the answer
 * to the form, once. The form names the secret that it replaces by the time when that was made: an answer that is loaded
 * again, which sends the form again, rotates nothing and shows nothing.
 */
import { OVERLAP_FORM, readOverlap, rotateSecret } from "../../institutions/credential-rotation.ts";
import { type Institution, listInstitutions } from "../../institutions/institution-list.ts";
import { Age, Fact, SecretCard } from "../elements.tsx";
import { textOf } from "../forms.ts";
import { FormToken, show } from "../frame.tsx";
import type { Page, Visit } from "../page.ts";
import { logNameOf, type OperatorReader, PageProblem, pageNotFound } from "../page.ts";
import { OPERATE } from "../roles.ts";
import { writeTime } from "../wording.ts";

const PATH = "/console/institutions/rotate";

export const rotationPage: Page = {
  ...{ path: PATH, menu: null, roles: OPERATE, get: ask, post: rotate },
  form: { unrecorded: "a credential may be of several institutions, and decides about no customer" },
};

export const NO_OVERLAP = "none";
export const OVERLAPS = [
  ["1h", "One hour"],
  ["24h", "One day"],
  ["7d", "Seven days"],
  ["30d", "30 days"],
  [NO_OVERLAP, "Not at all: it has leaked"],
] as const;
export const USUAL_OVERLAP = "24h";

async function ask(visit: Visit<OperatorReader>): Promise<Response> {
  const { c, now, href } = visit;
  const client = c.req.query("client") ?? "";
  const { credential, institutions } = await find(visit, client);
  const { secret_made_at, old_secret_until } = credential;
  const children = (
    <form method="post" action={href(PATH)} class="card stack">
      <p>
        <code>{client}</code> gets a new secret, which is shown once. It speaks for{" "}
        {institutions.map(({ name }) => name).join(", ")}. The secret that it has was made{" "}
        <Age time={secret_made_at} now={now} />.
      </p>
      {old_secret_until !== null && (
        <p class="notice warn">
          <span>
            A rotation is still under way: the secret before works until {writeTime(old_secret_until)}. It ends now if
            you rotate again.
          </span>
        </p>
      )}
      <label class="field">
        How long the old secret works beside the new one
        <select name="overlap">
          {OVERLAPS.map(([value, label]) => (
            <option value={value} selected={value === USUAL_OVERLAP}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <FormToken visit={visit} />
      <input type="hidden" name="client" value={client} />
      <input type="hidden" name="made_at" value={secret_made_at} />
      <p class="row">
        <button type="submit" class="danger">
          Rotate the secret
        </button>
        <a class="button second" href={href("/console/institutions")}>
          Keep the secret
        </a>
      </p>
    </form>
  );
  return await show(visit, { title: "Rotate this secret?", children });
}

/** The credential, and for whom it speaks. Throws {@link PageProblem}. */
async function find({ c, now }: Visit<OperatorReader>, client: string) {
  const all = await listInstitutions(c.env, now);
  const institutions: Institution[] = all.filter(({ client_ids }) => client_ids.includes(client));
  const credential = institutions[0]?.credentials.find(({ client_id }) => client_id === client);
  if (!credential) throw pageNotFound();
  return { credential, institutions };
}

async function rotate(visit: Visit<OperatorReader>, form: FormData): Promise<Response> {
  const { c, now, reader, href } = visit;
  const [client, chosen, madeAt] = [
    textOf(form, "client"),
    textOf(form, "overlap"),
    Date.parse(textOf(form, "made_at")),
  ];
  const overlap = chosen === NO_OVERLAP ? null : readOverlap(chosen);
  if ((overlap === null && chosen !== NO_OVERLAP) || Number.isNaN(madeAt))
    throw new PageProblem({
      status: 400,
      code: "rotation_form_invalid",
      heading: "How long should the old secret work?",
      text: `Choose ${OVERLAP_FORM}. Nothing was done.`,
    });
  const rotated = await rotateSecret(c.env.DB, client, { now, overlap, madeAt });
  if (!rotated)
    throw new PageProblem({
      status: 409,
      code: "secret_replaced_meanwhile",
      heading: "That secret is replaced already",
      text: "Nothing was done now. A secret is shown once, in the answer to the form that made it: if nobody kept it, rotate again.",
    });
  const { secret, oldSecretUntil } = rotated;
  const event = { event: "secret_rotated", request_id: c.var.requestId, client, old_secret_until: oldSecretUntil };
  console.log(JSON.stringify({ ...event, by: logNameOf(reader) }));
  const children = (
    <SecretCard
      name="New secret"
      secret={secret}
      back={<a href={href("/console/institutions")}>Done: back to the institutions</a>}
    >
      <Fact name="Client id">
        <code>{client}</code>
      </Fact>
      <Fact name="Old secret">
        {oldSecretUntil === null
          ? "refused as soon as isolates forget it, within 60 seconds"
          : `works until ${writeTime(oldSecretUntil)}`}
      </Fact>
    </SecretCard>
  );
  return await show(visit, { title: "The secret is rotated", children });
}
