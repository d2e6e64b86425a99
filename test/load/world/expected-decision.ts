/** The decision on each certificate of the plan, by the decision's four conditions (docs/interface.md). */
import { CATEGORIES, HOST, type PlannedCertificate } from "./plan.ts";

interface Reason {
  readonly code: string;
  readonly message: string;
  readonly whose: "psp" | "qtsp" | "nca";
}

/** The verdicts' warnings are reasons, too: in this order. */
const VERDICT_REASONS: readonly (readonly [code: string, whose: Reason["whose"]])[] = [
  ["certificate_expired", "psp"],
  ["qtsp_invalid", "qtsp"],
  ["signature_invalid", "psp"],
  ["certificate_revoked", "psp"],
  ["revocation_unknown", "qtsp"],
];

export function expectedDecision(
  plan: PlannedCertificate,
  warnings: readonly { readonly code: string; readonly sentence: string }[],
  abroad: boolean,
) {
  const verdicts = VERDICT_REASONS.flatMap(([code, whose]) =>
    warnings.filter((warning) => warning.code === code).map(({ sentence }) => ({ code, message: sentence, whose })),
  );
  const of = (scope: "payments" | "accounts", service: 7 | 8) => {
    const reasons = [
      ...verdicts,
      ...roleReasons(plan, scope, service),
      ...registerReasons(plan, scope, service, abroad),
    ];
    return { allowed: reasons.length === 0, reasons };
  };
  return { payments: of("payments", 7), accounts: of("accounts", 8) };
}

function roleReasons({ roles, pspId }: PlannedCertificate, scope: string, service: 7 | 8): Reason[] {
  if (roles.includes("PSP_AS") || roles.includes(service === 7 ? "PSP_PI" : "PSP_AI")) return [];
  const message = `the certificate of PSP ${pspId} has no role for payment service ${service}, which scope ${scope} needs`;
  return [{ code: "role_not_on_certificate", message, whose: "psp" }];
}

function registerReasons(
  { standing, pspId }: PlannedCertificate,
  scope: string,
  service: number,
  abroad: boolean,
): Reason[] {
  const needed = `payment service ${service}, which scope ${scope} needs`;
  const nca = (code: string, message: string): Reason => ({ code, message, whose: "nca" });
  const categories = CATEGORIES[standing];
  if (categories.length === 0) return [nca("not_in_register", `could not find a register entry for PSP ${pspId}`)];
  const giving = categories.filter(({ services }) => services.includes(service));
  const reasons: Reason[] = [];
  if (giving.length === 0)
    reasons.push(nca("service_not_in_register", `the home register does not give PSP ${pspId} ${needed}`));
  else if (giving.every(({ status }) => status === "Unauthorised"))
    reasons.push(nca("unauthorised", `PSP ${pspId} is unauthorised in its home register`));
  if (abroad && !giving.some(({ passported }) => passported.includes(service)))
    reasons.push(
      nca("service_not_passported", `the home register has no passport of PSP ${pspId} to ${HOST} for ${needed}`),
    );
  return reasons;
}
