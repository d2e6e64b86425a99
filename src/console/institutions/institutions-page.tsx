/** /console/institutions: institutions and their credentials with ages, for operators. */
import { type Institution, listInstitutions } from "../../institutions/institution-list.ts";
import type { Instant } from "../../platform/instant.ts";
import { Age, Mark, Said } from "../elements.tsx";
import { FilterForm, TextField } from "../fields.tsx";
import { show } from "../frame.tsx";
import { AsFile, type ListFile, members, readFormat, sendList } from "../list-file.tsx";
import type { OperatorReader, Page, Visit } from "../page.ts";
import { OPERATE } from "../roles.ts";
import { BankPassports } from "./bank-passports.tsx";
import { CredentialTable } from "./credential-table.tsx";
import { ROTATE_PATH } from "./rotation-page.tsx";

export const institutionsPage: Page = {
  path: "/console/institutions",
  menu: "Institutions",
  roles: OPERATE,
  get: showInstitutions,
};

const MAX_SHOWN = 50;

const DONE: Readonly<Record<string, string>> = {
  enabled: "The institution's requests are taken again.",
  disabled: "The institution gets no token any more; its other requests are refused within a minute.",
};

async function showInstitutions(visit: Visit<OperatorReader>): Promise<Response> {
  const { c, now, href } = visit;
  const given = c.req.query();
  const { q = "", done = "" } = given;
  const all = await listInstitutions(c.env, now);
  const matching = all.filter((fi) => holds(fi, q.trim().toLowerCase()));
  const format = readFormat(given);
  if (format) return await sendList(visit, null, institutionList(matching), format);
  const shown = matching.slice(0, MAX_SHOWN);
  const children = (
    <>
      <Said>{DONE[done]}</Said>
      {(all.length > 5 || q !== "") && (
        <FilterForm action={href("/console/institutions")}>
          <TextField label="Name, reference or client id" name="q" given={given} />
        </FilterForm>
      )}
      {shown.map((fi) => (
        <InstitutionCard fi={fi} now={now} href={href} />
      ))}
      {matching.length > 0 && (
        <AsFile link={(as) => href(`/console/institutions?${new URLSearchParams({ q, ...as })}`)} what="institutions" />
      )}
      <p class="muted">
        {matching.length > shown.length
          ? `${matching.length} institutions, of which the first ${shown.length} are shown: search for the others.`
          : `${matching.length === 1 ? "One institution" : `${matching.length} institutions`}.`}{" "}
        They are added and removed by the command <code>fi</code>.
      </p>
    </>
  );
  return await show(visit, { title: "Institutions", children });
}

const holds = ({ name, fi_reference_id, client_ids }: Institution, text: string): boolean =>
  [name, fi_reference_id, ...client_ids].some((one) => one.toLowerCase().includes(text));

type Listed = Institution & { readonly credential: Institution["credentials"][number] | null };

/** A row for each credential, one at least. */
const institutionList = (institutions: readonly Institution[]): ListFile<Listed> => ({
  name: "institutions",
  columns: {
    ...members(
      "fi_reference_id",
      "name",
      "status",
      "created_at",
      "live_tokens",
      "database",
      "ledger",
      "bank_passports",
    ),
    client_id: ({ credential }) => credential?.client_id,
    secret_made_at: ({ credential }) => credential?.secret_made_at,
    old_secret_until: ({ credential }) => credential?.old_secret_until,
  },
  read: async () => ({
    rows: institutions.flatMap((fi) =>
      (fi.credentials.length === 0 ? [null] : fi.credentials).map((credential) => ({ ...fi, credential })),
    ),
    next: null,
  }),
});

/** For people; of a database that does not answer nobody knows. */
export const describeLiveTokens = ({ live_tokens, database }: Institution): string =>
  live_tokens === null
    ? `its database ${database} does not answer`
    : `${live_tokens.toLocaleString("en")} live tokens${database === 1 ? "" : ` in database ${database}`}`;

/** Pages about one institution. */
const ABOUT = [
  ["/console/psps", "PSPs"],
  ["/console/evidence", "Evidence"],
  ["/console/events", "Events"],
  ["/console/people/acts", "Who did what"],
  ["/console/traffic", "Traffic"],
] as const;

interface CardProps {
  readonly fi: Institution;
  readonly now: Instant;
  readonly href: (path: string) => string;
}

function InstitutionCard({ fi, now, href }: CardProps) {
  const { name, fi_reference_id, status, created_at, credentials } = fi;
  const active = status === "active";
  const change = new URLSearchParams({ reference: fi_reference_id, to: active ? "disabled" : "active" });
  return (
    <article class="card" aria-label={name}>
      <h2>
        {name} <code class="muted">{fi_reference_id}</code>
      </h2>
      <p>
        <Mark state={active ? "yes" : "no"}>{active ? "Active" : "Disabled"}</Mark>
      </p>
      <p class="muted">
        Added <Age time={created_at} now={now} />; {describeLiveTokens(fi)}.
      </p>
      <BankPassports fiReferenceId={fi_reference_id} bankPassports={fi.bank_passports} isOperator />
      {credentials.length === 0 ? (
        <p>
          <Mark state="warn">No credential speaks for it</Mark>
        </p>
      ) : (
        <CredentialTable
          label={`Credentials of ${fi_reference_id}`}
          credentials={credentials.map(({ client_id, secret_made_at, old_secret_until: until }) => ({
            ...{ clientId: client_id, madeAt: Date.parse(secret_made_at), isShared: false },
            oldSecretUntil: until === null ? null : Date.parse(until),
          }))}
          now={now}
          rotation={(client) => href(`${ROTATE_PATH}?${new URLSearchParams({ client })}`)}
        />
      )}
      <p class="apart row">
        {ABOUT.map(([path, label]) => (
          <a href={href(`${path}?${new URLSearchParams({ fi: fi_reference_id })}`)}>
            {label} <span class="out">of {name}</span>
          </a>
        ))}
        <a href={href(`/console/institutions/status?${change}`)}>
          {active ? "Disable…" : "Enable…"} <span class="out">{name}</span>
        </a>
      </p>
    </article>
  );
}
