import fc from "fast-check";
import { expect, test } from "vitest";
import { describeProblem } from "../../../src/registers/import/form-fields.ts";
import { readRegisterFile, readRegisterValue } from "../../../src/registers/import/own-form.ts";
import { readRegisterCsv } from "../../../src/registers/import/own-form-csv.ts";
import { anyCharacter } from "../any-character.ts";

const CSV_HEADER =
  "country,ncaId,ncaName,published,source,authNumber,agent,category,legalName,status,services,passportOut,passportIn";

const category = fc.record(
  { category: fc.jsonValue(), legalName: fc.jsonValue(), services: fc.jsonValue(), passportOut: fc.jsonValue() },
  { requiredKeys: [] },
);
const psp = fc.record({ authNumber: fc.jsonValue(), categories: fc.oneof(fc.array(category), fc.jsonValue()) });
const anyFile = fc.record({ country: fc.constant("XX"), psps: fc.oneof(fc.array(psp), fc.jsonValue()) });

const refusedWithReasons = (read: ReturnType<typeof readRegisterFile>) => {
  expect(read.ok).toBe(false);
  for (const problem of read.ok ? [] : read.problems) expect(describeProblem(problem)).toMatch(/^.+: .|^the file ./);
};

test("no JSON makes the reading throw: it is refused with reasons", () => {
  fc.assert(
    fc.property(fc.oneof(anyFile, fc.jsonValue()), (value) => {
      refusedWithReasons(readRegisterValue(value));
    }),
  );
});

test("no text makes the reading of either form throw", () => {
  const cells = fc.array(fc.string({ unit: fc.constantFrom(...'PSDX-1:;,"\n 7') }), { minLength: 13, maxLength: 13 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        cells.map((row) => `${CSV_HEADER}\n${row.join()}`),
      ),
      (text) => {
        refusedWithReasons(readRegisterFile(text));
        refusedWithReasons(readRegisterCsv(text));
      },
    ),
  );
});
