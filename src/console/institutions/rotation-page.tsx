/**
 * /console/institutions/rotate: for operators any credential, for an institution's administrators one that speaks for it
 * alone. Asks how to rotate its secret, does it, and shows the new secret in the answer to the form, once. The form names the secret that it replaces by the time when that was made: an answer that is loaded
 * again, which sends the form again, rotates nothing and shows nothing.
 */

import { OVERLAP_FORM, readOverlap, rotateSecret } from "../../institutions/credential-rotation.ts";
import type { FinancialInstitution } from "../../institutions/financial-institutions.ts";
import { listInstitutions } from "../../institutions/institution-list.ts";
import { listOwnCredentials, listSpokenFor } from "../../institutions/own-credentials.ts";
import type { Instant } from "../../platform/instant.ts";
import { recordAct } from "../act.ts";
import { DecisionForm } from "../decision-form.tsx";
import { Age, Fact, SecretCard, Time } from "../elements.tsx";
import { ChoiceField } from "../fields.tsx";
import { textOf } from "../forms.ts";
import { show } from "../frame.tsx";
import type { Page, Visit } from "../page.ts";
import { logNameOf, PageProblem, pageNotFound, type Reader, signatureOf } from "../page.ts";
import { ROTATE } from "../roles.ts";

export const ROTATE_PATH = "/console/institutions/rotate";
const PATH = ROTATE_PATH;

export const rotationPage: Page = {
  ...{ path: PATH, menu: null, roles: ROTATE, get: ask, post: rotate },
  form: { unrecorded: "it is recorded here, in the ledger of each institution for which the credential speaks" },
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

async function ask(visit: Visit<Reader>): Promise<Response> {
  const { c, now } = visit;
  const client = c.req.query("client") ?? "";
  const { madeAt, oldSecretUntil, institutions } = await find(visit, client);
  const children = (
    <DecisionForm
      {...{ visit, path: PATH, values: { client, made_at: new Date(madeAt).toISOString() } }}
      {...{ button: "Rotate the secret", back: backOf(visit), keep: "Keep the secret" }}
    >
      <p>
        <code>{client}</code> gets a new secret, which is shown once. It speaks for {institutions.join(", ")}. The
        secret that it has was made <Age time={madeAt} now={now} />.
      </p>
      {oldSecretUntil !== null && (
        <p class="notice warn">
          <span>
            A rotation is still under way: the secret before works until <Time at={oldSecretUntil} />. It ends now if
            you rotate again.
          </span>
        </p>
      )}
      <ChoiceField
        {...{ label: "How long the old secret works beside the new one", name: "overlap", choices: OVERLAPS }}
        given={{ overlap: USUAL_OVERLAP }}
      />
    </DecisionForm>
  );
  return await show(visit, { title: "Rotate this secret?", children });
}

const backOf = ({ reader }: Visit<Reader>): string =>
  reader.kind === "operator" ? "/console/institutions" : "/console/people";

interface Rotatable {
  readonly madeAt: Instant;
  readonly oldSecretUntil: Instant | null;
  /** Names of those for whom it speaks. */
  readonly institutions: readonly string[];
}

/** Throws {@link PageProblem}. */
async function find({ c, now, reader }: Visit<Reader>, client: string): Promise<Rotatable> {
  if (reader.kind === "institution") {
    const own = (await listOwnCredentials(c.env.DB, reader.fi.id, now)).find(({ clientId }) => clientId === client);
    if (!own || own.isShared) throw pageNotFound();
    return { ...own, institutions: [reader.fi.name] };
  }
  const institutions = (await listInstitutions(c.env, now)).filter(({ client_ids }) => client_ids.includes(client));
  const credential = institutions[0]?.credentials.find(({ client_id }) => client_id === client);
  if (!credential) throw pageNotFound();
  const { secret_made_at, old_secret_until } = credential;
  return {
    madeAt: Date.parse(secret_made_at),
    oldSecretUntil: old_secret_until === null ? null : Date.parse(old_secret_until),
    institutions: institutions.map(({ name }) => name),
  };
}

/** False: an institution requires the record, and it is not kept yet. */
async function recordRotation(
  { c, reader }: Visit<Reader>,
  client: string,
  institutions: readonly FinancialInstitution[],
): Promise<boolean> {
  c.set("concerns", { about: client });
  const act = { event: "credential.rotation", endpoint: `POST ${PATH}`, status: 200, ...signatureOf(reader) } as const;
  let isKept = true;
  for (const fi of institutions) isKept = (await recordAct(c, fi, act)) && isKept;
  return isKept;
}

async function rotate(visit: Visit<Reader>, form: FormData): Promise<Response> {
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
  // before: nothing may come between the rotation and the page that shows the secret
  const institutions = await listSpokenFor(c.env.DB, client);
  const rotated = await rotateSecret(c.env.DB, client, {
    ...{ now, overlap, madeAt },
    ...(reader.kind === "institution" && { onlyOf: reader.fi.id }),
  });
  if (!rotated)
    throw new PageProblem({
      status: 409,
      code: "secret_replaced_meanwhile",
      heading: "That secret is replaced already",
      text: "Nothing was done now. A secret is shown once, in the answer to the form that made it: if nobody kept it, rotate again.",
    });
  const { secret, oldSecretUntil } = rotated;
  const isRecorded = await recordRotation(visit, client, institutions);
  const event = { event: "secret_rotated", request_id: c.var.requestId, client, old_secret_until: oldSecretUntil };
  console.log(JSON.stringify({ ...event, by: logNameOf(reader) }));
  const children = (
    <>
      {!isRecorded && (
        <p class="notice warn">
          <span>
            The rotation is not recorded yet, which an institution requires. Its record follows when the ledger answers
            again.
          </span>
        </p>
      )}
      <SecretCard name="New secret" secret={secret} back={<a href={href(backOf(visit))}>Done: back</a>}>
        <Fact name="Client id">
          <code>{client}</code>
        </Fact>
        <Fact name="Old secret">
          {oldSecretUntil === null ? (
            "refused as soon as isolates forget it, within 60 seconds"
          ) : (
            <Time words="works until" at={oldSecretUntil} />
          )}
        </Fact>
      </SecretCard>
    </>
  );
  return await show(visit, { title: "The secret is rotated", children });
}
