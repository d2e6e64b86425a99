/** How text from a certificate appears in a warning: bounded, on one line, with its odd characters made visible. */

const MAX_QUOTED_CHARACTERS = 80;

/** Control and format characters (among them those that turn the writing direction), and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The text as it is when it is one plain word, else in double quotes, escaped and cut to 80 characters. */
export function quote(text: string): string {
  if (text.length <= MAX_QUOTED_CHARACTERS && /^[\w.:+-]+$/.test(text)) return text;
  const characters = Array.from(text.slice(0, 4 * MAX_QUOTED_CHARACTERS));
  const cut = characters.length > MAX_QUOTED_CHARACTERS;
  const shown = characters.slice(0, MAX_QUOTED_CHARACTERS).join("").replaceAll(/["\\]/g, "\\$&");
  const visible = shown.replaceAll(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16).padStart(4, "0")}}`,
  );
  return `"${visible}${cut ? "…" : ""}"`;
}
