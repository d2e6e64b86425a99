/** Fields of what the bank asks for itself: permissions, blocks, events, watches, and the state of the service. */
import { DATA, type FieldTexts, NEXT_CURSOR, PSP_ID } from "./shared.ts";

export const ACCOUNT_REQUESTS: Readonly<Record<string, FieldTexts>> = {
  AccountBlockRequest: {
    scopes: "What is blocked, each scope once. One that is not named is free again. To lift the whole block: DELETE.",
  },
};

export const ACCOUNT_ANSWERS: Readonly<Record<string, FieldTexts>> = {
  PermissionList: {
    data: "One page: the one whose consent was created last, or whose first token was issued last, first. `granted_at` may have another order.",
    "data[].id": "The id of the permission: that of its consent, or of its first token.",
    "data[].status": "`active` or `ended`.",
    "data[].psp": "Who has the permission.",
    "data[].psp.legal_name": "The PSP's name in its home register; null if it has none or cannot be read.",
    "data[].psp.authorisation_number": "The PSP's authorisation number in its normal form.",
    "data[].psp.home_country": "Two capitals; null if the number names no country.",
    "data[].psp.standing": "Its status in the home register now; null if that documents none, or cannot be read.",
    "data[].scope": "`payments` or `accounts`.",
    "data[].consent_id": "The consent. Absent in the core flow.",
    "data[].data": "What it is about, in words for the customer.",
    "data[].data[].group": "A heading, such as Your account details.",
    "data[].data[].words": "One sentence or phrase for each kind of data.",
    "data[].permissions": "The words of the account access consent, in the order of its creation's request.",
    "data[].transaction_from_date_time": "The first instant of which transactions may be read; null: the earliest.",
    "data[].transaction_to_date_time": "The last one; null: the latest.",
    "data[].granted_at": "When the customer first authorised it.",
    "data[].valid_until": "When it ends by itself; null: open ended.",
    "data[].last_token_at": "When its last token was issued; null if none was.",
    "data[].blocked": "Its account is blocked for its scope: its tokens are inactive while that lasts.",
    "data[].ended_at": "When it ended; null if it is active, or if that is not known.",
    "data[].ended_by":
      "Who or what ended it: the PSP, the bank, the customer, its expiry, the loss of the PSP's authorisation, or a code of it that was used twice (`code_used_twice`): somebody may have stolen the code. Null if it is active.",
    next_cursor: NEXT_CURSOR,
  },
  AccountBlock: {
    data: DATA,
    "data.scopes": "The scopes that are blocked, `payments` before `accounts`; empty if the account is not blocked.",
    "data.blocked_at": "Since when; of two scopes the older. Null if the account is not blocked.",
  },
};

const WATCHED_SINCE = "Since when it is watched.";

/** Of every event; `type` and `data.before` have a text for each type. */
const EVENT: FieldTexts = {
  id: "The event's id: the header `webhook-id` of its deliveries.",
  type: "Decides the form of `before` and `after`. A later release may have more types.",
  timestamp: "When it was found out.",
  data: "What has changed.",
  "data.psp_id": `${PSP_ID} Null if it is not about one PSP.`,
  "data.before": "What the institution knew before.",
  "data.after": "The same, as it is now.",
  "data.evidence": "The documents that it is based on.",
  "data.evidence[].document": "Which one, such as `register FI eba`, `listed service`, `certificate`, `OCSP` or `CRL`.",
  "data.evidence[].sha256":
    "Its SHA-256 in lower-case hexadecimal; of a register the `snapshot` of `GET /status` and of a check's evidence, which is half as long.",
  "data.grants": "What the PSP has at the institution at that time. Null if it is not about one PSP.",
  "data.grants.tokens":
    "Accounts and scopes for which it has a live token of the core flow; counted among its newest 5,000.",
  "data.grants.consents": "Its authorised consents that have not ended; counted among its newest 5,000 of each kind.",
};

/** Of `before` and `after`, by the names of the events. */
const NEWS = {
  PspStatusChanged: {
    ambiguous: "Several entries of the register have the PSP's number, so none of them is used.",
    categories: "Its entries in its home register; empty if it is not there.",
    "categories[].category": "As in a check; `Agent` and `Not documented` stand for what has no category there.",
    "categories[].status": "Null if the register documents none.",
    "categories[].payment_services": "In the home country: 1 to 8.",
    "categories[].passports": "By country: the payment services there.",
  },
  QtspWithdrawn: {
    source: "Where the list or the register is from.",
    jurisdiction: "The country of the list or the register.",
    service: "The name of the listed service that issued the certificates.",
    anchor: "SHA-256 of the service's certificate.",
    status:
      "`granted` while a check accepts its certificates; else as on the list, `not listed`, or `not qualified`: granted for other certificates.",
    reason: "Why a check says no. Absent before.",
    certificates: "SHA-256 of the PSP's certificates of which this is so.",
  },
  PspCertificateRevoked: { certificate: "SHA-256 of the certificate.", revoked: "Whether it is known as revoked." },
  PspCodeUsedTwice: {
    scope: "`payments` or `accounts`.",
    permission_id: "The permission or consent of the code's token; null if the token was not stored.",
    token_revoked: "Whether the token is revoked.",
  },
  SourceStale: {
    stale: "Whether it is older than it may be.",
    source: "Where the list or the register is from.",
    jurisdiction: "The country of the list or the register.",
    sequence_number: "Of a trusted list: its number.",
    issued_at: "Of a trusted list: when it was issued.",
    next_update: "Of a trusted list: when the next one was due; null if it does not say.",
    published: "Of a register: when it was published.",
    fetched_at: "Of a register: when it was last found to be the current one.",
  },
  WebhookTest: {},
} as const satisfies Readonly<Record<string, FieldTexts>>;

