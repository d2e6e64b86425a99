/**
 * The registers of Europe that are known, one row each: docs/registers.md is made of them. What has no row was not looked at.
 * Facts are as public projects describe them, which read the registers between July and November 2026.
 */
import type { RegisterSource } from "./sources.ts";

/** On what a reader was tried, or what there is without one. */
export const TRIED = {
  "real data": "on real data",
  "form read elsewhere": "on a form read elsewhere",
  "no reader": "no reader",
} as const;

interface KnownRegister {
  /** ISO code; null: of all countries of the EEA. */
  readonly country: string | null;
  readonly register: string;
  readonly form: string;
  readonly licence: string;
  readonly fresh: string;
  readonly tried: keyof typeof TRIED;
  /** What is read of it: entries of a source, or numbers alone. */
  readonly gives?: RegisterSource | "numbers";
  readonly lacks: string;
}

const UNKNOWN = "not known";

export const KNOWN_REGISTERS: readonly KnownRegister[] = [
  {
    ...{ country: null, register: "payment institutions under PSD2", form: "ZIP with JSON", gives: "eba" },
    ...{ licence: "reproduction with the source named", fresh: "about every 8 hours", tried: "real data" },
    lacks: "banks; the numbers of many certificates",
  },
  {
    ...{ country: null, register: "credit institutions", form: "JSON, as its search answers", tried: "real data" },
    ...{ gives: "credit-institutions", licence: "reproduction with the source named", fresh: "it has no date" },
    lacks: "services, passports, who is withdrawn; the numbers of many certificates",
  },
  {
    ...{ country: "DE", register: "company database", form: "CSV from a browser", gives: "numbers" },
    ...{ licence: "its site asks robots to stay away", fresh: UNKNOWN, tried: "form read elsewhere" },
    lacks: "passports, its own date",
  },
  {
    ...{ country: "FR", register: "REGAFI", form: "JSON, from an open portal", gives: "numbers" },
    ...{ licence: "Licence Ouverte", fresh: "2 days old when it was seen", tried: "form read elsewhere" },
    lacks: "its own date; who is withdrawn is in another data set",
  },
  {
    ...{ country: "IT", register: "GIAVA", form: "ZIP with CSV", licence: "CC BY 4.0", fresh: "daily" },
    ...{ tried: "no reader", lacks: "services, passports" },
  },
  {
    ...{ country: "NO", register: "Virksomhetsregisteret", form: "JSON, 50 in a page", licence: UNKNOWN },
    ...{ fresh: "hourly", tried: "no reader", lacks: "who is withdrawn" },
  },
  {
    ...{ country: "SK", register: "financial entities", form: "ZIP with JSON", licence: UNKNOWN, fresh: "nightly" },
    ...{ tried: "no reader", lacks: UNKNOWN },
  },
  {
    ...{ country: "LT", register: "market participants", form: "CSV for each market", licence: UNKNOWN },
    ...{ fresh: UNKNOWN, tried: "no reader", lacks: UNKNOWN },
  },
  {
    ...{ country: "ES", register: "Registro de servicios de pago", form: "XLSX", licence: UNKNOWN },
    ...{ fresh: "1 to 4 days old when it was seen", tried: "no reader" },
    lacks: "a change of legal form is listed as a withdrawal",
  },
  {
    ...{ country: "GB", register: "Financial Services Register", form: "JSON, one firm a request, with a key" },
    ...{ licence: "the whole is paid for", fresh: UNKNOWN, tried: "no reader" },
    lacks: "services are a second request",
  },
  {
    ...{ country: "CZ", register: "JERRS", form: "CSV, without payment institutions", licence: UNKNOWN },
    ...{ fresh: UNKNOWN, tried: "no reader", lacks: "payment institutions: a signed application is needed" },
  },
];

/** Countries whose authority publishes no register in a form that a program can read. */
export const WITHOUT_READABLE_REGISTER = ["AT", "BE", "FI", "HU", "IE", "LU", "NL", "PL", "SE"] as const;
