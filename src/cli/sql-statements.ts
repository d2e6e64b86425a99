/** Statements of a text or a stream of SQL. No more than one statement and one chunk is in memory. */

/** Comments, texts and quoted names are whole, so a semicolon in one ends nothing. A doubled quote makes two of one text. */
const TOKENS = /--[^\n]*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|\s+|\w+|[\s\S]/g;
const COMMENT_OR_SPACE = /^(?:--|\/\*|\s)/;
const TRIGGER = /^CREATE (?:TEMP |TEMPORARY )?TRIGGER\b/i;
/** Of a text, a name or a comment, whose end may be in the next chunk. */
const BEGUN = /^['"`[/]$/;

/** A trigger holds statements of its own, and ends with the `END;` behind the last of them. */
class Splitter {
  #text = "";
  /** Where the next token begins. */
  #at = 0;
  #first: string[] = [];
  #before = "";
  #last = "";

  /** The statements that end in `chunk`, without their semicolons. */
  *push(chunk: string, isLast = false): Generator<string> {
    this.#text += chunk;
    let start = 0;
    const tokens = new RegExp(TOKENS);
    tokens.lastIndex = this.#at;
    for (let found = tokens.exec(this.#text); found; found = tokens.exec(this.#text)) {
      const { 0: token, index } = found;
      if (!isLast && (tokens.lastIndex === this.#text.length || BEGUN.test(token))) break;
      this.#at = tokens.lastIndex;
      if (COMMENT_OR_SPACE.test(token)) continue;
      if (token === ";" && !this.#isInTrigger()) {
        if (this.#first.length > 0) yield this.#text.slice(start, index).trim();
        [start, this.#first, this.#before, this.#last] = [index + 1, [], "", ""];
        continue;
      }
      if (this.#first.length < 3) this.#first.push(token);
      [this.#before, this.#last] = [this.#last, token];
    }
    if (isLast && this.#first.length > 0) yield this.#text.slice(start).trim();
    this.#text = this.#text.slice(start);
    this.#at -= start;
  }

  #isInTrigger(): boolean {
    return TRIGGER.test(this.#first.join(" ")) && !(this.#before === ";" && /^END$/i.test(this.#last));
  }
}

/** Without their semicolons. */
export const splitStatements = (sql: string): string[] => [...new Splitter().push(sql, true)];

/** The same of a stream, as its chunks arrive. */
export async function* readStatements(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const splitter = new Splitter();
  for await (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.push("", true);
}
