/**
 * Names come from certificates and registers. A control character in one (U+202E turns the direction of writing around)
 * would change how the number beside it reads, so every text of a page shows them as their code points. Letters of a
 * script that is written from the right are kept apart from their neighbours by `unicode-bidi` in console.css.
 */
import { showInvisible } from "../platform/quotation.ts";

/** Between tags: Hono writes `<` and `>` of texts and of attributes as entities. What a form sends back stays as it is. */
const TEXTS = /(?<!<textarea\b[^<>]*)>[^<]+/g;

export const showForeignText = (page: string | { toString(): string }): string =>
  String(page).replaceAll(TEXTS, (text) => text.split("\n").map(showInvisible).join("\n"));
