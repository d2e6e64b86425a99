/** Statements of a text or a stream of SQL. No more than one statement and one chunk is in memory. */

/** What stands between two words: spaces and whole comments. Each pattern here can match in one way only, so none goes back. */
const GAP = String.raw`\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/`;
/** A text whole, in which a doubled quote ends nothing; or a quoted name. */
const QUOTED = String.raw`'[^']*(?:''[^']*)*'(?!')|"[^"]*"|${"`[^`]*`"}|\[[^\]]*\]`;
/** Up to a semicolon that is in no comment, text or quoted name. */
const SEGMENT = new RegExp(String.raw`(?:[^;'"${"`"}[/\s-]|${GAP}|${QUOTED}|-(?!-)|\/(?!\*))*;`, "y");
const BLANK = new RegExp(`^(?:${GAP}|--[^\\n]*$)*;?$`);
const TRIGGER = new RegExp(`^(?:${GAP})*CREATE(?:${GAP})+(?:TEMP(?:ORARY)?(?:${GAP})+)?TRIGGER\\b`, "i");
const END = new RegExp(`^(?:${GAP})*END(?:${GAP})*;$`, "i");

/** A trigger holds statements of its own, and ends with the `END;` behind the last of them. */
class Splitter {
  #text = "";
  /** Where the next segment of the first statement begins. */
  #at = 0;

  /** The statements that end in `chunk`, without their semicolons. */
  *push(chunk: string): Generator<string> {
    this.#text += chunk;
    let start = 0;
    const segments = new RegExp(SEGMENT);
    for (segments.lastIndex = this.#at; segments.test(this.#text); ) {
      const segment = this.#text.slice(this.#at, segments.lastIndex);
      this.#at = segments.lastIndex;
      const statement = start + segment.length === this.#at ? segment : this.#text.slice(start, this.#at);
      if (TRIGGER.test(statement) && !END.test(segment)) continue;
      if (!BLANK.test(statement)) yield statement.slice(0, -1).trim();
      start = this.#at;
    }
    this.#text = this.#text.slice(start);
    this.#at -= start;
  }

  /** What has no semicolon. */
  *end(): Generator<string> {
    if (!BLANK.test(this.#text)) yield this.#text.trim();
  }
}

/** Without their semicolons. */
export function splitStatements(sql: string): string[] {
  const splitter = new Splitter();
  return [...splitter.push(sql), ...splitter.end()];
}

/** The same of a stream, as its chunks arrive. */
export async function* readStatements(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const splitter = new Splitter();
  for await (const chunk of chunks) yield* splitter.push(chunk);
  yield* splitter.end();
}
