/**
 * Refuses a parameter of the query that the endpoint does not have, where the interface does not define the endpoint: with a
 * misspelled filter ignored, a list of all records would pass for that of one PSP.
 */
import { createMiddleware } from "hono/factory";
import { quoteAlways } from "../../platform/quotation.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";

/** Longer than the longest name. */
const SHOWN_CHARACTERS = 20;

export const knownQuery = createMiddleware<AppEnv>(async (c, next) => {
  const { query } = c.get("endpoint");
  if (query && c.req.url.includes("?")) {
    // not Hono's, an object in which the name __proto__ is lost
    const unknown = [...new URL(c.req.url).searchParams.keys()].find((name) => !query.includes(name));
    if (unknown !== undefined) throw new ApiError({ code: "parameter_unknown", title: explainUnknown(unknown, query) });
  }
  await next();
});

function explainUnknown(name: string, known: readonly string[]): string {
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
