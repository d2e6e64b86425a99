/** Fields of the ledger's records. */
import type { FieldTexts } from "./field-texts.ts";
import { DATA, NEXT_CURSOR } from "./shared.ts";

const TEXT = "The record as it is stored and hashed: the exact text of `record`.";
const HASH = "SHA-256 of the UTF-8 of `text`: what the next record holds as `prev`.";
const HEADS =
  "Signed ends of the chain, oldest first: compact JWS (RFC 7515) by the keys of /.well-known/jwks.json, with `fi`, `seq`, `hash` and `time`.";

const record = (place: string) => ({
  [place]: "The record.",
  [`${place}.seq`]: "Its number in the institution's chain: 1, 2, 3, ... without gaps.",
  [`${place}.prev`]: "SHA-256 of the text of the record before; of the first one zeros.",
  [`${place}.id`]: "The `x-evidence-id` of the answer.",
  [`${place}.time`]: "The instant as of which the request was judged.",
  [`${place}.release`]: "The version of the service that answered.",
  [`${place}.fi`]: "The institution: its `fi_reference_id`.",
  [`${place}.request_id`]: "The `x-request-id` of the answer.",
  [`${place}.event`]: "What was asked for.",
  [`${place}.endpoint`]:
    "The method and path of the endpoint; of a withdrawal in the console those of its form, `POST /console/permissions/withdraw`.",
  [`${place}.version`]: "The header `version` of the request; `1` of a form of the console.",
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
  [`${place}.client`]: "Of a form of the console alone: the client id with which whoever sent it had signed in.",
});

export const AUDIT_ANSWERS: Readonly<Record<string, FieldTexts>> = {
  LedgerHead: {
    data: DATA,
    "data.seq": "The number of the last record; 0 if there is none.",
    "data.hash": "SHA-256 of the last record's text; zeros if there is none.",
    "data.time": "When it was signed; null if there is no record.",
    "data.jws":
      "The signature: a compact JWS (RFC 7515) of `fi`, `seq`, `hash` and `time`, by a key of `/.well-known/jwks.json`. Null while the operator has made no key.",
    "data.kept_from": "The number of the oldest record that is kept; null if there is none.",
  },
  AuditRecordList: {
    data: "One page, newest first. A page may hold fewer than asked for, or none, and still have a next one.",
    ...record("data[].record"),
    "data[].text": TEXT,
    "data[].hash": HASH,
    heads: `${HEADS} From the page's oldest record to the first that covers its newest.`,
    next_cursor: NEXT_CURSOR,
  },
  AuditRecord: {
    data: DATA,
    ...record("data.record"),
    "data.text": TEXT,
    "data.hash": HASH,
    "data.evidence": "Everything that the record rests on; each can be fetched while it is kept.",
    "data.evidence[].kind": "What it is: an answer, a basis, a certificate, an OCSP answer, a CRL, entries of lists.",
    "data.evidence[].sha256": "Its SHA-256, by which it is fetched.",
    "data.heads": `${HEADS} The first that covers the record; empty while none does.`,
  },
};
