/** The age from which a source's snapshot causes a warning in answers, as configured in wrangler.toml. */
import { DEFAULT_REGISTER_MAX_AGES_MS, type RegisterMaxAges } from "./manifest.ts";
import type { RegisterSource } from "./psp-record.ts";

export type RegisterMaxAgeVars = Partial<
  Pick<Env, "REGISTER_MAX_AGE_HOURS_EBA" | "REGISTER_MAX_AGE_HOURS_NCA" | "REGISTER_MAX_AGE_HOURS_CREDIT_INSTITUTIONS">
>;

const HOUR_MS = 3_600_000;

/** Milliseconds by source. A setting of 0 hours means no limit; a missing setting has its default. */
export function registerMaxAges(env: RegisterMaxAgeVars): RegisterMaxAges {
  const limit = (source: RegisterSource, hours: number | undefined) =>
    hours === undefined ? DEFAULT_REGISTER_MAX_AGES_MS[source] : hours > 0 ? hours * HOUR_MS : null;
  return {
    nca: limit("nca", env.REGISTER_MAX_AGE_HOURS_NCA),
    "credit-institutions": limit("credit-institutions", env.REGISTER_MAX_AGE_HOURS_CREDIT_INSTITUTIONS),
    eba: limit("eba", env.REGISTER_MAX_AGE_HOURS_EBA),
  };
}
