/**
 * How the Markdown of a guide or a document becomes a page's content.
 *
 * Tabs: blocks that follow one another directly, each with a title behind its language. The first is shown at first.
 *
 *     ```sh curl
 *     ```
 *
 *     ```python Python
 *     ```
 */
import { Marked, type Token, type Tokens } from "marked";
import { type Code, makeCode, makeTabs } from "./code-block.ts";

/** A table that is too wide for a phone is scrolled. */
const TABLE = '<div class="table" tabindex="0" role="group" aria-label="Table">';
const WIDE_COLUMNS = 3;
/** Of letters in a row: half a phone's width has no more. */
const LONGEST_NAME = /[\w.]{18,}/;
/** A card of a phone with more lines shows the first ones, and the others when it is asked to. */
const MOST_LINES = 5;
/** As assets/site.css has it. */
const SHOWN_LINES = 3;
const makeOpener = (more: number): string =>
  `<input type="checkbox" class="more" aria-label="The whole row" data-more="${more} more">`;

export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** `findPage`: where a link leads on the site; null: its text stands there without a link. */
export async function makeContent(markdown: string, findPage = (href: string): string | null => href): Promise<string> {
  const ids = new Set<string>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ text, depth, tokens }) {
        let id = slug(text);
        // a changelog has the same headings below each release
        for (let i = 2; ids.has(id); i++) id = `${slug(text)}-${i}`;
        ids.add(id);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  const tokens = await foldTabs(marked.lexer(markdown));
  await Promise.all(
    marked.walkTokens(tokens, async (token) => {
      if (token.type === "code") asHtml(token, await makeCode(readCode(token as Tokens.Code)));
      if (token.type !== "link") return;
      const page = findPage(token["href"]);
      if (page === null) token.type = "text";
      else token["href"] = page;
    }),
  );
  return marked.parser(tokens).replaceAll(/<table>.*?<\/table>/gs, (table) => {
    // a path that is longer than its cell goes on in the next line after a slash
    const breaking = labelCells(table).replaceAll(/(?<=<code>[^<]*[\w}]\/)(?=[\w{])/g, "<wbr>");
    return `${TABLE}${breaking}</div>`;
  });
}

/**
 * A row of a wide table is a card on a phone: each cell has the name of its column. A row that begins with an empty cell goes
 * on with the one above, whose cells it repeats there.
 */
function labelCells(table: string): string {
  const names = [...table.matchAll(/<th>(.*?)<\/th>/gs)].map(([, name = ""]) => name.replaceAll(/<[^>]*>/g, ""));
  if (names.length < WIDE_COLUMNS && !LONGEST_NAME.test(table.replaceAll(/<[^>]*>/g, ""))) return table;
  let above: string[] = [];
  const rows = table.replaceAll(/<tr>((?:\s*<td>.*?<\/td>)+)/gs, (_, row: string) => {
    const cells = [...row.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell = ""]) => cell);
    const goesOn = cells[0] === "";
    const shown = cells.map((cell, i) => (goesOn && cell === "" ? `<span class="above">${above[i]}</span>` : cell));
    above = cells.map((cell, i) => (goesOn && cell === "" ? (above[i] ?? "") : cell));
    const opener = names.length > MOST_LINES ? makeOpener(names.length - SHOWN_LINES) : "";
    return `<tr>${shown.map((cell, i) => `<td data-label="${names[i]}">${i === 0 ? opener : ""}${cell}</td>`).join("\n")}`;
  });
  return rows.replace("<table>", '<table class="wide">');
}

function readCode({ text, lang = "" }: Tokens.Code): Code {
  const [language = "", ...title] = lang.split(" ");
  return { text, language, ...(title.length > 0 && { title: title.join(" ") }) };
}

const asHtml = (token: Token, html: string): Token => Object.assign(token, { type: "html", block: true, text: html });

/** With one token in the place of blocks that are tabs. */
async function foldTabs(tokens: readonly Token[]): Promise<Token[]> {
  const folded: Token[] = [];
  let codes: Code[] = [];
  for (const [i, token] of tokens.entries()) {
    const code = token.type === "code" ? readCode(token as Tokens.Code) : null;
    if (code?.title !== undefined) codes.push(code);
    else if (token.type !== "space" || codes.length === 0) folded.push(token);
    const after = tokens.slice(i + 1).find(({ type }) => type !== "space");
    const goesOn = after?.type === "code" && readCode(after as Tokens.Code).title !== undefined;
    if (codes.length === 0 || goesOn) continue;
    folded.push(asHtml({ ...token }, await makeTabs(`tabs-${i}`, codes)));
    codes = [];
  }
  return folded;
}
