/**
 * Countries whose authorities put another number into certificates than the registers have, as real certificates and
 * registers show. There a PSP that is not found may be registered all the same. Pure.
 */

interface DifferingNumbers {
  /** To follow "certificates have" and "registers". */
  readonly certificates: string;
  readonly registers: string;
}

const DIFFERING: Readonly<Record<string, DifferingNumbers>> = {
  DE: { certificates: "BaFin's number", registers: "that of the court" },
  FR: { certificates: "the CIB of five digits", registers: "the SIREN of nine digits for payment institutions" },
  HR: { certificates: "a number of the central bank's", registers: "the OIB" },
  LU: { certificates: "B and eight digits", registers: "LUB and five digits for banks" },
  PL: { certificates: "the tax number", registers: "a number of the bank's" },
  RO: { certificates: "a company's number", registers: "one of the central bank's" },
  SE: { certificates: "a number of the authority's", registers: "that of the company" },
};

/** Half a sentence, to follow that no entry was found; "" where nothing is known to differ. `country`: ISO code. */
export function explainDifferingNumbers(country: string): string {
  const differing = DIFFERING[country];
  if (!differing) return "";
  const { certificates, registers } = differing;
  return `. The authority's numbers differ here: in ${country} certificates have ${certificates}, and registers ${registers}. The operator can import which number is which (register numbers import)`;
}

/** Of links that lead to several entries; to follow whose number it is. */
export const CONTRADICTED =
  "they lead to several entries, or an entry has two of a kind, so none is used. The operator sees them with register numbers list";
