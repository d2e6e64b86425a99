/** The ledger of an institution. */
import { DATA, DATE_TIME, NEXT_CURSOR } from "../reference/field-texts.ts";
import type { Resource } from "../reference/operation.ts";
import { auditRecord, headComparison, ledgerHead, recordList } from "./audit.answer.ts";
import { comparisonQuery, listQuery } from "./audit.ts";

const TEXT = "The record as it is stored and hashed: the exact text of `record`.";
const HASH = "SHA-256 of the UTF-8 of `text`: what the next record holds as `prev`.";
const HEADS =
  "Signed ends of the chain, oldest first: compact JWS (RFC 7515) by the keys of /.well-known/jwks.json, with `fi`, `seq`, `hash` and `time`.";

const record = (place: string) => ({
  [place]: "The record.",
  [`${place}.seq`]: "Its number in the institution's chain: 1, 2, 3, ... without gaps.",
  [`${place}.prev`]: "SHA-256 of the text of the record before; of the first one zeros.",
  [`${place}.id`]: "The `x-evidence-id` of the answer.",
  [`${place}.time`]: "The instant for which the request was judged.",
  [`${place}.release`]: "The version of the service that answered.",
  [`${place}.fi`]: "The institution: its `fi_reference_id`.",
  [`${place}.request_id`]: "The `x-request-id` of the answer.",
  [`${place}.event`]: "What was asked for.",
  [`${place}.endpoint`]:
    "The method and path of the endpoint; of what is done in the console those of its form, such as `POST /console/check`.",
  [`${place}.version`]:
    "The header `version` of the request; `latest` of a check in the console, `1` of its other forms.",
  [`${place}.status`]: "The status of the answer.",
  [`${place}.outcome`]: "`ok`, or the first error code; of a check that of the first false verdict.",
  [`${place}.ms`]: "Milliseconds from the request to the record.",
  [`${place}.psp`]: "The authorisation number of the PSP, in normal form; null if it is not known.",
  [`${place}.checks`]: "The certificates that were checked for it.",
  [`${place}.checks[].certificate`]: "SHA-256 of the certificate's DER.",
  [`${place}.checks[].psp`]: "The authorisation number on it, in normal form; null if it has none.",
  [`${place}.checks[].jurisdictions`]: "The countries that were asked for; empty where only the home register counts.",
  [`${place}.checks[].verdicts`]: "The verdicts that are false.",
  [`${place}.checks[].decisions`]: "One for each jurisdiction; one for the home country if there is none.",
  [`${place}.checks[].decisions[].payments`]: "Whether the PSP may initiate payments.",
  [`${place}.checks[].decisions[].accounts`]: "Whether the PSP may read accounts.",
  [`${place}.checks[].basis`]: "SHA-256 of the document that names everything that the check rested on.",
  [`${place}.answer`]:
    "Of a PSP check: SHA-256 of the answer, without what belongs to the request alone; null otherwise.",
  [`${place}.token`]: "The id of the token that was made or ended; null if there is none.",
  [`${place}.consent`]: "The id of the consent that was made, authorised or ended; null if there is none.",
  [`${place}.account`]:
    "A tag of the account, which nobody can trace once the account has been erased; null if there is none.",
  [`${place}.transaction_reference`]: "The request's header of this name; null if there was none.",
  [`${place}.bank_passports`]:
    "Of checks for a jurisdiction: whether the institution accepted a bank's authorisation at home; null if it never chose. Absent otherwise.",
  [`${place}.scopes`]:
    "Of a grant or of one permission: its scope. Of a block: what is blocked from then on, or was to be if the outcome is an error; empty at its end. Absent where there is none.",
  [`${place}.by`]: "Of what ends something: whose decision it was. Absent otherwise.",
  [`${place}.ended`]:
    "What it ended; empty lists if that had ended before. Absent of what ends nothing, and if it is not known.",
  [`${place}.ended.permissions`]:
    "Permissions, consents among them: at most 100. Of each PSP one comes first, so that `psp_id` finds the record by each.",
  [`${place}.ended.permissions[].id`]: "Its id: of a consent the `consent_id`.",
  [`${place}.ended.permissions[].psp`]: "The authorisation number of its PSP, in normal form.",
  [`${place}.ended.permissions[].scope`]: "Its scope.",
  [`${place}.ended.tokens`]: "Ids of tokens: at most 100.",
  [`${place}.ended.more`]: "How many more ended that are not named.",
  [`${place}.ended.more.permissions`]: "Permissions.",
  [`${place}.ended.more.tokens`]: "Tokens.",
  [`${place}.client`]: "Of a form of the console alone: the client id with which whoever sent it had signed in.",
  [`${place}.operator`]:
    "Of an operator's act alone: in the console the address by which Cloudflare Access named them; of a command `npm run admin`, and `endpoint` names the command.",
  [`${place}.person`]:
    "Of someone who signed in to the console at the institution's provider: a tag, the same for all that they did. The page People says who it is, until their name is erased.",
  [`${place}.about`]:
    "Of an act of a person or an operator, where no other member says it: the tag of a person, a client id, the id of a webhook, or the status that the institution got.",
  [`${place}.as_of`]: "Of an operator's check as of another instant than `time`: that instant.",
  [`${place}.withheld`]:
    "True: the institution requires its records, this one could not be appended at once, and its answer was withheld with 503. `status` and `outcome` say what was done.",
});

