/** The form of the page of records. */
import { LEDGER_EVENTS, NOTHING_ALLOWED } from "../../evidence/ledger/record.ts";
import { NOT_OK } from "../../evidence/ledger/record-query.ts";
import { CATALOGUE } from "../../http/errors/error-response.ts";
import { SIGNATURE_PROBLEMS } from "../../psp-check/signed-request/problems.ts";
import { type Chosen, ChosenField } from "../chosen-institution.tsx";
import { Problem } from "../elements.tsx";
import { hasRole, type Reader, type Visit } from "../page.ts";
import { SEARCH_PERMISSIONS } from "../roles.ts";
import { UTC, zoneOf } from "./local-days.ts";
import { EVENT_WORDS, explainOutcome } from "./record-words.ts";
import type { Search } from "./search.ts";

interface SearchFormProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly given: Readonly<Record<string, string>>;
  readonly search: Search;
}

const DECISIONS = [
  ["", "any"],
  ["ok", "allowed, or done"],
  [NOT_OK, "not allowed, or refused"],
  [NOTHING_ALLOWED, "checked, and allowed nothing"],
] as const;

/** By what is said of them: codes that mean the same stand beside each other. */
const REASONS = [...new Set([...CATALOGUE.keys(), ...Object.keys(SIGNATURE_PROBLEMS)])];

/** By GET, so that what is found has an address for colleagues. */
export function SearchForm({ visit: { reader, href, c }, fi, given, search }: SearchFormProps) {
  const problem = search.ok ? (search.by === "record" ? "No record has this evidence id." : null) : search.problem;
  const told = problem === null ? undefined : "problem";
  const zone = zoneOf(fi.fiReferenceId);
  return (
    <>
      <Problem>{problem}</Problem>
      <search>
        <form action={href(c.req.path)} class="card row">
          <ChosenField fi={fi} />
          <label class="field wide">
            PSP <span class="hint">authorisation number, or a part of its name</span>
            <input name="psp" spellcheck={false} autocomplete="off" value={given["psp"]} aria-describedby={told} />
          </label>
          {hasRole(reader, SEARCH_PERMISSIONS) && (
            <label class="field wide">
              Account <span class="hint">its id; that you asked is recorded</span>
              <input name="account" spellcheck={false} autocomplete="off" value={given["account"]} />
            </label>
          )}
          <label class="field">
            What was done
            <select name="act">
              <option value="">anything</option>
              {LEDGER_EVENTS.map((event) => (
                <option value={event} selected={event === given["act"]}>
                  {EVENT_WORDS[event]}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            From {zone === UTC && <span class="hint">UTC</span>}
            <input type="date" name="from" value={given["from"]} />
          </label>
          <label class="field">
            To <span class="hint">that day, too</span>
            <input type="date" name="to" value={given["to"]} />
          </label>
          {zone !== UTC && (
            <label class="field">
              Days of
              <select name="zone">
                {[zone, UTC].map((one) => (
                  <option value={one} selected={one === (given["from"] || given["to"] ? (given["zone"] ?? UTC) : zone)}>
                    {one.replace(/^.*\//, "")}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label class="field">
            Decision
            <select name="outcome">
              {DECISIONS.map(([value, words]) => (
                <option value={value} selected={value === (given["outcome"] ?? "")}>
                  {words}
                </option>
              ))}
              <optgroup label="For one reason">
                {REASONS.map((code) => (
                  <option value={code} selected={code === given["outcome"]}>
                    {explainOutcome(code)} {reader.kind === "operator" && `(${code})`}
                  </option>
                ))}
              </optgroup>
            </select>
          </label>
          <label class="field wide">
            Evidence id or request id <span class="hint">of the answer</span>
            <input name="id" spellcheck={false} autocomplete="off" value={given["id"]} aria-describedby={told} />
          </label>
          <button type="submit">Search</button>
        </form>
      </search>
    </>
  );
}
