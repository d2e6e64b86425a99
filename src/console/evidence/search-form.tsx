/** The form of the page of records. */
import { LEDGER_EVENTS, NOTHING_ALLOWED } from "../../evidence/ledger/record.ts";
import { NOT_OK } from "../../evidence/ledger/record-query.ts";
import { CATALOGUE } from "../../http/errors/error-response.ts";
import { SIGNATURE_PROBLEMS } from "../../psp-check/signed-request/problems.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { ChoiceField, DayField, FilterForm, TextField } from "../fields.tsx";
import { hasRole, keepParameters, type Reader, type Visit } from "../page.ts";
import { SEARCH_PERMISSIONS } from "../roles.ts";
import { UTC, zoneOf } from "./local-days.ts";
import { EVENT_WORDS, explainOutcome, SIGNED_REQUEST } from "./record-words.ts";
import { type Search, SIGNED } from "./search.ts";

interface SearchFormProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly given: Readonly<Record<string, string>>;
  readonly search: Search;
}

const ACTS = [
  ["", "anything"],
  ["psp.checked", "Check of a PSP, or of a signed request"],
  [SIGNED, SIGNED_REQUEST.words],
  ...LEDGER_EVENTS.flatMap((event) => (event === "psp.checked" ? [] : [[event, EVENT_WORDS[event]] as const])),
] as const;

const DECISIONS = [
  ["", "any"],
  ["ok", "allowed, or done"],
  [NOT_OK, "not allowed, or refused"],
  [NOTHING_ALLOWED, "checked, and nothing allowed"],
] as const;

/** A code is of the first group that has it. What a bank's staff ask for most stands first. */
const GROUPS: readonly (readonly [label: string, codes: RegExp])[] = [
  ["The certificate", /^(?:certificate_(?!differs|no)|qtsp_|signature_invalid)/],
  ["What the PSP may do", /^payment_service_/],
  ["Permissions, codes and tokens", /^(?:account_blocked$|ccg_token_|code_|consent_|token_|\w+_mismatch$)/],
  ["The signature of a request", new RegExp(`^(?:${Object.keys(SIGNATURE_PROBLEMS).join("|")})$`)],
  ["This service", /^(?:internal_error|temporarily_unavailable|answer_withheld)$/],
  ["How your systems ask", /./],
];
const REASONS = Map.groupBy(new Set([...CATALOGUE.keys(), ...Object.keys(SIGNATURE_PROBLEMS)]), (code) =>
  GROUPS.findIndex(([, codes]) => codes.test(code)),
);

export function SearchForm({ visit: { reader, href, c }, fi, given, search }: SearchFormProps) {
  const problem = search.ok ? (search.by === "record" ? "No record has this evidence id." : null) : search.problem;
  const told = problem !== null;
  const zone = zoneOf(fi.fiReferenceId);
  const days = given["from"] || given["to"] ? (given["zone"] ?? UTC) : zone;
  return (
    <FilterForm {...{ action: href(c.req.path), values: { ...fi.choice, ...keepParameters(given, ["tag"]) }, problem }}>
      <TextField label="PSP" hint="authorisation number, or a part of its name" name="psp" given={given} told={told} />
      {hasRole(reader, SEARCH_PERMISSIONS) && (
        <TextField label="Account" hint="its id; that you asked is recorded" name="account" given={given} />
      )}
      <ChoiceField label="What was done" name="act" given={given} choices={ACTS} />
      <DayField label="From" hint={zone === UTC && "UTC"} name="from" given={given} />
      <DayField label="To" hint="that day, too" name="to" given={given} />
      {zone !== UTC && (
        <ChoiceField
          {...{ label: "Days of", name: "zone", given: { zone: days } }}
          choices={[zone, UTC].map((one) => [one, one.replace(/^.*\//, "")])}
        />
      )}
      <ChoiceField label="Decision" name="outcome" given={given} choices={DECISIONS}>
        {GROUPS.map(([label], i) => (
          <optgroup label={label}>
            {REASONS.get(i)?.map((code) => (
              <option value={code} selected={code === given["outcome"]}>
                {explainOutcome(code)} {reader.kind === "operator" && `(${code})`}
              </option>
            ))}
          </optgroup>
        ))}
      </ChoiceField>
      <TextField label="Evidence id or request id" hint="of the answer" name="id" given={given} told={told} />
    </FilterForm>
  );
}
