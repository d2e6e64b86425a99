/** Which certificates of the plan may get a token for a scope. */
import type { Bank } from "../bank.ts";
import { drawOne } from "../mix.ts";
import { CERTIFICATES, isEntitled, type PlannedCertificate, planCertificate } from "../world/plan.ts";

export type Scope = "payments" | "accounts";
export const SCOPES: readonly Scope[] = ["payments", "accounts"];

const PLANS = Array.from({ length: CERTIFICATES }, (_, index) => planCertificate(index));
const ENTITLED: Readonly<Record<Scope, readonly PlannedCertificate[]>> = {
  payments: PLANS.filter((plan) => isEntitled(plan, "payments")),
  accounts: PLANS.filter((plan) => isEntitled(plan, "accounts")),
};

export const drawEntitled = (bank: Bank, scope: Scope): PlannedCertificate => drawOne(bank.random, ENTITLED[scope]);

/** One whose certificate says who it is, and that may not use the scope. */
export const drawUnentitled = (bank: Bank): PlannedCertificate => drawOne(bank.random, UNENTITLED);
const UNENTITLED = PLANS.filter(({ fault, standing }) => fault === null && standing === "unauthorised");

export const eidasOf = (bank: Bank, { index }: PlannedCertificate): string =>
  bank.world.certificates[index]?.base64 ?? "";
