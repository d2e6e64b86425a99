/**
 * The JSON of an entry, as `JSON.stringify` writes it, in a third of its time: every request has one. What comes from
 * outside is quoted; the rest are ids, hashes, instants and words of this service, which need no escapes.
 */
import type { CheckedCertificate, LedgerEntry } from "./record.ts";

const quote = (text: string | null): string => (text === null ? "null" : JSON.stringify(text));
const plain = (text: string | null): string => (text === null ? "null" : `"${text}"`);

const list = (texts: readonly string[]): string => (texts.length === 0 ? "[]" : `["${texts.join('","')}"]`);

const writeCheck = ({ certificate, psp, jurisdictions, verdicts, decisions, basis }: CheckedCertificate): string =>
  `{"certificate":"${certificate}","psp":${quote(psp)},"jurisdictions":${list(jurisdictions)},` +
  `"verdicts":${list(verdicts)},"decisions":${JSON.stringify(decisions)},"basis":"${basis}"}`;

/** What most records do not say. */
function writeMore({ scopes, by, ended, client, operator, as_of }: LedgerEntry): string {
  const more = JSON.stringify({ scopes, by, ended, client, operator, as_of });
  return more === "{}" ? "}" : `,${more.slice(1)}`;
}

export const writeEntry = (entry: LedgerEntry): string =>
  `{"id":"${entry.id}","time":"${entry.time}","release":"${entry.release}","fi":${quote(entry.fi)},` +
  `"request_id":"${entry.request_id}","event":"${entry.event}","endpoint":"${entry.endpoint}",` +
  `"version":"${entry.version}","status":${entry.status},"outcome":"${entry.outcome}","ms":${entry.ms},` +
  `"psp":${quote(entry.psp)},"checks":[${entry.checks.map(writeCheck).join(",")}],` +
  `"answer":${plain(entry.answer)},"token":${plain(entry.token)},"consent":${plain(entry.consent)},` +
  `"account":${plain(entry.account)},"transaction_reference":${quote(entry.transaction_reference)}${writeMore(entry)}`;

/** The JSON of the same entry, whose answer was withheld. */
export const markWithheld = (entry: string): string => `${entry.slice(0, -1)},"withheld":true}`;
