/** Lists as files: what a spreadsheet or a program reads of them, and that no part looks like the whole. */
import { expect, test } from "vitest";
import { type Format, MAX_RECORDS, writeCsvLine, writeList } from "../../../src/console/list-file.tsx";

interface Row {
  readonly name: string | null;
  readonly count: number;
}
const columns = { name: ({ name }: Row) => name, count: ({ count }: Row) => count };
const address = (query: Readonly<Record<string, string>>) => `https://psp.example/list?${new URLSearchParams(query)}`;

/** Parts by the parameter `at`: 0, 1, 2 ... */
async function write(format: Format, parts: readonly (readonly Row[])[], query = {}, notes: string[] = []) {
  const texts: string[] = [];
  const read = async ({ at = "0" }: Readonly<Record<string, string>>) => {
    const next = Number(at) + 1 < parts.length ? { at: String(Number(at) + 1) } : null;
    return { rows: parts[Number(at)] ?? [], next, notes };
  };
  for await (const text of writeList({ name: "rows", columns, read }, format, query, address)) texts.push(text);
  return texts.join("");
}

const ROWS: Row[] = [
  { name: 'Bank "A", Ltd', count: 1 },
  { name: "two\r\nlines", count: 0 },
  { name: null, count: 3 },
];

test("CSV is that of RFC 4180: one head, quoted where it has to be, an absent value is empty", async () => {
  expect(await write("csv", [ROWS.slice(0, 2), ROWS.slice(2)])).toBe(
    '\uFEFFname,count\r\n"Bank ""A"", Ltd",1\r\n"two\r\nlines",0\r\n,3\r\n',
  );
});

test("JSON lines are one object a line, with all columns", async () => {
  const lines = (await write("jsonl", [ROWS.slice(0, 2), ROWS.slice(2)])).split("\n");
  expect(lines.pop()).toBe("");
  expect(lines.map((line) => JSON.parse(line))).toEqual(ROWS);
});

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\r=1", `"'\r=1"`],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ["a=1", "a=1"],
  ["a;=1;b", "a;'=1;b"],
  ["", ""],
])("what begins a formula in a field is prefixed, where semicolons end cells, too: %j", (text, written) => {
  expect(writeCsvLine([text, 1])).toBe(`${written},1\r\n`);
});

test("a number is one, whatever its sign", () => {
  expect(writeCsvLine([-5, 1e21])).toBe("-5,1e+21\r\n");
});

test("after 100,000 records the last line has the address of the rest, with its filters", async () => {
  const part = Array.from({ length: 500 }, (_, count): Row => ({ name: "x", count }));
  const parts = Array.from({ length: 201 }, () => part);
  const csv = (await write("csv", parts, { psp: "A&B" })).split("\r\n");
  expect(csv).toHaveLength(1 + MAX_RECORDS + 1 + 1);
  expect(csv.at(-2)).toBe("The list goes on at https://psp.example/list?psp=A%26B&at=200&as=csv,");
  const jsonl = (await write("jsonl", parts, { psp: "A&B" })).split("\n");
  expect(JSON.parse(jsonl.at(-2) ?? "")).toEqual({ next: "https://psp.example/list?psp=A%26B&at=200&as=jsonl" });
  // what ends there is whole
  expect(await write("csv", parts.slice(1))).not.toContain("goes on");
});

test("a list that looks long for nothing ends with an address, too", async () => {
  const lines = (await write("jsonl", Array<Row[]>(2_000).fill([]))).split("\n");
  expect(lines.map((line) => line && JSON.parse(line))).toEqual([
    { next: "https://psp.example/list?at=400&as=jsonl" },
    "",
  ]);
});

test("what cannot be read is a line of its own", async () => {
  expect(await write("csv", [[{ name: "a", count: 1 }]], {}, ["records 5 to 9, which are damaged"])).toBe(
    '\uFEFFname,count\r\na,1\r\n"records 5 to 9, which are damaged",\r\n',
  );
  expect(await write("jsonl", [[]], {}, ["gone"])).toBe('{"note":"gone"}\n');
});
