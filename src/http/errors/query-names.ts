/** Names in a query that are not those of the endpoint: what was meant. No start loads it. */
import { quoteAlways } from "../../platform/quotation.ts";

/** Longer than the longest name. */
const SHOWN_CHARACTERS = 20;

/** For a name that an endpoint of our own does not have. */
export function explainUnknown(name: string, known: readonly string[]): string {
  const said = `The query has ${quoteAlways(name, SHOWN_CHARACTERS)}, which is no parameter of this endpoint`;
  const [nearest] = known.toSorted((a, b) => likeness(name, b) - likeness(name, a));
  if (nearest === undefined) return `${said}: it has none`;
  const others = known.filter((other) => other !== nearest);
  return `${said}: the nearest is ${nearest}${others.length === 0 ? "" : `, the others are ${others.join(", ")}`}`;
}

/** How much two names have in common: pairs of neighbouring letters that are in both, of those in either (Dice). */
function likeness(sent: string, known: string): number {
  const [some, others] = [pairsOf(sent.slice(0, SHOWN_CHARACTERS)), pairsOf(known)];
  return [...some].filter((pair) => others.has(pair)).length / (some.size + others.size);
}

/** The first letter counts as a pair of its own. Capitals and dashes are the usual slips. */
function pairsOf(name: string): Set<string> {
  const plain = ` ${name.toLowerCase().replace(/[^a-z]/g, "")}`;
  return new Set(Array.from(plain, (letter, i) => letter + (plain[i + 1] ?? "")));
}

/** Of names that look alike. */
const ALIKE = 0.3;

/** For a parameter that is required, at an endpoint that ignores names that it does not know; null if none is like it. */
export function explainMissing(name: string, sent: readonly string[]): string | null {
  const said = `${name} is missing in the query`;
  if (sent.some((each) => each.toLowerCase() === name)) return `${said}: its name is written ${name}, capitals count`;
  const alike = sent.find((each) => likeness(each, name) >= ALIKE);
  return alike === undefined
    ? null
    : `${said}: ${quoteAlways(alike, SHOWN_CHARACTERS)} was sent, the name is written ${name}`;
}
