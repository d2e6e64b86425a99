/**
 * Addresses as fast-check draws them. Its own first make a map of all 1.1 million characters for those that are written
 * in percent form: a second of processor time and a hundred megabytes of heap in each process.
 */
import fc from "fast-check";
import { anyCharacter } from "./unit/any-character.ts";

/** RFC 3986 section 2.3, and the sub-delims, ":" and "@" of a segment. */
const SEGMENT = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@";

const percentForm = anyCharacter.map(
  (character) => {
    const encoded = encodeURIComponent(character);
    return encoded === character ? `%${character.charCodeAt(0).toString(16)}` : encoded;
  },
  (text) => decodeURIComponent(String(text)),
);

const textOf = (characters: string, size: "xsmall" | "small"): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.oneof({ weight: 10, arbitrary: fc.constantFrom(...characters) }, { weight: 1, arbitrary: percentForm }),
    size,
  });

const pathOf = (segment: "xsmall" | "small", segments: "xsmall" | "small"): fc.Arbitrary<string> =>
  fc.array(textOf(SEGMENT, segment), { size: segments }).map((texts) => texts.map((text) => `/${text}`).join(""));

/** Empty, or beginning with a slash: few long segments or many short ones. */
export const webPath = fc.oneof(pathOf("small", "xsmall"), pathOf("xsmall", "small"));

/** What stands behind the question mark. */
export const webQuery = textOf(`${SEGMENT}/?`, "small");

/** An absolute address without a query. */
export const webUrl = (schemes: readonly string[] = ["http", "https"]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...schemes), fc.webAuthority(), webPath)
    .map(([scheme, authority, path]) => `${scheme}://${authority}${path}`);
