/** The statements of a file of SQL: D1 takes one at a time. Pure. */

/** Comments, texts and quoted names are whole, so a semicolon in one ends nothing. A doubled quote makes two of one text. */
const TOKENS = /--[^\n]*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|\s+|\w+|[\s\S]/g;
const COMMENT_OR_SPACE = /^(?:--|\/\*|\s)/;
const TRIGGER = /^CREATE (?:TEMP |TEMPORARY )?TRIGGER\b/i;

/** Without their semicolons. A trigger holds statements of its own, and ends with the `END;` behind the last of them. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let first: string[] = [];
  let [before, last] = ["", ""];
  const end = (to: number, next: number) => {
    if (first.length > 0) statements.push(sql.slice(start, to).trim());
    [start, first, before, last] = [next, [], "", ""];
  };
  for (const { 0: token, index } of sql.matchAll(TOKENS)) {
    if (COMMENT_OR_SPACE.test(token)) continue;
    if (token === ";" && (!TRIGGER.test(first.join(" ")) || (before === ";" && /^END$/i.test(last)))) {
      end(index, index + 1);
      continue;
    }
    if (first.length < 3) first.push(token);
    [before, last] = [last, token];
  }
  end(sql.length, sql.length);
  return statements;
}
