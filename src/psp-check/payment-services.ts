/** The payment services of PSD2's Annex I, which registers and certificates name by number, in words for people. */
export const PAYMENT_SERVICES: Readonly<Record<number, string>> = {
  1: "placing cash on a payment account",
  2: "withdrawing cash from a payment account",
  3: "executing payments",
  4: "executing payments covered by a credit line",
  5: "issuing payment instruments, acquiring payments",
  6: "money remittance",
  7: "payment initiation",
  8: "account information",
};
