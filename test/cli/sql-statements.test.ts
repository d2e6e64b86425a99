/** A dump of any size: statements leave as their text arrives. */
import { expect, test } from "vitest";
import { readStatements, splitStatements } from "../../src/cli/sql-statements.ts";

const SQL = `-- a comment; with a semicolon
CREATE TABLE "a;b" (x TEXT); /* another; */ INSERT INTO t VALUES('it''s; two
lines', \`c;\`, [d;]);
CREATE TRIGGER t BEFORE INSERT ON a BEGIN SELECT CASE WHEN 1 THEN RAISE(ABORT, 'no; never') END; DELETE FROM b; END;
SELECT 1`;

async function* cut(text: string, length: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length);
}

test.each([1, 2, 3, 7, 64])("chunks of %i characters have the statements of the whole text", async (length) => {
  const whole = splitStatements(SQL);
  expect(whole).toHaveLength(4);
  const read: string[] = [];
  for await (const statement of readStatements(cut(SQL, length))) read.push(statement);
  expect(read).toEqual(whole);
});

test("of a long stream no more is read than the statement that was asked for", async () => {
  const statement = `INSERT INTO "t" ("x") VALUES('${"x".repeat(1000)}')`;
  let read = 0;
  async function* endless(): AsyncGenerator<string> {
    for (;;) {
      read++;
      yield `${statement};\n`;
    }
  }
  let taken = 0;
  for await (const one of readStatements(endless())) {
    expect(one).toBe(statement);
    taken++;
    expect(read).toBeLessThanOrEqual(taken + 1);
    if (taken === 10_000) break;
  }
});
