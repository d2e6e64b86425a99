/**
 * What a link may do: it says that a certificate's authorisation number means an entry that a register has under another
 * one. All rules are here, and test/unit/registers/number-links.test.ts is their table. Pure.
 *
 * - A link leads only to an entry of the register of its own country, which has a number of this country and is no agent.
 *   It leads to the register's entry, never to a copy: there are no chains.
 * - An entry of its own, in whichever source, beats every link (lookup.ts).
 * - All links of a number have to fit one and the same entry of a source. Else they contradict each other, and find none.
 * - An entry has one number of a kind at most. With two of them neither finds it, nor does a number of a kind of which the
 *   register itself names another.
 * - A link changes nothing of what it finds: a withdrawn PSP stays withdrawn.
 */

import {
  normaliseAuthorisationNumber,
  parseAuthorisationNumber,
  registeredNumbers,
} from "../eidas/authorisation-number.ts";
import { isLei, isNip, isOib, isSiren } from "./check-digits.ts";
import type { LinkOrigin, NumberKind, PspRecord } from "./psp-record.ts";

export type LinkTarget = { readonly kind: "register_number" | "lei"; readonly number: string };

export interface NumberLink extends LinkOrigin {
  /** ISO code. */
  readonly country: string;
  /** The certificate's authorisation number in normal form. */
  readonly number: string;
  /** A register number is in normal form. */
  readonly target: LinkTarget;
  readonly asOf: string;
}

/** The same for all spellings of a number that registers have. */
export const sharedSpelling = (number: string): string => registeredNumbers(number).toSorted()[0] ?? number;

interface Form {
  /** Where such numbers are given. */
  readonly country?: string;
  readonly says: string;
  readonly isOne: (reference: string) => boolean;
}

const isCib = (text: string): boolean => /^\d{5}$/.test(text);
const isBafinId = (text: string): boolean => /^\d{6,8}$/.test(text);

/** What numbers of a kind look like, where that is known; tax numbers by country. */
const FORMS: Readonly<Record<string, Form>> = {
  lei: { says: "a LEI: 20 characters, the last two its check digits", isOne: isLei },
  siren: { country: "FR", says: "a SIREN: nine digits, the last its check digit", isOne: isSiren },
  cib: { country: "FR", says: "a CIB: five digits", isOne: isCib },
  bafin_id: { country: "DE", says: "a number of BaFin's: six to eight digits", isOne: isBafinId },
  "tax_number PL": { says: "a NIP: ten digits, the last its check digit", isOne: isNip },
  "tax_number HR": { says: "an OIB: eleven digits, the last its check digit", isOne: isOib },
};

/** What a link's field says that it may not: a message to follow the field's name. */
export interface LinkFault {
  readonly field: "number" | "target" | "kind";
  readonly message: string;
}

/** Why a link cannot be, whatever the registers have; null if it can. Its numbers are in whatever spelling. */
export function findFault({ country, number, target, kind }: Omit<NumberLink, "source" | "asOf">): LinkFault | null {
  const found = parseAuthorisationNumber(number);
  if (!found.ok || found.nca === null) return { field: "number", message: `${number} ${NO_NUMBER}` };
  // another script's digits and letters would look like those of another number
  if (!/^[\x21-\x7e]+$/.test(found.pspId)) return { field: "number", message: `${number} has characters beside ASCII` };
  if (found.country !== country) return { field: "number", message: `${number} is not of ${country}` };
  const targetFault = findTargetFault(country, number, target);
  if (targetFault !== null) return { field: "target", message: targetFault };
  const reference = found.pspId.slice(`PSD${country}-${found.nca}-`.length);
  const form = FORMS[kind] ?? FORMS[`${kind} ${country}`];
  if (!form) return null;
  if ((form.country ?? country) !== country)
    return { field: "kind", message: `${kind} is a number of ${form.country}, not of ${country}` };
  return form.isOne(reference) ? null : { field: "number", message: `${reference} is not ${form.says}` };
}

const NO_NUMBER = 'does not have the form PSD, country, "-", NCA, "-", reference';

function findTargetFault(country: string, number: string, target: LinkTarget): string | null {
  if (target.kind === "lei") return isLei(target.number) ? null : `${target.number} is not a LEI with its check digits`;
  const found = parseAuthorisationNumber(target.number);
  if (!found.ok || found.nca === null) return `${target.number} ${NO_NUMBER}`;
  if (found.country !== country) return `${target.number} is of ${found.country}: a link stays in its country`;
  return sharedSpelling(number) === sharedSpelling(target.number) ? `${target.number} is the number itself` : null;
}

/** A link that another one forbids. */
export interface LinkClash {
  readonly link: NumberLink;
  readonly other: NumberLink;
  readonly why: "again" | "chain" | "second-of-kind";
}

/**
 * The links that another one forbids, of the file or of another source (`others`). Several targets of one number are no
 * clash: such a number finds nothing.
 */
export function findClashes(links: readonly NumberLink[], others: readonly NumberLink[]): LinkClash[] {
  const all = [...others, ...links];
  const byNumber = new Map(all.map((link) => [sharedSpelling(link.number), link]));
  const ofOthers = new Map(others.map((link) => [targetKey(link), link]));
  const said = new Map<string, NumberLink>();
  const ofKind = new Map(others.toReversed().map((link) => [`${targetKey(link)} ${link.kind}`, link]));
  return links.flatMap((link): LinkClash[] => {
    const number = sharedSpelling(link.number);
    const target = targetKey(link);
    const [saying, kind] = [`${number} ${target} ${link.source}`, `${target} ${link.kind}`];
    const again = said.get(saying);
    said.set(saying, again ?? link);
    const first = ofKind.get(kind) ?? link;
    ofKind.set(kind, first);
    const chain = byNumber.get(target) ?? ofOthers.get(number);
    if (again) return [{ link, other: again, why: "again" }];
    if (sharedSpelling(first.number) !== number) return [{ link, other: first, why: "second-of-kind" }];
    return chain ? [{ link, other: chain, why: "chain" }] : [];
  });
}

