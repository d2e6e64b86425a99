/** What both kinds of consent share: whose they are, and how they are authorised for a PSU account. */

/** The FI and the PSP of a consent. Both must match the caller. */
export interface ConsentOwner {
  readonly fiId: number;
  readonly pspId: string;
}

/** The owner of the consents that a request by this FI for this PSP creates or finds. */
export const ownerOf = (caller: {
  readonly fi: { readonly id: number };
  readonly client: { readonly pspId: string };
}): ConsentOwner => ({ fiId: caller.fi.id, pspId: caller.client.pspId });

/**
 * The result of authorising a consent for a PSU account. `agreedAfter`: the last ticket that was given before (tickets.ts).
 * The first authorization fixes the account. A payment order consent is consumed once a token was issued under it.
 * "blocked": the FI has blocked the account for the scope. Only an account access consent expires.
 */
export type Authorisation =
  | { readonly ok: true; readonly agreedAfter: number }
  | { readonly ok: false; readonly reason: "unknown" | "expired" | "other_account" | "consumed" | "blocked" };
