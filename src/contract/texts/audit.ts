/** Fields of the ledger. */
import type { FieldTexts } from "./field-texts.ts";
import { DATA } from "./shared.ts";

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
};
