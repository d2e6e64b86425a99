/**
 * Bounds the depth of a document before it is parsed: the parser's time grows with the square of the depth (100,000
 * levels with a namespace on each take it minutes), and canonicalisation recurses.
 */
import { ListRefused } from "./refusal.ts";

/** Elements; the published lists reach 16. */
const MAX_DEPTH = 64;

/** What may hold markup characters that are no markup. */
const OPAQUE = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** A tag from behind its "<": quoted values may hold ">". */
const TAG = /[^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*>/y;

/** One pass over the text. Throws {@link ListRefused} for what is too deep, and for markup that never ends. */
export function boundNesting(text: string): void {
  let depth = 0;
  for (let at = text.indexOf("<"); at >= 0; ) {
    const end = endOfMarkup(text, at);
    if (text[at + 1] === "/") depth--;
    else if (isStartTag(text, at, end)) depth++;
    if (depth > MAX_DEPTH) throw new ListRefused("too deep", `elements nested deeper than ${MAX_DEPTH}`);
    at = text.indexOf("<", end);
  }
}

const isStartTag = (text: string, at: number, end: number): boolean =>
  text[at + 1] !== "!" && text[at + 1] !== "?" && text[end - 2] !== "/";

/** The index behind the markup that begins at `at`. */
function endOfMarkup(text: string, at: number): number {
  const opaque = OPAQUE.find(([start]) => text.startsWith(start, at));
  if (opaque) {
    const [start, stop] = opaque;
    const found = text.indexOf(stop, at + start.length);
    if (found >= 0) return found + stop.length;
  } else {
    TAG.lastIndex = at + 1;
    if (TAG.test(text)) return TAG.lastIndex;
  }
  throw new ListRefused("not well-formed", `markup that never ends, at character ${at}`);
}
