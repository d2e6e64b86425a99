/**
 * Country codes as certificates and trusted lists write them. ISO 3166-1 has GR and GB; EU documents also say EL and
 * UK (TS 119 612 clause 5.3.10), and some authorisation numbers carry the three-letter code.
 */

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

/** AA, QM-QZ, XA-XZ and ZZ are left to users by ISO 3166-1: the sandbox's XX and XY live there. */
const USER_ASSIGNED = /^(?:AA|Q[M-Z]|X[A-Z]|ZZ)$/;

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["EL", "GR"],
  ["UK", "GB"],
]);

/** Only the EEA and the United Kingdom: where PSD2 authorisation numbers come from. */
const THREE_LETTERS: ReadonlyMap<string, string> = new Map(
  (
    "AUT:AT BEL:BE BGR:BG CYP:CY CZE:CZ DEU:DE DNK:DK ESP:ES EST:EE FIN:FI FRA:FR GBR:GB GRC:GR HRV:HR HUN:HU IRL:IE " +
    "ISL:IS ITA:IT LIE:LI LTU:LT LUX:LU LVA:LV MLT:MT NLD:NL NOR:NO POL:PL PRT:PT ROU:RO SVK:SK SVN:SI SWE:SE"
  )
    .split(" ")
    .map((pair) => [pair.slice(0, 3), pair.slice(4)] as const),
);

/** The capitalised two-letter code, with GR for EL and GB for UK. Whether such a country exists is {@link isCountry}'s. */
export function canonicalCountry(code: string): string {
  const upper = code.toUpperCase();
  return ALIASES.get(upper) ?? upper;
}

/** Whether a capitalised two-letter code is a country, or one that ISO 3166-1 leaves to its users. EU is neither. */
export const isCountry = (code: string): boolean => ISO_3166_1.has(code) || USER_ASSIGNED.test(code);

/** Whether ISO 3166-1 leaves the code to its users: a country only to whoever made it one. */
export const isUserAssigned = (code: string): boolean => USER_ASSIGNED.test(code);

/** The two-letter code of a capitalised three-letter one, or null. */
export const fromThreeLetters = (code: string): string | null => THREE_LETTERS.get(code) ?? null;

/** The ISO code of a two-letter country code in any case; null for anything else. Fictitious codes such as XX are codes. */
export const readCountry = (text: string): string | null =>
  /^[A-Za-z]{2}$/.test(text) ? canonicalCountry(text) : null;

/** The country of a transaction: the ISO code of a two-letter code that {@link isCountry}, in any case; else null. */
export function readKnownCountry(text: string): string | null {
  const country = readCountry(text);
  return country !== null && isCountry(country) ? country : null;
}
