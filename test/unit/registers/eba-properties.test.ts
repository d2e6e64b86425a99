import fc from "fast-check";
import { expect, test } from "vitest";
import { readEbaRecord } from "../../../src/registers/import/eba-record.ts";
import { JsonRecords, JsonRecordsError } from "../../../src/registers/import/json-records.ts";
import { anyCharacter } from "../any-character.ts";

function recordsOf(bytes: Uint8Array, cuts: readonly number[]): unknown[] {
  const records: unknown[] = [];
  const cutter = new JsonRecords((record) => records.push(record));
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  ends.forEach((end, i) => {
    cutter.push(bytes.subarray(ends[i - 1] ?? 0, end));
  });
  cutter.end();
  return records;
}

const anyObject = fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue());
const anyCuts = fc.array(fc.nat(), { maxLength: 5 });

test("whatever the objects hold, and wherever the bytes are cut, they come out as JSON.parse reads them", () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyObject)), anyCuts, fc.nat(2), (lists, cuts, indent) => {
      const text = JSON.stringify(lists, null, indent);
      expect(recordsOf(new TextEncoder().encode(text), cuts)).toEqual(JSON.parse(text).flat());
    }),
  );
});

test("a document of objects cut short anywhere is refused", () => {
  const bytes = new TextEncoder().encode('[[{"a":"]}\\""}],[{"b":{}},{}]]');
  for (let length = 0; length < bytes.length; length++) {
    expect(() => recordsOf(bytes.subarray(0, length), []), `${length} bytes`).toThrow(JsonRecordsError);
  }
});

test("bytes of any kind make it throw nothing but its own error", () => {
  const anyBytes = fc.oneof(
    fc.uint8Array(),
    fc.string({ unit: fc.constantFrom(...'[]{},"\\ 1a') }).map((text) => new TextEncoder().encode(text)),
  );
  fc.assert(
    fc.property(anyBytes, anyCuts, (bytes, cuts) => {
      try {
        recordsOf(bytes, cuts);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonRecordsError);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a record of any kind is read without throwing", () => {
  const key = fc.constantFrom("ENT_NAM", "ENT_AUT", "ENT_NAT_REF_COD", "IT", "toString", "__proto__");
  const lists = fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(key, fc.jsonValue())));
  const anyRecord = fc.record({
    CA_OwnerID: fc.oneof(fc.constant("IT_BI"), fc.jsonValue()),
    EntityCode: fc.oneof(fc.constant("IT_BI!1"), fc.jsonValue()),
    EntityType: fc.oneof(fc.constantFrom("PSD_PI", "PSD_AG", "PSD_BR", "constructor"), fc.jsonValue()),
    Properties: lists,
    Services: lists,
  });
  fc.assert(
    fc.property(fc.oneof(anyRecord, fc.jsonValue()), (record) => {
      const { kind } = readEbaRecord(JSON.parse(JSON.stringify(record) ?? "null"));
      expect(["institution", "agent", "other", "malformed"]).toContain(kind);
    }),
    { numRuns: 2_000 },
  );
});
