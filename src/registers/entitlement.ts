/** Whether a PSP may use a scope: both its certificate and its home register must grant the payment service. Pure. */

import type { RegisterReading } from "./lookup.ts";
import { servicesOf } from "./psp-record.ts";
import { statusAt } from "./status.ts";

export type Scope = "payments" | "accounts";

/** Payment initiation and account information, with the numbers of the interface. */
export const SERVICE_OF_SCOPE: Readonly<Record<Scope, number>> = { payments: 7, accounts: 8 };

export type EntitlementRefusal =
  | "role-not-on-certificate"
  | "register-not-loaded"
  | "ambiguous-in-register"
  | "not-in-register"
  | "service-not-in-register"
  | "withdrawn"
  | "unauthorised"
  | "status-not-documented";

export type Entitlement = { ok: true } | { ok: false; reason: EntitlementRefusal };

/**
 * `services`: the payment services of the certificate's roles. One category that grants the service and is Authorised
 * or Registered at `now` (milliseconds since 1970) is sufficient. Otherwise the reason is that of the closest category.
 */
export function checkEntitlement(input: {
  reading: RegisterReading;
  scope: Scope;
  services: readonly number[];
  now: number;
}): Entitlement {
  const { reading, scope, services, now } = input;
  const service = SERVICE_OF_SCOPE[scope];
  if (!services.includes(service)) return refuse("role-not-on-certificate");
  if (reading.ambiguous) return refuse("ambiguous-in-register");
  if (reading.manifests.length === 0) return refuse("register-not-loaded");
  if (reading.categories.length === 0) return refuse("not-in-register");

  const giving = reading.categories.filter(({ record }) => servicesOf(record).includes(service));
  const statuses = (giving.length > 0 ? giving : reading.categories).map(({ psp, record }) =>
    statusAt(psp, record, now),
  );
  if (statuses.some((status) => status === "Authorised" || status === "Registered")) {
    return giving.length > 0 ? { ok: true } : refuse("service-not-in-register");
  }
  if (statuses.includes("Withdrawn")) return refuse("withdrawn");
  return refuse(statuses.includes("Unauthorised") ? "unauthorised" : "status-not-documented");
}

const refuse = (reason: EntitlementRefusal): Entitlement => ({ ok: false, reason });

/** A sentence for an error's text or the `warning` of a CCG token. */
export function explainRefusal(reason: EntitlementRefusal, authNumber: string, scope: Scope): string {
  const service = `payment service ${SERVICE_OF_SCOPE[scope]}, which scope ${scope} needs`;
  switch (reason) {
    case "role-not-on-certificate":
      return `the certificate of PSP ${authNumber} has no role for ${service}`;
    case "register-not-loaded":
      return `no register of the home country of PSP ${authNumber} is loaded, so ${service}, cannot be confirmed`;
    case "ambiguous-in-register":
      return `several register entries match PSP ${authNumber}, so none of them is used`;
    case "not-in-register":
      return `could not find a register entry for PSP ${authNumber}`;
    case "service-not-in-register":
      return `the home register does not give PSP ${authNumber} ${service}`;
    case "withdrawn":
      return `the authorisation of PSP ${authNumber} has been withdrawn in its home register`;
    case "unauthorised":
      return `PSP ${authNumber} is unauthorised in its home register`;
    case "status-not-documented":
      return `the home register documents no authorisation of PSP ${authNumber}`;
  }
}
