/** The parameters of paths and queries. */
interface ParameterText {
  readonly description: string;
  readonly example: unknown;
}

export const PATH_TEXTS: Readonly<Record<string, ParameterText>> = {
  account_id: {
    description:
      "The bank's identifier of the customer's account, percent-encoded: 1 to 256 characters, no control characters, not `.` or `..`.",
    example: "account-4711",
  },
  token: {
    description: "The `access_token` of the answer that gave it, unchanged.",
    example: "20261122T041500Z.0mwqxj5kbvEDTjqXEH1DtkyemiPQLhQ.Zk9xT2",
  },
  consent_id: {
    description: "The `consent_id` of the answer that created the consent.",
    example: "0mwqxj5kbvEDTjqXEH1DtkyemiPQLhQ",
  },
  permission_id: {
    description: "The `id` of a permission in the list of the account.",
    example: "0mwqxj5kbvEDTjqXEH1DtkyemiPQLhQ",
  },
};

/** By operationId and name. */
export const QUERY_TEXTS: Readonly<Record<string, ParameterText>> = {
  "listAccountTokens.cursor": {
    description: "From the address in the header Link of the page before; nothing for the first page.",
    example: "1.1763784900000.0mwqxj5kbvEDTjqXEH1DtkyemiPQLhQ",
  },
  "listPaymentOrderConsents.limit": { description: "How many consents a page has: 1 to 100.", example: 25 },
  "listPaymentOrderConsents.cursor": {
    description: "The `next_cursor` of the page before; nothing for the first page.",
    example: "0mwqxj5kbvEDTjqXEH1DtkyemiPQLhQ",
  },
  "listPaymentOrderConsents.consent_id": {
    description: "Only this consent: a list of one, or an empty one.",
    example: "0mwqxj5kbvEDTjqXEH1DtkyemiPQLhQ",
  },
  "checkPsp.jurisdiction": {
    description:
      "The country where the bank holds the customer's account: a code of ISO 3166-1 in upper or lower case; EL and UK stand for GR and GB. In the sandbox XX and XY, too.",
    example: "XX",
  },
  "listAccountPermissions.status": {
    description: "Only those that are active, or only those that have ended.",
    example: "active",
  },
  "listAccountPermissions.cursor": {
    description: "The `next_cursor` of the page before, for the same account and status.",
    example: "0mwqxj5kbvEDTjqXEH1DtkyemiPQLhQ",
  },
  "withdrawAccountPermissions.by": {
    description: "Who withdraws: the list shows it in `ended_by`.",
    example: "customer",
  },
  "withdrawAccountPermission.by": {
    description: "Who withdraws: the list shows it in `ended_by`.",
    example: "customer",
  },
};
