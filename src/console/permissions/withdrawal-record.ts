/**
 * The record of a withdrawal in the console, as a withdrawal by the API leaves one: else an auditor would see tokens end
 * without a reason. `endpoint` names the form, `client` who had signed in.
 */
import { CONSOLE_WITHDRAWAL } from "../../endpoints.ts";
import type { Account } from "../../grants/account-block.ts";
import { isRecordId, makeRecordId } from "../../grants/record-id.ts";
import { recordAnswer } from "../../middleware/ledger.ts";
import { StoreError } from "../../store-error.ts";
import type { Visit } from "../page.ts";
import { PageProblem } from "../page-problem.ts";
import type { InstitutionReader } from "../reader.ts";

const ENDPOINT = `${CONSOLE_WITHDRAWAL.method} ${CONSOLE_WITHDRAWAL.path}`;
/** The reader is sent on to the account's permissions. */
const DONE = 303;

const FAILED =
  "Its record could not be kept, which your institution requires. Load this page again and let the browser send the form again: that records it.";
/** The setting of a service while its institutions require their records: only its operator can end that. */
const KEEPS_NONE =
  "The service keeps no records at present, which your institution requires: sending the form again changes nothing. Tell the service's operator.";

/**
 * Withdraws, then records it. `id`: of the permission; null for all of the account. False if `withdraw` found nothing to
 * withdraw: that leaves no record. A store that failed may have withdrawn nevertheless: that leaves one, as by the API.
 * Throws StoreError, and PageProblem if the institution requires its records and this one may not be kept.
 */
export async function recordWithdrawal(
  { c, now, reader }: Visit<InstitutionReader>,
  { accountId }: Account,
  id: string | null,
  withdraw: () => Promise<boolean>,
): Promise<boolean> {
  const evidenceId = makeRecordId(now);
  c.set("evidenceId", evidenceId);
  c.header("x-evidence-id", evidenceId);
  c.set("concerns", { accountId, consentId: id !== null && isRecordId(id) ? id : null });
  const leave = (status: number) =>
    recordAnswer(c, { event: "consent.revocation", endpoint: ENDPOINT, status, client: reader.clientId });
  try {
    if (!(await withdraw())) return false;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    c.set("outcome", "temporarily_unavailable");
    await leave(503);
    throw error;
  }
  if (await leave(DONE)) return true;
  throw new PageProblem({
    status: 503,
    code: "temporarily_unavailable",
    heading: "Withdrawn, but not recorded",
    text: `What you asked for is done: it cannot be undone. ${c.env.LEDGER_RECORDS === "off" ? KEEPS_NONE : FAILED}`,
  });
}
