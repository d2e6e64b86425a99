/** /console/check: the form of "Check a PSP". */

import { MAX_CERTIFICATES } from "../../eidas/eidas-header.ts";
import { CONSOLE_FORMS } from "../../http/endpoints.ts";
import { readKnownCountry } from "../../platform/country.ts";
import type { Instant } from "../../platform/instant.ts";
import { MAX_CHECKS } from "../../routes/psp/checks.ts";
import { actFor, ReferenceField, suggestInstitutions } from "../chosen-institution.tsx";
import { Problem } from "../elements.tsx";
import { ChoiceField } from "../fields.tsx";
import { textOf } from "../forms.ts";
import { FormToken, show } from "../frame.tsx";
import { BankPassports } from "../institutions/bank-passports.tsx";
import type { Page, Visit } from "../page.ts";
import { logNameOf, ownerOf, type Reader } from "../page.ts";
import { CHECK } from "../roles.ts";
import { countryOfInstitution, type Jurisdiction, listJurisdictions } from "./jurisdictions.ts";
import { KEPT_DAYS, keepConsoleCheck, MAX_KEPT } from "./kept-checks.ts";
import { checkFiles, type GivenFile } from "./run-check.ts";

const ACCEPTED = ".pem,.crt,.cer,.der,.p7b,.p7c,.txt,application/x-x509-ca-cert,application/pkix-cert";

/** As the body of POST /v1/psp/checks may have, which is fifty certificates with their issuers. */
const FORM_KIB = 1024;
/** Each PSP's certificate and, in a file of its own, an issuer's. */
const MAX_FILES = 2 * MAX_CHECKS;

interface CheckFormValues {
  readonly pasted?: string;
  readonly jurisdiction?: string;
  readonly at?: string;
  /** Of an operator: the reference of the institution for which is checked. */
  readonly fi?: string;
  /** What was wrong with the form as it was sent. */
  readonly problem?: string;
}

async function showCheckForm(visit: Visit<Reader>, values: CheckFormValues = {}): Promise<Response> {
  const [jurisdictions, institutions] = await Promise.all([
    listJurisdictions(visit.c.env.KV),
    visit.reader.kind === "operator" ? suggestInstitutions(visit.c.env.DB) : [],
  ]);
  const children = <CheckForm {...{ visit, values, jurisdictions, institutions }} />;
  const status = values.problem === undefined ? 200 : 400;
  return await show(visit, { title: "Check a PSP", children, status });
}

function CheckForm({
  visit,
  values: { pasted, jurisdiction, at, fi, problem },
  jurisdictions,
  institutions,
}: {
  visit: Visit<Reader>;
  values: CheckFormValues;
  jurisdictions: readonly Jurisdiction[];
  /** Those that an operator may name. */
  institutions: Awaited<ReturnType<typeof suggestInstitutions>>;
}) {
  const { reader, href } = visit;
  const home = reader.kind === "institution" ? countryOfInstitution(reader.fi.fiReferenceId) : null;
  const chosen = jurisdiction ?? home ?? jurisdictions[0]?.code;
  const [only, ...others] = institutions;
  return (
    <>
      <p>
        Is a payment service provider who it says it is, and what may it do? Its certificate is checked against the
        trusted lists, its QTSP's answers on revocation, and the registers of the authorities.
      </p>
      <Problem>{problem}</Problem>
      <form
        method="post"
        action={href("/console/check")}
        enctype="multipart/form-data"
        class="card stack"
        data-drop="files"
      >
        <div class="drop stack">
          <label class="field">
            Certificate files <span class="hint">PEM, DER, P7B or base64</span>
            <input
              type="file"
              name="files"
              multiple
              accept={ACCEPTED}
              aria-describedby={problem === undefined ? "limit" : "problem limit"}
            />
          </label>
          <p class="muted small" id="limit">
            At most {MAX_CHECKS} certificates of PSPs at once. With the files of their issuers, at most {MAX_FILES}{" "}
            files of {FORM_KIB / 1024} MiB together.
          </p>
          <label class="field">
            or paste certificates{" "}
            <span class="hint">PEM or base64, at most {MAX_CERTIFICATES} with those of the issuers</span>
            <textarea name="pasted" spellcheck={false} autocapitalize="none" placeholder="-----BEGIN CERTIFICATE-----">
              {pasted}
            </textarea>
          </label>
        </div>
        <div class="row">
          <ChoiceField
            {...{ label: "Country of the account", name: "jurisdiction", given: { jurisdiction: chosen } }}
            choices={jurisdictions.map(({ code, name }) => [code, name])}
          />
          {only && (
            <ReferenceField
              label="For which institution?"
              suggested={institutions}
              value={fi ?? (others.length === 0 ? only.fiReferenceId : "")}
              problem={problem !== undefined}
            />
          )}
          {reader.kind === "operator" && (
            <label class="field">
              As of (UTC) <span class="hint">empty: now</span>
              <input type="datetime-local" name="at" step="1" value={at} />
            </label>
          )}
          <FormToken visit={visit} />
          <button type="submit">Check</button>
        </div>
      </form>
      {reader.kind === "institution" && <BankPassports {...reader.fi} />}
      <p class="muted small">
        The result is kept for {KEPT_DAYS} days, as one of the newest {MAX_KEPT}, for{" "}
        {reader.kind === "institution" ? reader.fi.name : "the operators"}, so that its address can be shared with
        colleagues. The certificate is not in the address. The ledger of{" "}
        {reader.kind === "institution" ? reader.fi.name : "the institution"} records who checked which certificate, and
        what was found.
      </p>
    </>
  );
}

