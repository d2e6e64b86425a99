/**
 * What readers of national registers share that have both numbers of their entities: the certificate's, and one that finds
 * the entry. Such a register is published for other ends. So an entity that has not both, or of which the numbers contradict
 * each other, is left out and counted, where a file of our own form is refused. The rules are in src/registers/number-links.ts.
 */
import { findClashes, findFault, type LinkTarget, type NumberLink, normaliseLink } from "../number-links.ts";
import type { NumberKind } from "../psp-record.ts";

const LEFT_OUT = ["no_number", "no_entry", "several_numbers", "ended", "not_valid", "contradicted"] as const;
export type LeftOut = Readonly<Record<(typeof LEFT_OUT)[number], number>>;

export interface NationalRegister {
  readonly country: string;
  readonly source: string;
  readonly kind: NumberKind;
}

export interface NationalEntity {
  /** All that certificates of the entity may have, as authorisation numbers. */
  readonly numbers: readonly string[];
  /** Null: the register names none, or one with wrong check digits. */
  readonly target: LinkTarget | null;
  readonly ended: boolean;
}

export interface NationalNumbers {
  readonly links: readonly NumberLink[];
  /** Entities, and links of `contradicted`. */
  readonly leftOut: LeftOut;
}

/** `others`: the links of other sources. `asOf`: the day of the file. */
export function linkNumbers(
  entities: Iterable<NationalEntity>,
  { country, source, kind }: NationalRegister,
  asOf: string,
  others: readonly NumberLink[],
): NationalNumbers {
  const leftOut = Object.fromEntries(LEFT_OUT.map((why) => [why, 0])) as Record<keyof LeftOut, number>;
  const links: NumberLink[] = [];
  for (const { numbers, target, ended } of entities) {
    const [number, ...more] = numbers;
    const link = number !== undefined && target && { country, number, target, kind, source, asOf };
    if (number === undefined) leftOut.no_number++;
    else if (ended) leftOut.ended++;
    else if (more.length > 0) leftOut.several_numbers++;
    else if (!link) leftOut.no_entry++;
    else if (findFault(link) !== null) leftOut.not_valid++;
    else links.push(normaliseLink(link));
  }
  const sound = withoutContradictions(links, others);
  return { links: sound, leftOut: { ...leftOut, contradicted: links.length - sound.length } };
}

/** Of two links that contradict each other neither stays; of a link and another source's the other's does. */
function withoutContradictions(links: readonly NumberLink[], others: readonly NumberLink[]): NumberLink[] {
  const byNumber = Map.groupBy(links, ({ number }) => number);
  const single = links.filter(({ number }) => byNumber.get(number)?.length === 1);
  const clashing = new Set(findClashes(single, others).flatMap(({ link, other }) => [link, other]));
  return single.filter((link) => !clashing.has(link));
}
