/** Changes of texts and of JSON that keep their form, so that they reach what stands behind the grammar. */
import type { Random } from "../random.ts";
import { type Change, changeBytes, pick } from "./change-bytes.ts";

const utf8 = new TextEncoder();
const read = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Where texts turn: of another alphabet, invisible, turning round, half a character, digits that are none of ASCII. */
const ODD = [
  "\u0000",
  "\u00a0",
  "\u0130",
  "\u0131",
  "\u00df",
  "\u202e",
  "\ufeff",
  "\ufffd",
  "\u{1f600}",
  "e\u0301",
  "\u0663",
  "\u2028",
  "\u1e9e",
];
const NUMBERS = [
  "0",
  "-0",
  "1",
  "-1",
  "9",
  "1e999",
  "0.1",
  "9007199254740993",
  "4294967296",
  "00",
  "99999999999999999999",
];
/** Pieces: words, numbers, single marks. */
const PIECE = /\p{L}[\p{L}\p{N}_-]*|\p{N}+|\s+|[^\p{L}\p{N}\s]/gu;
const MAX_PIECES = 4_000;

/** A piece of the text goes, comes twice, is exchanged for another, or becomes what is odd. */
export const changeText: Change = (input, random, sources) => {
  const text = read(input);
  const pieces = text.length > 64 * 1024 ? [] : (text.match(PIECE) ?? []);
  if (pieces.length === 0 || pieces.length > MAX_PIECES || random.chance(0.35))
    return changeBytes(input, random, sources);
  const at = random.below(pieces.length);
  const chosen = pieces[at] ?? "";
  const others = [
    () => [],
    () => [chosen, chosen],
    () => [pick(random, pieces, "")],
    () => [chosen, pick(random, pieces, "")],
    () => [pick(random, ODD, "")],
    () => [chosen, pick(random, ODD, "")],
    () => [pick(random, NUMBERS, "")],
    () => [random.chance(0.5) ? chosen.toUpperCase() : chosen.toLowerCase()],
    () => [`%${(chosen.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`],
    () => [read(pick(random, sources.words, new Uint8Array()))],
    () =>
      Array.from(
        { length: 1 + random.below(Math.max(1, Math.floor(sources.maxBytes / (8 * chosen.length)))) },
        () => chosen,
      ),
  ];
  pieces.splice(at, 1, ...pick(random, others, () => [])());
  return utf8.encode(pieces.join(""));
};

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  "",
  " ",
  "XX",
  "__proto__",
  "constructor",
  "\u0000",
  "2026-02-30",
  "2026-11-01T00:00:00Z",
  [],
  {},
  [[]],
  [null],
  { toString: 1, valueOf: 1 },
  { __proto__: null, length: 2 },
  "\ud800",
];

/** A place in a JSON value: `holder[key]`. */
interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function listPlaces(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== "object" || value === null) return found;
  for (const key of Object.keys(value)) {
    const holder = value as Record<string, unknown>;
    found.push({ holder, key });
    listPlaces(holder[key], found);
  }
  return found;
}

/** What comes in the place of a value. */
const INSTEAD: readonly ((value: unknown, other: unknown, random: Random) => unknown)[] = [
  (_, __, random) => pick(random, VALUES, null),
  (_, other) => other,
  (value, other) => [value, other],
  (value, _, random) => (typeof value === "string" ? `${value}${pick(random, ODD, "")}` : JSON.stringify(value)),
  (value) => (typeof value === "number" ? value + 1 : 0),
];

function edit({ holder, key }: Place, places: readonly Place[], random: Random): void {
  const other = pick(random, places, { holder, key });
  const [value, moved] = [holder[key], structuredClone(other.holder[other.key])];
  if (random.chance(0.7)) holder[key] = pick(random, INSTEAD, () => null)(value, moved, random);
  else if (Array.isArray(holder)) holder.splice(Number(key), 1, ...(random.chance(0.5) ? [value, moved] : []));
  else if (random.chance(0.5)) delete holder[key];
  else holder[other.key] = structuredClone(value);
}

/** Of what is no JSON any longer, a change of text. */
export const changeJson: Change = (input, random, sources) => {
  let value: unknown;
  try {
    value = JSON.parse(read(input));
  } catch {
    return changeText(input, random, sources);
  }
  const places = listPlaces(value);
  const place = pick(random, places, null);
  if (!place || random.chance(0.2)) return changeText(input, random, sources);
  edit(place, places, random);
  return utf8.encode(JSON.stringify(value) ?? "null");
};
