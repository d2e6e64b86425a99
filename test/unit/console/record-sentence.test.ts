/** The first sentence of a record's page: who asked what about whom, what was decided, and why. */
import { expect, test } from "vitest";
import { readKeptCheck } from "../../../src/console/evidence/kept-signature.tsx";
import { summariseRecord } from "../../../src/console/evidence/record-sentence.ts";
import { LEDGER_EVENTS, type LedgerRecord } from "../../../src/evidence/ledger/record.ts";

const PSP = "PSDXX-TEST-000001";
const record = (more: object): LedgerRecord =>
  ({
    ...{ seq: 1, prev: "", id: "", time: "2026-11-22T00:00:00.000Z", release: "0.12.0", fi: "FI", request_id: "" },
    ...{
      event: "psp.checked",
      endpoint: "GET /v1/psp/eidas",
      version: "1",
      status: 200,
      outcome: "ok",
      ms: 1,
      psp: PSP,
    },
    ...{ checks: [], answer: null, token: null, consent: null, account: null, transaction_reference: null },
    ...more,
  }) as LedgerRecord;
const check = (payments: boolean, accounts: boolean, verdicts: readonly string[] = []) => ({
  checks: [
    { certificate: "", psp: PSP, jurisdictions: ["FI"], verdicts, decisions: [{ payments, accounts }], basis: "" },
  ],
});
const ofSignature = (more: object = {}) => ({ endpoint: "POST /v1/psp/signatures", ...check(true, true), ...more });
const signed = (verified: boolean, problems: string[] = []) => ({ signature: { covered: [], verified, problems } });
const refusedScope = {
  decision: {
    payments: { reasons: [{ code: "service_not_authorised", message: "it is not authorised for payment initiation" }] },
    accounts: { reasons: [] },
  },
};

test.each<[object, string | null, object | null, string]>([
  [
    check(true, true),
    null,
    { eIDAS: { data: { pspSubjectName: "Good PSP" } } },
    `The bank's system asked what Good PSP (${PSP}) may do in Finland, and was told that it may initiate payments and read accounts.`,
  ],
  [
    check(false, true),
    null,
    refusedScope,
    `The bank's system asked what ${PSP} may do in Finland, and was told that it may read accounts, but not initiate payments: it is not authorised for payment initiation.`,
  ],
  [
    { ...check(false, false, ["notRevoked"]), outcome: "certificate_revoked" },
    "Anna Berg",
    null,
    `Anna Berg asked what ${PSP} may do in Finland, and was told that it may neither initiate payments nor read accounts: It or one of its issuers was revoked, or nobody could say whether it was.`,
  ],
  [
    { status: 400, outcome: "certificate_missing", psp: null },
    null,
    null,
    "The bank's system asked what a PSP may do, and was refused: ",
  ],
  [ofSignature(), null, signed(true), `The bank's system asked whether ${PSP} signed a request, and was told yes.`],
  [
    ofSignature({ outcome: "digest_differs" }),
    null,
    signed(false, ["digest_differs"]),
    `The bank's system asked whether ${PSP} signed a request, and was told no: The digest is not that of the body.`,
  ],
  // nothing is kept any more: the record itself says why
  [
    ofSignature({ outcome: "replayed" }),
    null,
    null,
    `The bank's system asked whether ${PSP} signed a request, and was told no: A request with this id, or the same signed bytes, was verified before.`,
  ],
  [
    { event: "psps.checked", psp: null, checks: [...check(true, true).checks, ...check(false, false).checks] },
    "bank",
    null,
    "bank asked for this: check of several certificates, and was told of 2 certificates: ok, payments 1 of 2, accounts 1 of 2.",
  ],
  [
    { event: "code.redemption", status: 400, outcome: "code_used" },
    null,
    null,
    `The bank's system asked for this: access token for a code (${PSP}), and was refused: `,
  ],
  [
    { event: "block.change", endpoint: "POST /console/permissions/unblock", status: 303, psp: null },
    "Anna Berg",
    null,
    "Anna Berg asked for this: end of a block, and it was done.",
  ],
  [
    { event: "consent.revocation", endpoint: "POST /console/permissions/withdraw", consent: "c", status: 303 },
    null,
    null,
    `Somebody who cannot be named any more asked for this: withdrawal of a permission (${PSP}), and it was done.`,
  ],
  [
    { event: "watch.change", endpoint: "DELETE /v1/psp/watches/{authorisation_number}", status: 204 },
    null,
    null,
    `The bank's system asked for this: end of a watch (${PSP}), and it was done.`,
  ],
  [
    { event: "consent.creation", status: 503, outcome: "temporarily_unavailable" },
    null,
    null,
    `The bank's system asked for this: consent (${PSP}), and a store gave no answer, so that it may have been done nevertheless.`,
  ],
])("%j by %s", (more, who, answer, sentence) => {
  expect(summariseRecord(record(more), who, readKeptCheck(answer))).toContain(sentence);
});

test("each kind of record has a sentence, which ends", () => {
  for (const event of LEDGER_EVENTS)
    expect(summariseRecord(record({ event }), "Anna", readKeptCheck(null))).toMatch(
      /^Anna asked [a-z].*, and .*[^.]\.$/,
    );
});
