import { describe, expect, test } from "vitest";
import { JsonRecords, JsonRecordsError } from "../../../src/registers/import/json-records.ts";

const MAX_RECORD_BYTES = 4_194_304;
const bytesOf = (text: string) => Buffer.from(text, "latin1");

/** The records of the document in these pieces. */
function read(...pieces: (string | Uint8Array)[]): unknown[] {
  const records: unknown[] = [];
  const reader = new JsonRecords((record) => records.push(record));
  for (const piece of pieces) reader.push(typeof piece === "string" ? bytesOf(piece) : piece);
  reader.end();
  return records;
}

test.each<[string, unknown[]]>([
  ["[]", []],
  ["[[],[[]]]", []],
  ["[{}]", [{}]],
  [" \t\r\n[ \t\r\n[ {} , {} ] , [] ] \t\r\n", [{}, {}]],
  ['[{"a":{"b":[{}]}},{"c":1}]', [{ a: { b: [{}] } }, { c: 1 }]],
  ['[{"a":"}{][,\\"}"}]', [{ a: '}{][,"}' }]],
  ['[{"a":"\\\\"},{}]', [{ a: "\\" }, {}]],
])("%j holds %j, however it is cut", (text, records) => {
  expect(read(text)).toEqual(records);
  expect(read(...text)).toEqual(records);
  for (let cut = 1; cut < text.length; cut++) expect(read(text.slice(0, cut), text.slice(cut))).toEqual(records);
});

test.each([
  ["", "byte 0: the document ends instead of value"],
  [" ", "byte 1: the document ends instead of value"],
  ["[", "byte 1: the document ends instead of value or ]"],
  ["[[]", "byte 3: the document ends instead of , or ]"],
  ["[{", "byte 2: the document ends in an object"],
  ['[{"a":"}', "byte 8: the document ends in an object"],
  ["{}", 'byte 0: "{" instead of value'],
  ["]", 'byte 0: "]" instead of value'],
  ["[,", 'byte 1: "," instead of value or ]'],
  ["[{},]", 'byte 4: "]" instead of value'],
  ["[[],,", 'byte 4: "," instead of value'],
  ["[{}{", 'byte 3: "{" instead of , or ]'],
  ["[[][", 'byte 3: "[" instead of , or ]'],
  ["[]]", 'byte 2: "]" instead of end'],
  ["[],", 'byte 2: "," instead of end'],
  ["[]{", 'byte 2: "{" instead of end'],
  ["[][", 'byte 2: "[" instead of end'],
  ["[1", 'byte 1: "1" instead of value or ]'],
  ["[}", 'byte 1: "}" instead of value or ]'],
  ["\u00ef\u00bb\u00bf[]", 'byte 0: "ï" instead of value'],
])("%j is refused: %s", (text, message) => {
  expect(() => read(text)).toThrow(new JsonRecordsError(message));
  expect(() => read(...text)).toThrow(new JsonRecordsError(message));
});

describe("a document with a wrapper", () => {
  const readData = (...pieces: string[]): unknown[] => {
    const records: unknown[] = [];
    const reader = new JsonRecords((record) => records.push(record), "data");
    for (const piece of pieces) reader.push(bytesOf(piece));
    reader.end();
    return records;
  };

  test.each<[string, unknown[]]>([
    ['[{"a":1},{}]', [{ a: 1 }, {}]],
    ['{"data":[]}', []],
    [' { "data" : [ {"a":"}"} , {} ] } ', [{ a: "}" }, {}]],
    ['{"\\u0064ata":[{}]}', [{}]],
    ['{"data":{}}', []],
    ['{"data":{"a":{},"b \\" }{][":{"data":{}}}}', [{}, { data: {} }]],
  ])("%j holds %j, however it is cut", (text, records) => {
    expect(readData(text)).toEqual(records);
    expect(readData(...text)).toEqual(records);
    for (let cut = 1; cut < text.length; cut++) expect(readData(text.slice(0, cut), text.slice(cut))).toEqual(records);
  });

  test.each([
    ["{", "byte 1: the document ends instead of key"],
    ["{}", 'byte 1: "}" instead of key'],
    ['{"dat', "byte 5: the document ends instead of key"],
    ['{"date":[]}', 'byte 6: "date" instead of "data"'],
    ['{"data"', "byte 7: the document ends instead of :"],
    ['{"data":[]', "byte 10: the document ends instead of }"],
    ['{"data":[]]', 'byte 10: "]" instead of }'],
    ['{"data":[],"data":[]}', 'byte 10: "," instead of }'],
    ['{"data":[]}}', 'byte 11: "}" instead of end'],
    ['{"data":{"a":[]}}', 'byte 13: "[" instead of value'],
    ['{"data":{"a":{},}}', 'byte 16: "}" instead of key'],
    ['{"data":{"a":{}', "byte 15: the document ends instead of , or }"],
    ['{"data":{"a":{}]', 'byte 15: "]" instead of , or }'],
    ['{"data":{,', 'byte 9: "," instead of key or }'],
    ['{"data":{[', 'byte 9: "[" instead of key or }'],
    ["[{}}", 'byte 3: "}" instead of , or ]'],
  ])("%j is refused: %s", (text, message) => {
    expect(() => readData(text)).toThrow(new JsonRecordsError(message));
    expect(() => readData(...text)).toThrow(new JsonRecordsError(message));
  });

  test("with a key that is not JSON, or is long, is refused", () => {
    expect(() => readData('{"data":{"\\x":{}}}')).toThrow(/^byte 12: the key that ends here is not JSON: /);
    expect(() => readData(`{"data":{"${"k".repeat(1_024)}`)).toThrow("byte 1033: a key of more than 1024 bytes");
  });
});

describe("an object", () => {
  test("that is not JSON is refused at its last byte", () => {
    expect(() => read("[{},{'a':1}]")).toThrow(/^byte 10: the object that ends here is not JSON: /);
    expect(() => read("[{},{'a'", ":1}]")).toThrow(/^byte 10: the object that ends here is not JSON: /);
  });

  test("with a string that is not UTF-8 is refused", () => {
    expect(() => read('[{"a":"\xff"}]')).toThrow(/^byte 9: the object that ends here is not JSON: /);
  });

  test("with a character cut in two is whole again", () => {
    const whole = Buffer.from('[{"a":"é"}]');
    expect(read(whole.subarray(0, 8), whole.subarray(8))).toEqual([{ a: "é" }]);
  });

  /** `[{"a":"aaa`, so that the object has so many bytes by now. */
  const openObject = (bytes: number) => Buffer.concat([bytesOf('[{"a":"'), Buffer.alloc(bytes - 6, 0x61)]);

  test("of 4 MiB is kept, and of a byte more is not", () => {
    const reader = new JsonRecords(() => {});
    reader.push(openObject(MAX_RECORD_BYTES));
    const message = `byte ${MAX_RECORD_BYTES + 1}: an object of more than ${MAX_RECORD_BYTES} bytes`;
    expect(() => reader.push(bytesOf("a"))).toThrow(new JsonRecordsError(message));
  });
});
