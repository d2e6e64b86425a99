/** What was asked and answered, of one record. */
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import { Fact } from "../elements.tsx";
import { writeDates, writeSecond } from "../wording.ts";
import { Outcome } from "./evidence-page.tsx";
import type { KeptReasons } from "./kept-reasons.ts";
import { describeAnswer, findCure } from "./record-words.ts";

interface AskedProps {
  readonly record: LedgerRecord;
  readonly reasons: KeptReasons;
  /** Who had signed in, by name; null of what the API was asked for. */
  readonly who: string | null;
}

export function AskedCard({ record, reasons, who }: AskedProps) {
  const { id, time, release, request_id, endpoint, version, ms, psp, token, consent, account } = record;
  const { transaction_reference: reference, about = null, as_of = null, withheld = false } = record;
  const named: readonly (readonly [string, string | null | undefined])[] = [
    ["PSP", psp],
    ["Consent or permission", consent],
    ["Token's id", token],
    ["Account, as a tag", account],
    ["Evidence id", id],
    ["Request id", request_id],
    ["Endpoint", endpoint],
    ["Decided by", record.by ?? null],
    ["Scope", record.scopes && (record.scopes.join(", ") || "none")],
    ["Signed in as", who],
    ["About", about],
    ["As of", as_of && writeSecond(as_of)],
  ];
  const cure = findCure(record, reasons);
  return (
    <section class="card">
      <h2>
        What was asked and answered <Outcome record={record} />
      </h2>
      <p>{writeDates(describeAnswer(record, reasons, who))}</p>
      {withheld && (
        <p>This answer was withheld: the record could not be kept at once. The caller got 503 in its place.</p>
      )}
      {cure !== null && (
        <p>
          <b>What to do:</b> {cure}
        </p>
      )}
      <dl class="facts">
        {reference !== null && <Fact name="Transaction reference">{reference}</Fact>}
        <Fact name="When">{writeSecond(time)}</Fact>
        {named.map(
          ([name, value]) =>
            value && (
              <Fact name={name}>
                <code>{value}</code>
              </Fact>
            ),
        )}
        <Fact name="Version asked for">{version}</Fact>
        <Fact name="Release that answered">{release}</Fact>
        <Fact name="Took">{ms} ms</Fact>
      </dl>
      {record.ended && <EndedList ended={record.ended} />}
    </section>
  );
}

/** What ended with it, by id. */
function EndedList({ ended: { permissions, tokens, more } }: { ended: NonNullable<LedgerRecord["ended"]> }) {
  const left = (count: number) => count > 0 && <li>and {count} more</li>;
  return (
    <>
      <h3>Permissions that ended</h3>
      {permissions.length === 0 && <p>None: there was none, or it had ended before.</p>}
      <ul>
        {permissions.map(({ id, psp, scope }) => (
          <li>
            <code>{id}</code> of <code>{psp}</code>, {scope}
          </li>
        ))}
        {left(more.permissions)}
      </ul>
      <h3>Tokens that ended</h3>
      {tokens.length === 0 && <p>None.</p>}
      <ul>
        {tokens.map((id) => (
          <li>
            <code>{id}</code>
          </li>
        ))}
        {left(more.tokens)}
      </ul>
    </>
  );
}
