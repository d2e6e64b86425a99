/**
 * Currencies of ISO 4217 (list one, as of 2026) and their minor units. `Intl` cannot be used: it accepts any three
 * letters as a currency, and for some currencies it has the digits used in practice (0) instead of the standard's (2).
 */
import { once } from "../platform/memory.ts";

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

/** Few requests have an amount. */
const digitsOfCodes = once(
  () => new Map(BY_DIGITS.flatMap(([digits, codes]) => codes.split(/\s+/).map((each) => [each, digits]))),
);

/** Fraction digits of amounts in this currency; null if there is no such currency. The code must be in upper case. */
export const findCurrencyDigits = (code: string): number | null => digitsOfCodes().get(code) ?? null;
