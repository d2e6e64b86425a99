/** The statements of a file of SQL: D1 takes one at a time. Pure. */

/** Comments, texts and quoted names are whole, so a semicolon in one ends nothing. */
const TOKENS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|\s+|\w+|[\s\S]/g;
const COMMENT_OR_SPACE = /^(?:--|\/\*|\s)/;
const TRIGGER = /^CREATE (?:TEMP |TEMPORARY )?TRIGGER\b/;

/** Without their semicolons. A trigger holds statements of its own, and ends with the `END;` behind the last of them. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let text = "";
  let words: string[] = [];
  const end = () => {
    if (words.length > 0) statements.push(text.trim());
    [text, words] = ["", []];
  };
  for (const [token] of sql.matchAll(TOKENS)) {
    const complete = !TRIGGER.test(words.slice(0, 3).join(" ")) || words.slice(-2).join(" ") === "; END";
    if (token === ";" && complete) {
      end();
      continue;
    }
    text += token;
    if (!COMMENT_OR_SPACE.test(token)) words.push(token.toUpperCase());
  }
  end();
  return statements;
}