const below = (place: string, texts: FieldTexts): FieldTexts =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${place}.${path}`, text]));

const textsOf = (news: FieldTexts): FieldTexts => ({
  ...EVENT,
  ...below("data.before", news),
  ...below("data.after", news),
});

export const EVENT_ANSWERS: Readonly<Record<string, FieldTexts>> = {
  ...Object.fromEntries(Object.entries(NEWS).map(([name, news]) => [name, textsOf(news)])),
  EventList: {
    data: "One page, oldest first.",
    ...below("data[]", Object.assign({}, ...Object.values(NEWS).map(textsOf))),
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

const refresh = (place: string) => ({
  [place]: "How its refreshes go; null if it is not refreshed by itself.",
  [`${place}.checkedAt`]: "When the loaded data was last found to be current; null if never.",
  [`${place}.nextCheck`]: "When it is looked at next.",
  [`${place}.failures`]: "How many refreshes have failed since the last one that did not.",
  [`${place}.lastError`]: "The last failure; null if there was none.",
  [`${place}.lastError.at`]: "When.",
  [`${place}.lastError.message`]: "Why.",
  [`${place}.refusedImport`]: "The operator's last import, if it was refused; null otherwise.",
  [`${place}.refusedImport.at`]: "When.",
  [`${place}.refusedImport.message`]: "Why.",
});

const source = (place: string) => ({
  [`${place}.source`]: "Where it comes from.",
  [`${place}.jurisdiction`]: "Its country, or EU; null for a source of many countries that is not loaded.",
  [`${place}.loaded`]: "Whether its data is used.",
  [`${place}.published`]: "When the source published it; null if it does not say, or nothing is loaded.",
  [`${place}.fetchedAt`]: "When it was last found to be the current one; null if nothing is loaded.",
  [`${place}.nextUpdate`]: "Until when a newer one is due; null if the source does not say it.",
  [`${place}.stale`]: "Older than its publisher or the operator allows. It is used, with a warning.",
  ...refresh(`${place}.refresh`),
});

export const OPERATION_ANSWERS: Readonly<Record<string, FieldTexts>> = {
  Health: {
    status: "`up`; `degraded` if data is missing, stale or fails repeatedly; `down` if a store does not answer.",
    reasons: "Why it is not up, each once.",
    version: "The version of the service.",
  },
  SigningKeys: {
    keys: "Oldest first; the last one signs.",
    "keys[].kty": "An octet key pair (RFC 8037).",
    "keys[].crv": "The curve.",
    "keys[].x": "The public key, base64url.",
    "keys[].kid": "What `keyid` of a signature names: the time when the key was made.",
    "keys[].use": "For signatures only.",
    "keys[].alg": "The algorithm; `ed25519` in RFC 9421.",
    "keys[].nbf": "From when on it signed, in seconds since 1970.",
    "keys[].exp":
      "Until when it signed, in seconds since 1970; absent while it signs. What it signed before stays proven.",
  },
  Status: {
    version: "The version of the service.",
    status: "`up`, or `degraded` for the reasons below.",
    reasons: "Why it is degraded; empty if it is up.",
    "reasons[].code": "The reason, for programs.",
    "reasons[].message": "The reason, for people.",
    "reasons[].source": "The source that it is about; null if nothing is loaded.",
    "reasons[].jurisdiction": "Its country; null if nothing is loaded.",
    trustedLists:
      "The trusted lists, which say whom to believe: those that are loaded in the order of source and country, then the others.",
    ...source("trustedLists[]"),
    "trustedLists[].sequenceNumber": "The number of the list's issue; null if it is not known.",
    "trustedLists[].services": "How many services are on it.",
    "trustedLists[].anchors": "How many certificates of services for qualified certificates.",
    registers:
      "The registers, which say what a PSP may do: those that are loaded in the order of country and source, then the others.",
    ...source("registers[]"),
    "registers[].snapshot": "A hash of the data; null if nothing is loaded.",
    "registers[].psps": "How many PSPs it has.",
    "registers[].agents": "How many agents.",
    "registers[].refused": "How many PSPs have malformed records; their earlier records are kept.",
    "registers[].kept": "The first ten of those PSPs whose earlier records are kept; a check of one says as of when.",
    "registers[].undated":
      "The first ten PSPs of which a category was withdrawn on a day that cannot be read: its status is null, and it entitles to nothing.",
    crls: "The revocation lists that are kept.",
    "crls.loaded": "How many.",
    "crls.nextUpdate": "The earliest next update of one; null if there is none.",
    ...refresh("crls.refresh"),
    warnings: "What is wrong with the service's configuration, in sentences.",
  },
};
