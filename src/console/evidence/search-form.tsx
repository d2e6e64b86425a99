/** The form of the page of records. */
import { VERDICT_CODES } from "../../eidas/verdict-codes.ts";
import { LEDGER_EVENTS, NOTHING_ALLOWED } from "../../evidence/ledger/record.ts";
import { NOT_OK } from "../../evidence/ledger/record-query.ts";
import { CATALOGUE, isErrorCode } from "../../http/errors/error-response.ts";
import { SIGNATURE_PROBLEMS } from "../../psp-check/signed-request/problems.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { ChoiceField, DayField, FilterForm, TextField } from "../fields.tsx";
import { hasRole, keepParameters, type Reader, type Visit } from "../page.ts";
import { SEARCH_PERMISSIONS } from "../roles.ts";
import { whoseIs } from "../traffic/summary.ts";
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

const REFUSED_CERTIFICATES: ReadonlySet<string> = new Set(Object.values(VERDICT_CODES).map(([code]) => code));

/** The first that fits. What a bank's staff ask for most stands first. */
const GROUPS: readonly (readonly [label: string, has: (code: string) => boolean])[] = [
  [
    "The certificate",
    (code) => REFUSED_CERTIFICATES.has(code) || (isErrorCode(code) && code.startsWith("certificate_")),
  ],
  ["What the PSP may do", (code) => code === "payment_service_invalid"],
  [
    "Permissions, codes and tokens",
    (code) => /^(?:account_blocked$|ccg_token_|code_|consent_|token_|\w+_mismatch$)/.test(code),
  ],
  ["The signature of a request", (code) => !isErrorCode(code)],
  ["This service", (code) => whoseIs(code) === "service"],
  ["How your systems ask", () => true],
];
const REASONS = Map.groupBy(
  new Set([...CATALOGUE.keys(), ...Object.keys(SIGNATURE_PROBLEMS)]),
  (code) => GROUPS.find(([, has]) => has(code))?.[0] ?? "",
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
        {GROUPS.map(([label]) => (
          <optgroup label={label}>
            {REASONS.get(label)?.map((code) => (
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
