/**
 * The interface's register categories, and what follows from a category alone: "Registered" instead of "Authorised", and
 * a credit institution's eight services.
 */

export const CATEGORIES = [
  "Payment Institution",
  "Exempt Payment Institution",
  "E-Money Institution",
  "Exempt E-Money Institution",
  "AISP",
  "Credit Institution",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** PSPs of these categories are registered instead of authorised (interface, "PSP check result"). */
export const REGISTERED_INSTEAD_OF_AUTHORISED: ReadonlySet<string> = new Set<Category>([
  "Exempt Payment Institution",
  "Exempt E-Money Institution",
  "AISP",
]);

/** Payment services 1 to 8, ascending. */
export type PaymentServices = readonly number[];
export const ALL_PAYMENT_SERVICES: PaymentServices = [1, 2, 3, 4, 5, 6, 7, 8];

/** A credit institution has all eight payment services in its home country, whatever its register states. */
export const CATEGORIES_WITH_ALL_SERVICES: ReadonlySet<string | null> = new Set<Category>(["Credit Institution"]);
