/** What was asked and answered, of one record. */
import type { LedgerRecord } from "../../ledger/record.ts";
import { Fact } from "../fact.tsx";
import { Outcome } from "./evidence-page.tsx";
import { describeAnswer } from "./record-words.ts";

export function AskedCard({ record }: { record: LedgerRecord }) {
  const { id, time, release, request_id, endpoint, version, ms, psp, token, consent, account } = record;
  const { transaction_reference: reference, client = null } = record;
  const named: readonly (readonly [string, string | null])[] = [
    ["PSP", psp],
    ["Consent or permission", consent],
    ["Token's id", token],
    ["Account, as a tag", account],
    ["Evidence id", id],
    ["Request id", request_id],
    ["Endpoint", endpoint],
    ["Signed in as", client],
  ];
  return (
    <section class="card">
      <h2>
        What was asked and answered <Outcome record={record} />
      </h2>
      <p>{describeAnswer(record)}</p>
      <dl class="facts">
        {reference !== null && <Fact name="Transaction reference">{reference}</Fact>}
        <Fact name="When">{new Date(time).toISOString()}</Fact>
        {named.map(
          ([name, value]) =>
            value !== null && (
              <Fact name={name}>
                <code>{value}</code>
              </Fact>
            ),
        )}
        <Fact name="Version asked for">{version}</Fact>
        <Fact name="Release that answered">{release}</Fact>
        <Fact name="Took">{ms} ms</Fact>
      </dl>
    </section>
  );
}
