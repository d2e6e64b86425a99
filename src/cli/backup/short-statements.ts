/** Rows as D1's import takes them: a statement of at most 100,000 bytes, developers.cloudflare.com/d1/platform/limits/ */

const MAX_STATEMENT_BYTES = 100_000;
/** Of a text in characters of up to four bytes, or of a BLOB in digits, which must be even. */
const PIECE = /(?:''|[^']){1,20000}/gu;
/** Shorter ones of all columns are together no longer than a statement may be. */
const LONG_LITERAL = /"[^"]*"|(X?)'([^']*(?:''[^']*)*)'(?!')/g;
const SHORT_CHARACTERS = 500;
/** Exists while a row is put together; the next restore would delete it. */
const TABLE = "restored_pieces";

/** A row that is too long is put together from pieces, which are statements of their own. */
export function* shortenStatement(statement: string): Generator<string> {
  if (Buffer.byteLength(statement) <= MAX_STATEMENT_BYTES) return yield statement;
  const made: string[] = [];
  let row = 0;
  const short = statement.replace(LONG_LITERAL, (literal, blob: string | undefined, inner: string | undefined) => {
    if (inner === undefined || inner.length <= SHORT_CHARACTERS) return literal;
    const [first = "", ...others] = (inner.match(PIECE) ?? []).map((piece) => `${blob}'${piece}'`);
    row++;
    made.push(`INSERT INTO ${TABLE} VALUES(${row},${first})`);
    for (const piece of others) made.push(`UPDATE ${TABLE} SET piece = piece || ${piece} WHERE n = ${row}`);
    const whole = `(SELECT piece FROM ${TABLE} WHERE n = ${row})`;
    return blob === "" ? whole : `CAST(${whole} AS BLOB)`;
  });
  yield `CREATE TABLE ${TABLE} (n INTEGER PRIMARY KEY, piece)`;
  yield* made;
  yield short;
  yield `DROP TABLE ${TABLE}`;
}
