/** Quotes untrusted text in a warning or an error: bounded, on one line, with invisible characters escaped. */

const MAX_QUOTED_CHARACTERS = 80;

/** Control and format characters (including those that change the text direction), and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The text itself if it is one plain word, else the result of {@link quoteAlways}. */
export function quote(text: string): string {
  return text.length <= MAX_QUOTED_CHARACTERS && /^[\w.:+-]+$/.test(text) ? text : quoteAlways(text);
}

/** The text in double quotes, escaped and cut to `max` characters. */
export function quoteAlways(text: string, max = MAX_QUOTED_CHARACTERS): string {
  const characters = Array.from(text.slice(0, 4 * max));
  const cut = characters.length > max;
  const shown = characters.slice(0, max).join("").replaceAll(/["\\]/g, "\\$&");
  return `"${showInvisible(shown)}${cut ? "…" : ""}"`;
}

/** A name with U+202E would turn what stands beside it around, one with ESC change a terminal. */
export const showInvisible = (text: string): string =>
  text.replaceAll(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16).padStart(4, "0")}}`);

/** As JSON has it, of a JSON text: its value stays the same. Line ends are its layout. */
export const showInvisibleInJson = (text: string): string =>
  text.replaceAll(INVISIBLE, (character) =>
    character === "\n"
      ? character
      : Array.from(
          { length: character.length },
          (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
        ).join(""),
  );