/** Of a register number its spelling, which is none of a LEI. */
const targetKey = ({ target: { kind, number } }: NumberLink): string =>
  kind === "lei" ? number : sharedSpelling(number);

/** What becomes of a number in one register. */
export type LinkOutcome = "found" | "own_entry" | "no_entry" | "contradicted";

/** The strongest first: an entry of its own in one source beats links in all, and a contradiction in one what others find. */
const STRONGEST: readonly LinkOutcome[] = ["own_entry", "contradicted", "found", "no_entry"];

/** Of a number in two registers of its country. */
export const joinOutcomes = (a: LinkOutcome, b: LinkOutcome): LinkOutcome =>
  STRONGEST.find((outcome) => outcome === a || outcome === b) ?? a;

export interface LinkedNumber {
  /** One spelling of it: {@link sharedSpelling}. */
  readonly number: string;
  readonly links: readonly NumberLink[];
  readonly outcome: LinkOutcome;
  /** The entries that one of its links fits. */
  readonly entries: readonly PspRecord[];
}

/** `psps`: the country's register of one source. */
export function resolveLinks(psps: readonly PspRecord[], links: readonly NumberLink[]): LinkedNumber[] {
  const { findEntries, isOwnEntry } = indexEntries(psps);
  const numbers = [...Map.groupBy(links, ({ number }) => sharedSpelling(number))].map(([number, its]) => {
    const fits = its.map((link) => findEntries(link));
    const entries = [...new Set(fits.flat())];
    const agree = entries.length === 1 && fits.every(({ length }) => length === 1);
    return { number, links: its, entries, agree };
  });
  const crowded = findCrowded(numbers);
  return numbers.map(({ agree, ...rest }) => {
    const outcome =
      agree && !crowded.has(rest.number) ? "found" : rest.entries.length === 0 ? "no_entry" : "contradicted";
    return { ...rest, outcome: isOwnEntry(rest.number) ? "own_entry" : outcome };
  });
}

function indexEntries(psps: readonly PspRecord[]) {
  const byNumber = Map.groupBy(psps, ({ authNumber }) => sharedSpelling(authNumber));
  const targets = psps.filter(({ agent }) => !agent);
  const byLei = new Map<string, PspRecord[]>();
  for (const psp of targets)
    for (const { kind, number } of psp.numbers ?? [])
      if (kind === "lei") byLei.set(number, [...new Set([...(byLei.get(number) ?? []), psp])]);
  const findEntries = (link: NumberLink): PspRecord[] => {
    const { kind, number } = link.target;
    const named = kind === "lei" ? byLei.get(number) : byNumber.get(sharedSpelling(number));
    return (named ?? []).filter((psp) => !psp.agent && countryOf(psp) === link.country && agreesWith(psp, link));
  };
  return { findEntries, isOwnEntry: (number: string) => byNumber.has(number) };
}

const countryOf = ({ authNumber }: PspRecord): string | null => {
  const number = parseAuthorisationNumber(authNumber);
  return number.ok ? number.country : null;
};

/** Whether the register names no other number of the link's kind. */
function agreesWith({ numbers = [] }: PspRecord, { number, kind }: NumberLink): boolean {
  const its = numbers.filter((one) => one.kind === kind);
  const reference = (number.split("-").at(-1) ?? "").toUpperCase();
  return its.length === 0 || its.some((one) => one.number.replaceAll(/[\s-]/g, "").toUpperCase() === reference);
}

/** The numbers of entries that have another one of the same kind. */
function findCrowded(numbers: readonly Pick<LinkedNumber, "number" | "links" | "entries">[]): ReadonlySet<string> {
  const byEntry = new Map<PspRecord, Map<NumberKind, Set<string>>>();
  for (const { number, links, entries } of numbers)
    for (const entry of entries) {
      const kinds = byEntry.get(entry) ?? new Map<NumberKind, Set<string>>();
      byEntry.set(entry, kinds);
      for (const { kind } of links) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(number));
    }
  const crowds = [...byEntry.values()].flatMap((kinds) => [...kinds.values()]).filter(({ size }) => size > 1);
  return new Set(crowds.flatMap((crowd) => [...crowd]));
}

/** What stands beside the register's entries, under the linked numbers. */
export function copyLinked(psps: readonly PspRecord[], links: readonly NumberLink[]): PspRecord[] {
  return resolveLinks(psps, links).flatMap(({ number, links: its, outcome, entries }): PspRecord[] => {
    const [entry] = entries;
    if (outcome === "contradicted")
      return [{ link: { number, by: null }, authNumber: number, agent: false, categories: [] }];
    if (outcome !== "found" || !entry) return [];
    // the same, in whichever order they come
    const [first] = its.toSorted((a, b) => compare(originKey(a), originKey(b)));
    if (!first) return [];
    const { kind, source, asOf } = first;
    return [{ link: { number, by: { kind, source, asOf } }, ...entry }];
  });
}

const originKey = ({ source, kind, target }: NumberLink): string => [source, kind, target.kind].join("\n");
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** As they are stored: {@link findFault} has found none. */
export const normaliseLink = (link: NumberLink): NumberLink => ({
  ...link,
  number: normaliseAuthorisationNumber(link.number),
  target:
    link.target.kind === "lei"
      ? link.target
      : { kind: "register_number", number: normaliseAuthorisationNumber(link.target.number) },
});
