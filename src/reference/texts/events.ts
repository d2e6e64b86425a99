/** Fields of events and watches. */
import type { FieldTexts } from "./shared.ts";
import { DATA, NEXT_CURSOR, PSP_ID } from "./shared.ts";

const WATCHED_SINCE = "Since when it is watched.";

export const EVENT_ANSWERS: Readonly<Record<string, FieldTexts>> = {
  EventList: {
    data: "One page, oldest first.",
    "data[].id": "The event's id: the header `webhook-id` of its deliveries.",
    "data[].type":
      "`psp.status_changed`: what the home register says of the PSP. `qtsp.withdrawn`: the trusted list no longer vouches for a certificate that it showed, so that a check says no to it. `psp.certificate_revoked`: a check saw a revoked certificate of it. `psp.code_used_twice`: a code of it was sent again after it had given a token, so somebody else may have it; the token is revoked. `source.stale`: a register or list is older than it may be. `webhook.test`: a test of the operator.",
    "data[].timestamp": "When it was found out.",
    "data[].data": "What has changed.",
    "data[].data.psp_id": `${PSP_ID} Null if it is not about one PSP.`,
    "data[].data.before":
      "What the institution knew before. By type: of `psp.status_changed` an object with `ambiguous` and `categories` (`category`, `status`, `payment_services`, `passports` by country); of `qtsp.withdrawn` the listed service, its status, and the SHA-256 of the certificates concerned; of `psp.certificate_revoked` the SHA-256 of the certificate; of `psp.code_used_twice` the scope, the permission or consent of the token (null: it was not stored), and whether the token is revoked; of `source.stale` the source and its dates.",
    "data[].data.after": "The same, as it is now.",
    "data[].data.evidence": "The documents that it is based on.",
    "data[].data.evidence[].document":
      "Which one, such as `register FI eba`, `listed service`, `certificate`, `OCSP` or `CRL`.",
    "data[].data.evidence[].sha256":
      "Its SHA-256 in lower-case hexadecimal; of a register the `snapshot` of `GET /status` and of a check's evidence, which is half as long.",
    "data[].data.grants": "What the PSP has at the institution at that time. Null if it is not about one PSP.",
    "data[].data.grants.tokens":
      "Accounts and scopes for which it has a live token of the core flow; counted among its newest 5,000.",
    "data[].data.grants.consents":
      "Its authorised consents that have not ended; counted among its newest 5,000 of each kind.",
    next_after: "The parameter `after` of the next request. Always given: without a new event it is the same.",
  },
  Watch: {
    data: DATA,
    "data.psp_id": PSP_ID,
    "data.watched_since": WATCHED_SINCE,
  },
  WatchList: {
    data: "One page, in the order of the authorisation numbers as texts.",
    "data[].psp_id": PSP_ID,
    "data[].watched_since": WATCHED_SINCE,
    next_cursor: NEXT_CURSOR,
  },
};
