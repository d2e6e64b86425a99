/**
 * The project's own register format, for any NCA and for credit institutions. JSON:
 *
 *     { "country": "XX", "ncaId": "XX-TEST", "ncaName": "Test Authority", "published": "2026-11-01T00:00:00Z",
 *       "source": "nca",
 *       "psps": [
 *         { "authNumber": "PSDXX-TEST-000001", "agent": false,
 *           "categories": [
 *             { "category": "Payment Institution", "legalName": "Example Ltd", "status": "Authorised",
 *               "services": [7, 8], "passportOut": [{ "country": "XY", "services": [8] }] } ] },
 *         { "authNumber": "PSDXY-TEST-000002",
 *           "categories": [
 *             { "category": null, "legalName": "Foreign Ltd", "status": null, "services": [],
 *               "passportIn": "XY" } ] } ] }
 *
 * - `published`: of the snapshot. `register import` refuses one from before what was imported last, without --older.
 * - `source`: "nca" (the default) or "credit-institutions".
 * - `agent` (default false): the PSP acts for others; answers contain null as its status.
 * - `category`: one of the interface's names, or null if the NCA does not document it; each at most once for a PSP.
 * - `services`, here and in `passportOut`: 1 to 8. Optional for a credit institution, which is entitled to all.
 * - `passportIn`, for a PSP of another country: its home country, or null if the register does not state it.
 */
import type * as z from "zod";
import { AgentRoll } from "../agent-roll.ts";
import { ALL_PAYMENT_SERVICES } from "../category.ts";
import type { CategoryRecord } from "../psp-record.ts";
import type { Register } from "../register.ts";
import { ownFormSchema } from "./own-form-schema.ts";

/** The register, or all problems with their place. */
export type RegisterFile =
  | { readonly ok: true; readonly register: Register }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type OwnFormCategory = z.output<typeof ownFormSchema>["psps"][number]["categories"][number];

/** Reads a register in the JSON format. Does not throw. */
export function readRegisterFile(json: string): RegisterFile {
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ""));
  } catch (error) {
    return { ok: false, problems: [{ path: [], message: `is not JSON: ${(error as Error).message}` }] };
  }
  return readRegisterValue(value);
}

/** Reads a register from a parsed JSON value. Does not throw. */
export function readRegisterValue(value: unknown): RegisterFile {
  const parsed = ownFormSchema.safeParse(value);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({ path: path.map(toStep), message }));
    return { ok: false, problems };
  }
  const { psps, published, ...head } = parsed.data;
  const register: Register = {
    ...head,
    published: new Date(published).toISOString(),
    psps: psps.map(({ categories, ...rest }) => ({ ...rest, categories: categories.map(toRecord) })),
    agents: new AgentRoll(),
    refused: [],
  };
  return { ok: true, register };
}

const toStep = (step: PropertyKey): string | number => (typeof step === "number" ? step : String(step));

function toRecord({ services, passportOut, passportIn, ...rest }: OwnFormCategory): CategoryRecord {
  return {
    ...rest,
    services: services ?? ALL_PAYMENT_SERVICES,
    passportOut: Object.fromEntries(
      passportOut.map((passport) => [passport.country, passport.services ?? ALL_PAYMENT_SERVICES]),
    ),
    ...(passportIn ? { passportIn } : {}),
  };
}

/** Formats a problem as `psps[3].categories[0].services[1]: 9 is not a payment service (1 to 8)`. */
export function describeProblem({ path, message }: Problem): string {
  const place = path.map((step, i) => (typeof step === "number" ? `[${step}]` : `${i > 0 ? "." : ""}${step}`)).join("");
  return place === "" ? `the file ${message}` : `${place}: ${message}`;
}
