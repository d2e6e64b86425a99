/**
 * The parser's time grows with the square of the depth (minutes for 100,000 levels), and canonicalisation is recursive.
 */
import { ListRefused } from "./refusal.ts";

/** Maximum depth of elements. Published lists reach 16. */
const MAX_DEPTH = 64;

/** Markup that may contain markup characters as plain text. */
const OPAQUE = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** The rest of a tag after its "<". Quoted attribute values may contain ">". */
const TAG = /[^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*>/y;

/** Scans the text once. Throws {@link ListRefused} if elements are nested too deeply or markup is not terminated. */
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

/** Returns the index after the markup that starts at `at`. */
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
  throw new ListRefused("not well-formed", `unterminated markup at character ${at}`);
}
