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
 * - `source`: "nca" (the default) or "credit-institutions", which the next fetch of the EBA's replaces.
 * - `lacks`: what the register does not publish: "services", "passports". The file then has none, and says nothing of them.
 * - `whole`: categories of which the register has every PSP of its country. One that it lacks has no such authorisation.
 * - `agent` (default false): the PSP acts for others; answers contain null as its status.
 * - `category`: one of the interface's names, or null if the NCA does not document it; each at most once for a PSP.
 * - `services`, here and in `passportOut`: 1 to 8. Optional for a credit institution, which is entitled to all; absent from
 *   a file that lacks them.
 * - `passportIn`, for a PSP of another country: its home country, or null if the register does not state it.
 */

import * as z from "zod";
import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { readCountry } from "../../platform/country.ts";
import { boundedInstant } from "../../platform/instant.ts";
import { ALL_PAYMENT_SERVICES, AUTHORISATION_STATUSES, CATEGORIES, type CategoryRecord } from "../psp-record.ts";
import { AgentRoll, type Register } from "../register.ts";
import { LACKING, type Lacking, REGISTER_SOURCES, SOURCES } from "../sources.ts";
import { country, oneOf, type Problem, parseJson, problemsOf, shown, text } from "./form-fields.ts";

export type RegisterFile =
  | { readonly ok: true; readonly register: Register }
  | { readonly ok: false; readonly problems: readonly Problem[] };

type OwnFormCategory = z.output<typeof ownFormSchema>["psps"][number]["categories"][number];

/** Reads a register in the JSON format. Does not throw. */
export function readRegisterFile(json: string): RegisterFile {
  const parsed = parseJson(json);
  return parsed.ok ? readRegisterValue(parsed.value) : { ok: false, problems: [parsed.problem] };
}

/** Reads a register from a parsed JSON value. Does not throw. */
export function readRegisterValue(value: unknown): RegisterFile {
  const parsed = ownFormSchema.safeParse(value);
  if (!parsed.success) {
    return { ok: false, problems: problemsOf(parsed.error) };
  }
  const { psps, published, lacks = [], whole = [], ...head } = parsed.data;
  const register: Register = {
    ...head,
    ...(lacks.length > 0 && { lacks }),
    ...(whole.length > 0 && { whole }),
    published: new Date(published).toISOString(),
    psps: psps.map(({ categories, ...rest }) => ({ ...rest, categories: categories.map(toRecord) })),
    agents: new AgentRoll(),
    refused: [],
  };
  return { ok: true, register };
}

function toRecord({ services, passportOut, passportIn, ...rest }: OwnFormCategory): CategoryRecord {
  return {
    ...rest,
    services: services ?? (rest.category === "Credit Institution" ? ALL_PAYMENT_SERVICES : []),
    passportOut: Object.fromEntries(
      passportOut.map((passport) => [passport.country, passport.services ?? ALL_PAYMENT_SERVICES]),
    ),
    ...(passportIn ? { passportIn } : {}),
  };
}

const services = z
  .array(
    z.custom<number>((value) => ALL_PAYMENT_SERVICES.includes(value as number), {
      error: ({ input }) => `${shown(input)} is not a payment service (1 to 8)`,
    }),
    { error: ({ input }) => `${shown(input)} is not a list of payment services` },
  )
  .transform((numbers) => [...new Set(numbers)].sort());

const category = z
  .strictObject({
    category: oneOf(CATEGORIES, "a register category").nullable(),
    legalName: text(512),
    status: oneOf(AUTHORISATION_STATUSES, "an authorisation status").nullable(),
    services: services.optional(),
    passportOut: z.array(z.strictObject({ country, services: services.optional() })).default([]),
    passportIn: country.nullable().optional(),
  })
  .superRefine((record, context) => {
    const complain = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    if (record.category !== "Credit Institution") {
      record.passportOut.forEach((passport, i) => {
        if (!passport.services) complain(["passportOut", i, "services"], "is missing");
      });
    }
    const countries = record.passportOut.map((passport) => passport.country);
    countries.forEach((code, i) => {
      const first = countries.indexOf(code);
      if (first !== i) complain(["passportOut", i, "country"], `${code} is already passportOut[${first}]`);
    });
  });

/** Separators alone are not a reference: see authorisation-number.ts. */
function hasReference(text: string): boolean {
  const number = parseAuthorisationNumber(text);
  return number.ok && number.nca !== null;
}

const psp = z.strictObject({
  authNumber: text(128).refine((number) => /^PSD[A-Za-z]{2}-[^-]+-.+$/.test(number) && hasReference(number), {
    error: ({ input }) => `${shown(input)} does not have the form PSD, country, "-", NCA, "-", reference`,
  }),
  agent: z.boolean({ error: ({ input }) => `${shown(input)} is neither true nor false` }).default(false),
  categories: z.array(category).min(1, { error: "is empty: an undocumented category is one with category null" }),
});

const NO_INSTANT = ({ input }: { readonly input?: unknown }): string =>
  `${shown(input)} is not an instant such as 2026-11-01T00:00:00Z`;

const SOURCES_OF_THIS_FORM = REGISTER_SOURCES.filter((source) => SOURCES[source].ownForm);

/** The whole file, with consistency checks. Countries become ISO codes, services are sorted. */
const ownFormSchema = z
  .strictObject({
    country,
    ncaId: text(64),
    ncaName: text(256),
    published: z.iso
      .datetime({ offset: true, error: NO_INSTANT })
      .refine((text) => boundedInstant(Date.parse(text)) !== null, { error: NO_INSTANT }),
    source: oneOf(SOURCES_OF_THIS_FORM, "a source of this form").default("nca"),
    lacks: z.array(oneOf(LACKING, "what a register may lack")).optional(),
    whole: z.array(oneOf(CATEGORIES, "a register category")).optional(),
    psps: z.array(psp),
  })
  .superRefine((register, context) => {
    const complain = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", path, message });
    const numbers = new Map<string, number>();
    register.psps.forEach(({ authNumber, categories }, i) => {
      const first = numbers.get(authNumber);
      if (first !== undefined) complain(["psps", i, "authNumber"], `${authNumber} is already psps[${first}]`);
      numbers.set(authNumber, first ?? i);
      const home = readCountry(authNumber.slice(3, 5));
      const names = categories.map((record) => record.category);
      categories.forEach((record, j) => {
        const at = (field: string) => ["psps", i, "categories", j, field];
        const earlier = names.indexOf(record.category);
        if (earlier !== j) complain(at("category"), `${shown(record.category)} is already categories[${earlier}]`);
        if (register.source === "credit-institutions" && record.category !== "Credit Institution") {
          complain(at("category"), `${shown(record.category)} in a register of credit institutions`);
        }
        const lacks = (what: Lacking) => register.lacks?.includes(what) === true;
        if (record.services && lacks("services")) complain(at("services"), "is given, and the register lacks services");
        if (!record.services && !lacks("services") && record.category !== "Credit Institution")
          complain(at("services"), "is missing: only a credit institution is entitled to all");
        if (record.passportOut.length > 0 && lacks("passports"))
          complain(at("passportOut"), "is given, and the register lacks passports");
        if (home === null || readCountry(register.country) === null) return;
        if (home !== register.country) {
          if (record.passportIn !== null && record.passportIn !== home) {
            complain(
              at("passportIn"),
              `${shown(record.passportIn)} is neither ${home}, the country of ${authNumber}, nor null`,
            );
          }
        } else if (record.passportIn) {
          complain(at("passportIn"), `${record.passportIn} passports nobody in: ${authNumber} is at home here`);
        }
      });
    });
  });
