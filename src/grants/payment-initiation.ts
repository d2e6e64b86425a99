/**
 * A payment order: UK Open Banking's domestic payment initiation (OBWriteDomestic2, "Initiation") in snake case, with
 * its maximum lengths. The interface does not define this object.
 */
import * as z from "zod";
import { once } from "../platform/memory.ts";
import { optional, text } from "../platform/schemas.ts";

const account = once(() =>
  z.object({ scheme_name: text(40), identification: text(256), name: text(350) }, "is not an object"),
);

/** The patterns are for the document: what is wrong is said below. */
const amount = () => text(19).meta({ pattern: AMOUNT_PATTERN.source });
const currency = () => text(3).meta({ pattern: "^[A-Z]{3}$" });

const instructedAmount = () =>
  z.object({ amount: amount(), currency: currency() }, "is not an object").superRefine((given, ctx) => {
    const digits = findCurrencyDigits(given.currency);
    if (digits === null) {
      ctx.addIssue({ code: "custom", path: ["currency"], message: "is not a currency of ISO 4217" });
      return;
    }
    const fault = findAmountFault(given.amount, digits);
    if (fault !== null) ctx.addIssue({ code: "custom", path: ["amount"], message: fault });
  });

export const initiation = once(() =>
  z.object(
    {
      instruction_identification: text(35),
      end_to_end_identification: text(35),
      instructed_amount: instructedAmount(),
      debtor_account: optional(account().extend({ name: optional(text(350)) })),
      creditor_account: account(),
      remittance_information: optional(
        z.object({ unstructured: optional(text(140)), reference: optional(text(35)) }, "is not an object"),
      ),
    },
    "is not an object",
  ),
);

/** The limit of UK Open Banking's payment initiation. Amounts are decimal strings: numbers would lose precision. */
const MAX_INTEGER_DIGITS = 13;

const AMOUNT_PATTERN = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * The fault of an amount in a currency with `digits` fraction digits, as a phrase that follows the parameter's name;
 * null if it is valid. Fewer fraction digits than the currency has are allowed: 10.5 EUR is 10.50 EUR.
 */
export function findAmountFault(text: string, digits: number): string | null {
  const [, integer, fraction = ""] = AMOUNT_PATTERN.exec(text) ?? [];
  if (integer === undefined) return "is not a decimal number such as 165.88";
  if (integer.length > MAX_INTEGER_DIGITS) return `has more than ${MAX_INTEGER_DIGITS} digits before the point`;
  if (fraction.length > digits) return `has more than the ${digits} digits after the point that the currency has`;
  if (/^[0.]+$/.test(text)) return "is zero";
  return null;
}

/**
 * Currencies of ISO 4217 (list one, as of 2026) and their minor units. `Intl` cannot be used: it accepts any three letters
 * as a currency, and for some currencies it has the digits used in practice (0) instead of the standard's (2).
 */
const BY_DIGITS: readonly (readonly [digits: number, codes: string])[] = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
     COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS
     INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR
     MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP
     STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
];

const digitsOfCodes = once(
  () => new Map(BY_DIGITS.flatMap(([digits, codes]) => codes.split(/\s+/).map((each) => [each, digits]))),
);

/** Fraction digits of amounts in this currency; null if there is no such currency. The code must be in upper case. */
export const findCurrencyDigits = (code: string): number | null => digitsOfCodes().get(code) ?? null;
