/** What was asked and answered, of one record. */
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { Fact, ForPrograms, Time, writeDates } from "../elements.tsx";
import { describeWhose } from "../traffic/cards.tsx";
import { SCOPE_NAMES } from "../wording.ts";
import { EVIDENCE } from "./evidence-page.tsx";
import type { KeptReasons } from "./kept-reasons.ts";
import { describeAnswer, findCure } from "./record-words.ts";

interface AskedProps {
  readonly fi: Chosen;
  readonly record: LedgerRecord;
  readonly reasons: KeptReasons;
  /** Who had signed in, by name; null of what the API was asked for. */
  readonly who: string | null;
  /** What it was about, in words. */
  readonly about: string | null;
}

export function AskedCard({ fi, record, reasons, who, about }: AskedProps) {
  const { id, time, request_id, psp, token, consent, account, scopes, by } = record;
  const { transaction_reference: reference, as_of = null, withheld = false } = record;
  const named = {
    PSP: psp,
    "Consent or permission": consent,
    "Evidence id": id,
    "Decided by": by,
    For: scopes && (scopes.map((scope) => SCOPE_NAMES[scope]).join(", ") || "nothing"),
    "Signed in as": who,
    About: about,
  };
  const { event, endpoint, status, outcome, version, release, ms } = record;
  const ofPrograms = {
    ...{ "Request id": request_id, "Token's id": token, "Account, as a tag": account, Event: event },
    ...{ Endpoint: endpoint, Status: status, Outcome: outcome, "Version asked for": version },
    ...{ "Release that answered": release, Took: `${ms} ms` },
  };
  const cure = findCure(record, reasons);
  return (
    <section class="card">
      <h2>What was asked and answered</h2>
      <p>{writeDates(describeAnswer(record, reasons, who))}</p>
      {withheld && (
        <p>This answer was withheld: the record could not be kept at once. The caller got an error in its place.</p>
      )}
      {cure !== null && <p>{describeWhose(outcome)}.</p>}
      <dl class="facts">
        {reference !== null && <Fact name="Transaction reference">{reference}</Fact>}
        <Fact name="When">
          <Time at={time} seconds />
        </Fact>
        {as_of !== null && (
          <Fact name="As of">
            <Time at={as_of} seconds />
          </Fact>
        )}
        <Facts named={named} />
      </dl>
      {account !== null && (
        <p>
          <a href={fi.link(EVIDENCE, { tag: account })}>All records of this account</a>
        </p>
      )}
      <ForPrograms title="As programs name it">
        {cure !== null && <p>What its sender does about it: {cure}</p>}
        <dl class="facts">
          <Facts named={ofPrograms} />
        </dl>
      </ForPrograms>
      {record.ended && <EndedList ended={record.ended} />}
    </section>
  );
}

/** Those that have a value. */
const Facts = ({ named }: { named: Readonly<Record<string, string | number | null | undefined>> }) => (
  <>
    {Object.entries(named).map(
      ([name, value]) =>
        value && (
          <Fact name={name}>
            <code>{value}</code>
          </Fact>
        ),
    )}
  </>
);

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
            <code>{id}</code> of <code>{psp}</code>, {SCOPE_NAMES[scope]}
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