export const checkPage: Page = {
  path: CONSOLE_FORMS.check.path,
  menu: "Check a PSP",
  roles: CHECK,
  formKib: FORM_KIB,
  get: (visit) => showCheckForm(visit),
  post: takeForm,
  form: CONSOLE_FORMS.check,
};

/** Checks, keeps the result, and leads to its page: loading that again repeats nothing. */
async function takeForm(visit: Visit<Reader>, form: FormData): Promise<Response> {
  const { c, now, reader } = visit;
  const values = {
    ...{ pasted: textOf(form, "pasted"), jurisdiction: textOf(form, "jurisdiction") },
    ...{ at: textOf(form, "at"), fi: textOf(form, "fi").trim() },
  };
  const again = (problem: string) => {
    c.set("outcome", "check_form_invalid");
    return showCheckForm(visit, { ...values, problem });
  };
  const files = await readFiles(form);
  if (files.length === 0) return again("Choose a file with a certificate, or paste one.");
  if (files.length > MAX_FILES) return again(`At most ${MAX_FILES} files at once: these are ${files.length}.`);
  const jurisdiction = readKnownCountry(values.jurisdiction);
  if (jurisdiction === null) return again("Choose the country of the account.");
  const at = readInstant(values.at, reader, now);
  if (at === null)
    return again("As of: an instant such as 2026-06-01T12:00, in UTC, not before 2000 and not after 2100.");
  const institution = await actFor(visit, values.fi);
  // without any there is no ledger yet
  if (!institution && (values.fi !== "" || (await suggestInstitutions(c.env.DB)).length > 0))
    return again("Say for which institution is checked, by its reference: its ledger records the check.");
  const question = { jurisdiction, at, now, bankPassports: institution?.bankPassports ?? null };
  const findings = await checkFiles(c, files, question);
  const id = await keepConsoleCheck(c.env.DB, ownerOf(reader), {
    ...{ ...question, by: logNameOf(reader), findings },
    fi: institution?.fiReferenceId ?? null,
  });
  return c.redirect(visit.href(`/console/check/${id}`), 303);
}

/** Chosen files first, then what was pasted. A file input without a choice sends an empty file without a name. */
async function readFiles(form: FormData): Promise<GivenFile[]> {
  const chosen = form.getAll("files").filter((value) => typeof value !== "string");
  const files: GivenFile[] = [];
  for (const file of chosen) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (bytes.length > 0 || file.name !== "") files.push({ name: file.name.slice(0, 100) || "a file", bytes });
  }
  const pasted = textOf(form, "pasted").trim();
  return pasted === "" ? files : [...files, { name: "pasted text", bytes: new TextEncoder().encode(pasted) }];
}

const [EARLIEST, LATEST] = [Date.UTC(2000), Date.UTC(2100)];

/** Another instant than now is for operators. Null for what is none. */
function readInstant(text: string, reader: Reader, now: Instant): Instant | null {
  if (text === "" || reader.kind !== "operator") return now;
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return at >= EARLIEST && at < LATEST ? at : null;
}
