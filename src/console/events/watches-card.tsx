/** The PSPs that are watched, and the form that adds one. */
import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { MAX_WATCHES, type Watch } from "../../events/watches.ts";
import { quoteAlways } from "../../platform/quotation.ts";
import { type Chosen, ChosenField, RowAction } from "../chosen-institution.tsx";
import { ColumnHeads, Problem } from "../elements.tsx";
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { FormToken } from "../frame.tsx";
import type { Reader, Visit } from "../page.ts";
import { writeLength, writeTime } from "../wording.ts";
import { EVENTS, UNWATCH, WATCH } from "./event-words.ts";

/** A PSP that could not be watched, as it was typed, and why. */
interface Refused {
  readonly psp: string;
  /** A sentence. */
  readonly problem: string;
}

/** Of what was typed: the page's address has it. */
export const MAX_REFUSED_CHARACTERS = 100;
const SHOWN_CHARACTERS = 60;

/** What is an authorisation number was refused without room. */
export function readRefused(psp: string): Refused {
  const number = parseAuthorisationNumber(psp);
  const problem = number.ok
    ? `${MAX_WATCHES.toLocaleString("en")} PSPs are watched already: stop watching one to watch another.`
    : `${quoteAlways(psp, SHOWN_CHARACTERS)} is not a PSD2 authorisation number: ${number.message}.`;
  return { psp, problem };
}

interface WatchesProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly watches: readonly Watch[];
  /** In all. */
  readonly length: number;
  readonly hasMore: boolean;
  readonly refused: Refused | null;
}

export function Watches({ visit, fi, watches, length, hasMore, refused }: WatchesProps) {
  const { href } = visit;
  const last = watches.at(-1);
  return (
    <section class="card" aria-labelledby="watches">
      <h2 id="watches">{length === 0 ? "Watches" : writeLength(length, "watched PSP")}</h2>
      <p class="muted">
        Of a PSP with live tokens or consents here every change makes an event anyway; of a watched one also without
        them.
      </p>
      <Problem>{refused?.problem}</Problem>
      <form method="post" action={href(WATCH)} class="row">
        <FormToken visit={visit} />
        <ChosenField fi={fi} />
        <label class="field wide">
          Watch a PSP <span class="hint">authorisation number</span>
          <input
            name="psp"
            required
            spellcheck={false}
            autocomplete="off"
            value={refused?.psp}
            aria-describedby={refused ? "problem" : undefined}
          />
        </label>
        <button type="submit">Watch</button>
      </form>
      {watches.length === 0 ? (
        <p class="apart">No PSP is watched.</p>
      ) : (
        <section class="scroll apart" aria-label="Watched PSPs, one row each" tabindex={0}>
          <table>
            <thead>
              <ColumnHeads names={["PSP", "Watched since"]} />
            </thead>
            <tbody>
              {watches.map(({ pspId, since }) => (
                <tr>
                  <th scope="row" class="text">
                    <a href={fi.link(EVIDENCE, { psp: pspId })}>{pspId}</a>
                  </th>
                  <td>{writeTime(since)}</td>
                  <td>
                    <RowAction visit={visit} fi={fi} path={UNWATCH} name="psp" value={pspId} about={pspId}>
                      Stop watching
                    </RowAction>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {hasMore && last && (
        <p>
          <a class="button second" href={fi.link(EVENTS, { after: last.pspId })}>
            More watches
          </a>
        </p>
      )}
    </section>
  );
}
