/** The account-information permissions of UK Open Banking (Account Access Consents, "Permissions"). */
export const PERMISSIONS = [
  "ReadAccountsBasic",
  "ReadAccountsDetail",
  "ReadBalances",
  "ReadBeneficiariesBasic",
  "ReadBeneficiariesDetail",
  "ReadDirectDebits",
  "ReadOffers",
  "ReadPAN",
  "ReadParty",
  "ReadPartyPSU",
  "ReadProducts",
  "ReadScheduledPaymentsBasic",
  "ReadScheduledPaymentsDetail",
  "ReadStandingOrdersBasic",
  "ReadStandingOrdersDetail",
  "ReadStatementsBasic",
  "ReadStatementsDetail",
  "ReadTransactionsBasic",
  "ReadTransactionsCredits",
  "ReadTransactionsDebits",
  "ReadTransactionsDetail",
] as const;

export type AccessPermission = (typeof PERMISSIONS)[number];
