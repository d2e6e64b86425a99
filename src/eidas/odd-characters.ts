/** Names characters that a reader does not see, or takes for others. Printed ASCII and Latin are not named. */

const PRINTED_ASCII = /^[ -~]*$/;
const PLAIN = /^(?:[ -~]|\p{Script=Latin})$/u;

const MAX_NAMED = 8;

const NAMES: Readonly<Record<number, string>> = {
  0: "NUL",
  9: "tabulator",
  10: "line feed",
  13: "carriage return",
  27: "escape",
  127: "delete",
  160: "no-break space",
  173: "soft hyphen",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8205: "zero-width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of a direction",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first strong isolate",
  8297: "end of an isolate",
  65279: "byte order mark",
  65533: "replacement character",
};

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/[\uff10-\uff19]/u, "full-width digit"],
  [/[\uff21-\uff3a\uff41-\uff5a]/u, "full-width letter"],
  [/[\uff01-\uff5e]/u, "full-width character"],
  [/\p{Cc}/u, "control character"],
  [/\p{Cf}|\p{Default_Ignorable_Code_Point}/u, "invisible character"],
  [/\p{Z}/u, "blank"],
  [/\p{Pd}|\u2212/u, "dash"],
  [/\p{M}/u, "combining mark"],
];

/** The scripts of Europe and those whose letters look like Latin ones. */
const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Cyrillic}/u, "Cyrillic"],
  [/\p{Script=Greek}/u, "Greek"],
  [/\p{Script=Armenian}/u, "Armenian"],
  [/\p{Script=Georgian}/u, "Georgian"],
  [/\p{Script=Hebrew}/u, "Hebrew"],
  [/\p{Script=Arabic}/u, "Arabic"],
  [/\p{Script=Cherokee}/u, "Cherokee"],
  [/\p{Script=Han}/u, "Chinese"],
];

/** The phrase "it has U+200B (zero-width space)"; null if there is nothing of the kind. Each is named once. */
export function describeOddCharacters(text: string): string | null {
  if (PRINTED_ASCII.test(text)) return null;
  const odd = [...new Set(text)].filter((character) => !PLAIN.test(character) || isForm(character));
  if (odd.length === 0) return null;
  const named = odd.slice(0, MAX_NAMED).map((character) => `${codePoint(character)} (${nameOf(character)})`);
  return `it has ${named.join(", ")}${odd.length > MAX_NAMED ? ` and ${odd.length - MAX_NAMED} more` : ""}`;
}

/** Whether it stands for other characters: a full-width letter, a Roman numeral, the Kelvin sign. */
const isForm = (character: string): boolean => character.normalize("NFKC") !== character;

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

function nameOf(character: string): string {
  const known = NAMES[character.codePointAt(0) ?? 0] ?? KINDS.find(([kind]) => kind.test(character))?.[1];
  if (known !== undefined) return known;
  const sort = /\p{L}/u.test(character) ? "letter" : /\p{N}/u.test(character) ? "digit" : "character";
  if (PLAIN.test(character)) return `${sort} in another form`;
  const script = SCRIPTS.find(([each]) => each.test(character))?.[1];
  return script === undefined ? `${sort} that is not Latin` : `${script} ${sort}`;
}