export const AUDIT: Resource = {
  operations: {
    "GET /v1/audit/head": {
      id: "getLedgerHead",
      tag: "Audit",
      summary: "Get the ledger's head",
      description:
        "Gives the signed head of the ledger, which names the last record. If no head names that record yet, one is signed now. Each PSP check, each grant and its end, each block and each watch leaves a record in the ledger of the institution, by the API and in the console. Each record holds the hash of the one before. Whoever keeps the head can show that a record up to it was altered, removed, moved or cut off.",
      answers: ["LedgerHead"],
      success: "The head.",
    },
    "GET /v1/audit/head/comparison": {
      id: "compareLedgerHead",
      tag: "Audit",
      summary: "Compare a kept head",
      description:
        "Says whether the ledger of today contains a head that you have kept. If so, no record up to it was altered, removed or cut off. Only what its signature covers counts. The chain is followed from there, as far as `followed_to` says.",
      query: comparisonQuery(),
      answers: ["HeadComparison"],
      success: "Whether the ledger contains the kept head.",
      parameters: {
        head: "The kept head: the `jws` of an answer of `GET /v1/audit/head`.",
      },
    },
    "GET /v1/audit/records": {
      id: "listAuditRecords",
      tag: "Audit",
      summary: "List the ledger's records",
      description:
        "Lists the records of the ledger, the newest first. Every PSP check, every grant and its end, every block and every watch leaves one within seconds. So does every refusal. Each has the hash of the one before, and signed heads prove that none was altered, removed or added. Records that are damaged in the store are named in `gaps`; the rest is listed.",
      query: listQuery(),
      answers: ["AuditRecordList"],
      success: "A page of records; an empty list if there are none.",
      parameters: {
        from: `Records from this instant on. It is ${DATE_TIME} A \`+\` is sent as \`%2B\`.`,
        to: "Records before this instant, in the form of `from`.",
        psp_id: "Records about this PSP: its authorisation number, in any spelling.",
        endpoint:
          "Records of this endpoint: its method and path, such as `GET /v1/psp/eidas`; or of withdrawals in the console: `POST /console/permissions/withdraw`.",
        cursor: "The `next_cursor` of the page before, for the same parameters.",
        limit: "How many records a page has: 1 to 200.",
      },
    },
    "GET /v1/audit/records/{evidence_id}": {
      id: "getAuditRecord",
      tag: "Audit",
      summary: "Get a record of the ledger",
      description:
        "Gives a record by the `x-evidence-id` of its answer, with what the record is based on. A record of another institution is not found.",
      answers: ["AuditRecord"],
      refuses: { 404: ["record_not_found"] },
      success: "The record, and what it is based on.",
      parameters: {
        evidence_id: "The `x-evidence-id` of an answer.",
      },
    },
    "GET /v1/audit/records/{evidence_id}/documents/{sha256}": {
      id: "getAuditDocument",
      tag: "Audit",
      summary: "Get a document of a record",
      description:
        "Gives a document that a record is based on, in the bytes that were read. Certificates, OCSP responses and CRLs are in DER. Everything else is the JSON text that was hashed.",
      answers: [],
      bytes: true,
      refuses: { 404: ["record_not_found", "document_not_found"] },
      success: "The document's bytes.",
      parameters: {
        evidence_id: "The `x-evidence-id` of an answer.",
        sha256: "The `sha256` of a document in the record's `evidence`.",
      },
    },
  },
  answers: {
    LedgerHead: ledgerHead,
    HeadComparison: headComparison,
    AuditRecordList: recordList,
    AuditRecord: auditRecord,
  },
  texts: {
    LedgerHead: {
      data: DATA,
      "data.seq": "The number of the last record; 0 if there is none.",
      "data.hash": "SHA-256 of the last record's text; zeros if there is none.",
      "data.time": "When it was signed; null if there is no record.",
      "data.jws":
        "The signature: a compact JWS (RFC 7515) of `fi`, `seq`, `hash`, `first`, `root` and `time`, by a key of `/.well-known/jwks.json`. `root` is that of the tree (RFC 9162 section 2.1) over the hashes of the records from `first` on: by it a record is proven alone. Null while the operator has made no key.",
      "data.kept_from": "The number of the oldest record that is kept; null if there is none.",
    },
    HeadComparison: {
      data: DATA,
      "data.verdict":
        "`contained`: the record of its number has its hash. `differs`: another record has its number, or the chain is broken after it. `shorter`: the ledger ends before it. `unknown`: the record of its number cannot be read.",
      "data.kept": "What the kept head says, by its signature.",
      "data.kept.seq": "The number of its record.",
      "data.kept.hash": "The SHA-256 of its record's text.",
      "data.kept.time": "When it was signed.",
      "data.found": "The SHA-256 of the record that has this number today; null if there is none that can be read.",
      "data.followed_to":
        "The number of the last record up to which the chain was read from the kept head on, and is right: through at most 8 files, or 8,192 records. Null unless the head is contained.",
      "data.differs_at": "The number of the first record that is not what it should be; null unless it differs.",
      "data.gap":
        "Why it is not known, or the chain was not followed further: records are kept no longer (`expired`), or damaged as in `gaps` of the list; null otherwise.",
      "data.head": "The head of today, signed now if it was not.",
      "data.head.seq": "The number of the last record; 0 if there is none.",
      "data.head.hash": "The SHA-256 of its text; zeros if there is none.",
      "data.head.time": "When it was signed; null if there is no record.",
      "data.head.jws": "The signature, as that of the kept one; null while the operator has made no key.",
    },
    AuditRecordList: {
      data: "One page, newest first. A page may hold fewer than asked for, or none, and still have a next one.",
      ...record("data[].record"),
      "data[].text": TEXT,
      "data[].hash": HASH,
      heads: `${HEADS} From the page's oldest record to the first that covers its newest.`,
      gaps: "Records that may belong to this page, are damaged in the store, and cannot be given out; empty as long as none is.",
      "gaps[].first_seq": "The first of them.",
      "gaps[].last_seq": "The last of them.",
      "gaps[].from": "The time of the earliest of them.",
      "gaps[].to": "The time of the latest of them.",
      "gaps[].reason":
        "How it was noticed: their file is `missing`, was `altered` (its SHA-256 is another one), or is `unreadable` (it does not hold what was stored).",
      next_cursor: NEXT_CURSOR,
    },
    AuditRecord: {
      data: DATA,
      ...record("data.record"),
      "data.text": TEXT,
      "data.hash": HASH,
      "data.evidence": "Everything that the record is based on; each can be fetched while it is kept.",
      "data.evidence[].kind": "What it is: an answer, a basis, a certificate, an OCSP answer, a CRL, entries of lists.",
      "data.evidence[].sha256": "Its SHA-256, by which it is fetched.",
      "data.heads": `${HEADS} The first that covers the record; empty while none does.`,
    },
  },
};
