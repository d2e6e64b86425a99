/** A dump of any size: statements leave as their text arrives. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readStatements, splitStatements } from "../../src/cli/backup/sql-statements.ts";

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

/** What a dump may hold, in which a semicolon or a quote ends nothing. */
const text = fc.string({ unit: fc.constantFrom("'", ";", '"', "--", "/*", "*/", "\n", "END", "é", "[") });
const quoted = text.map((value) => `'${value.replaceAll("'", "''")}'`);
const piece = fc.oneof(
  { weight: 3, arbitrary: quoted },
  text.map((value) => `"${value.replaceAll('"', '""')}"`),
  text.map((value) => `/*${value.replaceAll("*/", "* /")} */`),
  text.map((value) => `--${value.replaceAll("\n", "")}\n`),
  text.map((value) => `X'${Buffer.from(value).toString("hex")}'`),
  fc.constantFrom("`;'`", "[;']", " ", "-", "/", "1", "NULL", "END", "(", ",", "\n"),
);
const words = fc.array(piece).map((pieces) => pieces.join(" "));
const statement = fc.oneof(
  words.map((rest) => `INSERT INTO "t" VALUES(${rest})`),
  fc.array(words).map((inner) => {
    const body = inner.map((rest) => `SELECT ${rest};`).join(" ");
    return `CREATE TRIGGER t BEFORE INSERT ON a BEGIN ${body} DELETE FROM b; END`;
  }),
);

test("whatever texts, comments, names and triggers hold, the statements are whole, wherever chunks end", async () => {
  const made = fc.array(statement, { maxLength: 5 });
  const cuts = fc.array(fc.nat({ max: 40 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(made, cuts, async (statements, lengths) => {
      const sql = statements.map((one) => `${one};\n`).join("");
      async function* chunks(): AsyncGenerator<string> {
        for (let from = 0, i = 0; from < sql.length; i++) {
          const to = from + (lengths[i % lengths.length] ?? 0) + 1;
          yield sql.slice(from, to);
          from = to;
        }
      }
      const read: string[] = [];
      for await (const one of readStatements(chunks())) read.push(one);
      expect(read).toEqual(statements);
    }),
    { seed: 20261124 },
  );
});

test("the longest row of D1, all of quotes, is one statement", () => {
  const row = `INSERT INTO t VALUES('${"''".repeat(2_000_000)}')`;
  expect(splitStatements(`${row};SELECT 1;`).map(({ length }) => length)).toEqual([row.length, 8]);
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
