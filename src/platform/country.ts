/**
 * Country codes as certificates and trusted lists write them. ISO 3166-1 has GR and GB; EU documents also say EL and
 * UK (TS 119 612 clause 5.3.10), and some authorisation numbers carry the three-letter code.
 */
import { once } from "./memory.ts";

const ISO_3166_1 = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO " +
    "FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE " +
    "JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO " +
    "MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW " +
    "PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM " +
    "TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

/** AA, QM-QZ, XA-XZ and ZZ: user-assigned codes of ISO 3166-1. The sandbox uses XX and XY. */
const USER_ASSIGNED = /^(?:AA|Q[M-Z]|X[A-Z]|ZZ)$/;

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["EL", "GR"],
  ["UK", "GB"],
]);

/** Only the EEA and the United Kingdom, because only their NCAs issue PSD2 authorisation numbers. */
const THREE_LETTERS: ReadonlyMap<string, string> = new Map(
  (
    "AUT:AT BEL:BE BGR:BG CYP:CY CZE:CZ DEU:DE DNK:DK ESP:ES EST:EE FIN:FI FRA:FR GBR:GB GRC:GR HRV:HR HUN:HU IRL:IE " +
    "ISL:IS ITA:IT LIE:LI LTU:LT LUX:LU LVA:LV MLT:MT NLD:NL NOR:NO POL:PL PRT:PT ROU:RO SVK:SK SVN:SI SWE:SE"
  )
    .split(" ")
    .map((pair) => [pair.slice(0, 3), pair.slice(4)] as const),
);

/** Countries whose NCAs issue PSD2 authorisation numbers: the EEA and the United Kingdom. */
export const PSD2_COUNTRIES: readonly string[] = [...THREE_LETTERS.values()];

/** Whether the code, in upper case, is of a state of the European Economic Area: of the Union, IS, LI or NO. */
export const isInEea = (code: string): boolean => code !== "GB" && PSD2_COUNTRIES.includes(code);

/** The code in upper case, with GR for EL and GB for UK. Does not check that the country exists: {@link isCountry}. */
export function canonicalCountry(code: string): string {
  const upper = code.toUpperCase();
  return ALIASES.get(upper) ?? upper;
}

/** Whether an upper-case two-letter code is a country or a user-assigned code of ISO 3166-1. EU is neither. */
export const isCountry = (code: string): boolean => ISO_3166_1.has(code) || USER_ASSIGNED.test(code);

/** Whether the code is user-assigned in ISO 3166-1: it has a meaning only between parties that agreed on one. */
export const isUserAssigned = (code: string): boolean => USER_ASSIGNED.test(code);

// answers to programs have no names
const names = once(() => new Intl.DisplayNames("en", { type: "region", fallback: "code" }));

/** The country's English name; the code itself where it is user-assigned or no country's. `code`: upper case. */
export function countryName(code: string): string {
  if (!ISO_3166_1.has(code)) return code;
  return names().of(code) ?? code;
}

/** The two-letter code for an upper-case three-letter code, or null. */
export const fromThreeLetters = (code: string): string | null => THREE_LETTERS.get(code) ?? null;

/** The ISO code for two letters in any case, also if no such country exists; null for any other text. */
export const readCountry = (text: string): string | null =>
  /^[A-Za-z]{2}$/.test(text) ? canonicalCountry(text) : null;

/** As {@link readCountry}, but null unless {@link isCountry}. */
export function readKnownCountry(text: string): string | null {
  const country = readCountry(text);
  return country !== null && isCountry(country) ? country : null;
}
