/** /console/check: the form of "Check a PSP". */
import { FormToken, show } from "../frame.tsx";
import type { Page, Visit } from "../page.ts";
import type { Reader } from "../reader.ts";
import { countryOfInstitution, type Jurisdiction, listJurisdictions } from "./jurisdictions.ts";

const ACCEPTED = ".pem,.crt,.cer,.der,.p7b,.p7c,.txt,application/x-x509-ca-cert,application/pkix-cert";

export interface CheckFormValues {
  readonly pasted?: string;
  readonly jurisdiction?: string;
  readonly at?: string;
  /** What was wrong with the form as it was sent. */
  readonly problem?: string;
}

export async function showCheckForm(visit: Visit<Reader>, values: CheckFormValues = {}): Promise<Response> {
  const jurisdictions = await listJurisdictions(visit.c.env.KV);
  const children = <CheckForm visit={visit} values={values} jurisdictions={jurisdictions} />;
  const status = values.problem === undefined ? 200 : 400;
  return await show(visit, { title: "Check a PSP", children, status });
}

function CheckForm({
  visit,
  values: { pasted, jurisdiction, at, problem },
  jurisdictions,
}: {
  visit: Visit<Reader>;
  values: CheckFormValues;
  jurisdictions: readonly Jurisdiction[];
}) {
  const { reader, href } = visit;
  const home = reader.kind === "institution" ? countryOfInstitution(reader.fi.fiReferenceId) : null;
  const chosen = jurisdiction ?? home ?? jurisdictions[0]?.code;
  return (
    <>
      <p>
        Is a payment service provider who it says it is, and what may it do? Its certificate is checked against the
        trusted lists, its QTSP's answers on revocation, and the registers of the authorities.
      </p>
      {problem !== undefined && (
        <p class="notice no" role="alert" id="problem">
          <span>{problem}</span>
        </p>
      )}
      <form
        method="post"
        action={href("/console/check")}
        enctype="multipart/form-data"
        class="card stack"
        data-drop="files"
      >
        <FormToken visit={visit} />
        <div class="drop stack">
          <label>
            Certificate files <span class="muted">PEM, DER, P7B or base64; several at once</span>
            <input type="file" name="files" multiple accept={ACCEPTED} aria-describedby={problem && "problem"} />
          </label>
          <label>
            or paste certificates <span class="muted">PEM or base64, with or without the issuers</span>
            <textarea name="pasted" spellcheck={false} autocapitalize="none" placeholder="-----BEGIN CERTIFICATE-----">
              {pasted}
            </textarea>
          </label>
        </div>
        <div class="row">
          <label>
            Country of the account
            <select name="jurisdiction" required>
              {jurisdictions.map(({ code, name }) => (
                <option value={code} selected={code === chosen}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {reader.kind === "operator" && (
            <label>
              As of (UTC) <span class="muted">empty: now</span>
              <input type="datetime-local" name="at" step="1" value={at} />
            </label>
          )}
          <button type="submit">Check</button>
        </div>
      </form>
      <p class="muted small">
        The result is kept for seven days for {reader.kind === "institution" ? reader.fi.name : "the operators"}, so
        that its address can be shared with colleagues. The certificate is not in the address.
      </p>
    </>
  );
}

export const checkPage: Page = {
  path: "/console/check",
  menu: "Check a PSP",
  for: "readers",
  get: (visit) => showCheckForm(visit),
};
