/** The schema of the own format (described in own-form.ts). Every message says what was found and what is allowed. */
import * as z from "zod";
import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { readCountry } from "../../platform/country.ts";
import { ALL_PAYMENT_SERVICES, CATEGORIES } from "../category.ts";
import { AUTHORISATION_STATUSES } from "../psp-record.ts";

const shown = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));
const oneOf = <Value extends string>(values: readonly Value[], what: string) =>
  z.enum(values, { error: ({ input }) => `${shown(input)} is not ${what}: ${values.join(", ")}` });

const text = (maxLength: number) =>
  z
    .string({ error: ({ input }) => `${shown(input)} is not a text` })
    .trim()
    .min(1, { error: "is empty" })
    .max(maxLength, { error: `is longer than ${maxLength} characters` });

const country = z
  .string({ error: ({ input }) => `${shown(input)} is not a country code` })
  .refine((code) => readCountry(code) !== null, { error: ({ input }) => `${shown(input)} is not a two-letter country` })
  .transform((code) => readCountry(code) ?? code);

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
      if (!record.services) complain(["services"], "is missing: only a credit institution is entitled to all");
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

/** The whole file, with consistency checks. Countries become ISO codes, services are sorted. */
export const ownFormSchema = z
  .strictObject({
    country,
    ncaId: text(64),
    ncaName: text(256),
    published: z.iso.datetime({
      offset: true,
      error: ({ input }) => `${shown(input)} is not an instant such as 2026-11-01T00:00:00Z`,
    }),
    source: oneOf(["nca", "credit-institutions"], "a source of this form").default("nca"),
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
