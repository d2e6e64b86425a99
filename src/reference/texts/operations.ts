/** What each operation is for. */
interface OperationText {
  readonly summary: string;
  readonly description: string;
}

export const OPERATION_TEXTS: Readonly<Record<string, OperationText>> = {
  "POST /v1/oauth2/authorization_codes": {
    summary: "Create an authorization code",
    description:
      "The customer has agreed at the bank: makes a code for the PSP of the certificate, and the address to which the bank sends the customer back. A code lives 60 seconds, works once, and only for this PSP, account and redirect URI. A refusal is an address, too (403): the bank sends the customer there all the same.",
  },
  "POST /v1/oauth2/tokens": {
    summary: "Exchange a code for an access token",
    description:
      "Takes the code that the PSP got by the redirect. A second use is refused and revokes the token of the first. With `client_credentials` the answer is a fixed token that gives no access. Do not repeat this request by itself: a 503 says whether the code is still usable.",
  },
  "GET /v1/oauth2/tokens/{token}": {
    summary: "Get the record of a token",
    description: "Of a token that this bank was given, in either flow; also one that is expired or revoked.",
  },
  "DELETE /v1/oauth2/tokens/{token}": {
    summary: "Revoke a token",
    description: "The token is inactive from now on; its record stays. Revoking it again changes nothing.",
  },
  "GET /v1/oauth2/account/{account_id}/tokens": {
    summary: "List the tokens of an account",
    description:
      "Active tokens come first, then those that have ended; of each the one that expires last comes first. The order of the first page holds for all pages. A page has up to 1,000; the header Link leads to the next.",
  },
  "POST /v1/obie/ccg_tokens": {
    summary: "Create a CCG token for a PSP",
    description:
      "Checks the certificate in the body, and gives a token that stands for its PSP and one scope in the other requests of this flow. A PSP without the scope's payment service gets a token with a warning, and later no code.",
  },
  "POST /v1/obie/authorization_codes": {
    summary: "Create an authorization code for a consent",
    description:
      "The customer has authorised the consent at the bank for this account: sets it to Authorised and makes a code, as in the core flow. The first authorization binds the consent to the account. A refusal (403) is an address, too.",
  },
  "POST /v1/obie/tokens": {
    summary: "Exchange a code for an access token",
    description:
      "As in the core flow. The token never outlives its consent. A payment order consent gives one token, and is Consumed by it. Do not repeat this request by itself: a 503 says whether the code is still usable.",
  },
  "GET /v1/obie/tokens/{token}": {
    summary: "Get information about a token",
    description: "Of a token of the PSP that the CCG token stands for.",
  },
  "POST /v1/obie/account_access_consents": {
    summary: "Create an account access consent",
    description:
      "What the PSP wants to read, before the customer has seen it. The operator may limit how long a consent lives; then an expiration beyond that is cut.",
  },
  "GET /v1/obie/account_access_consents/{consent_id}": {
    summary: "Get an account access consent",
    description:
      "Of the PSP that created it, until it is deleted or withdrawn. One that has expired is `consent_expired` to that PSP, and not found by another.",
  },
  "DELETE /v1/obie/account_access_consents/{consent_id}": {
    summary: "Delete an account access consent",
    description: "The PSP gives the consent up: its tokens are revoked with it.",
  },
  "POST /v1/obie/payment_order_consents": {
    summary: "Create a payment order consent",
    description: "One payment, before the customer has authorised it. The bank executes it; this service does not.",
  },
  "GET /v1/obie/payment_order_consents": {
    summary: "List payment order consents",
    description: "Those of the PSP, in pages: the one that was created last comes first.",
  },
  "GET /v1/obie/payment_order_consents/{consent_id}": {
    summary: "Get a payment order consent",
    description: "Of the PSP that created it.",
  },
  "GET /v1/psp/eidas": {
    summary: "Check a PSP",
    description:
      "Four verdicts on the certificate, and the PSP's entries in the registers of its home country and of the jurisdiction. What is unknown is never a yes. Payment services are those of the registers, never the roles of the certificate. A role stands for payment services: `PSP_PI` for 7, `PSP_AI` for 8, `PSP_IC` (issuing of card-based payment instruments, CBPII) for 5, `PSP_AS` for 1 to 8. This endpoint has no 400: malformed parameters are 404.",
  },
  "POST /v1/psp/checks": {
    summary: "Check many PSPs",
    description:
      "Up to 50 certificates, each for up to 31 jurisdictions, in the form of GET /v1/psp/eidas. What is wrong with one concerns no other: it has its own errors. The body may have 1,024 KiB. Repeating the request is harmless.",
  },
  "POST /v1/psp/signatures": {
    summary: "Verify the signed request of a PSP",
    description:
      "Was the request signed by a PSP with its QSealC? The profile is recognised: Berlin Group, STET, RFC 9421, UK Open Banking or JAdES. The answer is that of GET /v1/psp/eidas on the certificate that signed, and `signature`. What is wrong with the signature is no error of the caller's: the answer is 200, and `problems` has a code for each. `binds` names the parts of the request that were signed. With the certificate of the TLS connection in the header `eidas`, both have to be of one PSP. Algorithms: RSA PKCS#1 v1.5 and PSS of 2,048 bits and more, ECDSA on P-256 and P-384, Ed25519.",
  },
  "POST /v1/introspect": {
    summary: "Introspect a token",
    description:
      "RFC 7662, with the caller's Basic credentials. Of a token that is not active nothing else is said. With the certificate of the PSP that shows the token, a stolen token is worth nothing. The body may be a form, too. Repeating the request is harmless.",
  },
  "GET /v1/access": {
    summary: "Let a request pass",
    description:
      "For a gateway in front of the bank's API: may this request of a PSP pass? 200 says yes, and headers say for whom. A challenge `Bearer` (RFC 6750) is for the PSP: 401 `invalid_token`, 403 `insufficient_scope`. Every other answer is for who runs the gateway: nothing passes, and the PSP is told 503. The rule is that of an introspection with a certificate. Answers leave no record in the ledger.",
  },
  "GET /v1/accounts/{account_id}/permissions": {
    summary: "List the permissions of an account",
    description:
      "What the customer agreed to, with words for a page that the customer reads. The one whose consent was created last, or whose first token was issued last, comes first. Without `status` active and ended ones are mixed. A page may hold fewer than 50, or none, and still have a next one.",
  },
  "DELETE /v1/accounts/{account_id}/permissions": {
    summary: "Withdraw all permissions of an account",
    description: "Ends each permission that is active, and revokes its tokens. Without any it changes nothing.",
  },
  "DELETE /v1/accounts/{account_id}/permissions/{permission_id}": {
    summary: "Withdraw a permission",
    description: "Ends it and revokes its tokens at once; the PSP is not asked. Ended ones stay as they are.",
  },
  "GET /v1/accounts/{account_id}/block": {
    summary: "Get the block of an account",
    description: "Empty if the account is not blocked.",
  },
  "PUT /v1/accounts/{account_id}/block": {
    summary: "Block an account",
    description:
      "For one scope or both; replaces an earlier block. No code, no token and no authorization is given, and live tokens are inactive, until the block is lifted. Nothing is revoked.",
  },
  "DELETE /v1/accounts/{account_id}/block": {
    summary: "Lift the block of an account",
    description:
      "For both scopes: to keep one blocked, PUT it. Tokens that are still alive work again. Without a block it changes nothing.",
  },
  "GET /v1/audit/head": {
    summary: "Get the signed end of the ledger",
    description:
      "Each PSP check, each grant and its end, each block and each watch leaves a record in the ledger of the institution, by the API and in the console; each record holds the hash of the one before. The head names the last one, and is signed now if it was not. Who keeps it can show that a record up to it was altered, removed, moved or cut off.",
  },
  "GET /v1/audit/head/comparison": {
    summary: "Compare a kept head with the ledger",
    description:
      "Whether the ledger of today contains a head that you have kept: no record up to it was altered, removed or cut off. What counts is what its signature says. The chain is followed from there, as far as `followed_to` says.",
  },
  "GET /v1/audit/records": {
    summary: "List the records of the ledger",
    description:
      "Newest first. Every PSP check, every grant and its end, every block and every watch leaves one, refusals, too, within seconds. Each has the hash of the one before, and signed heads prove that none was altered, removed or added. Records that are damaged in the store are named in `gaps`; the rest is listed.",
  },
  "GET /v1/audit/records/{evidence_id}": {
    summary: "Get a record and what it is based on",
    description: "By the `x-evidence-id` of the answer. Another institution's is not found.",
  },
  "GET /v1/audit/records/{evidence_id}/documents/{sha256}": {
    summary: "Get a document that a record is based on",
    description:
      "Its bytes as they were: certificates, OCSP responses and CRLs in DER, everything else the JSON text that was hashed. Only what the record is based on.",
  },
  "GET /v1/psp/watches": {
    summary: "List the watched PSPs",
    description: "In the order of their authorisation numbers as texts, in pages of 1,000.",
  },
  "PUT /v1/psp/watches/{authorisation_number}": {
    summary: "Watch a PSP",
    description:
      "From now on the institution is notified of what changes of this PSP, also while it has no token or consent there. Repeating the request changes nothing. At most 10,000 are watched.",
  },
  "DELETE /v1/psp/watches/{authorisation_number}": {
    summary: "Watch a PSP no longer",
    description:
      "While the PSP has live tokens or consents, the institution is notified nevertheless. Without a watch it changes nothing.",
  },
  "GET /v1/events": {
    summary: "List events",
    description:
      "What changed of the PSPs that the institution watches, or that have live tokens or consents there: oldest first, from a position on. A change is listed minutes after its list or register was loaded. The operator can have events delivered to a webhook, too.",
  },
  "GET /health": {
    summary: "Is the service up?",
    description: "For monitors, without credentials. The answer is at most 10 seconds old.",
  },
  "GET /.well-known/jwks.json": {
    summary: "Which keys sign answers?",
    description:
      "The public keys (RFC 7517) of signed answers, without credentials: the one that signs, and those that signed before. Empty if the operator made none.",
  },
  "GET /status": {
    summary: "How fresh is the data?",
    description:
      "Each trusted list and register that is loaded, its age, its next update and its last error; why the service is degraded, and warnings about its configuration.",
  },
};
