/** The instant of a request as text: as Date writes it, whatever was written before. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { readRequestTime, writeRequestTime } from "../../../src/platform/clock.ts";

const SECOND = fc.integer({ min: -62_167_219_200, max: 253_402_300_799 });

test("is what toISOString writes, and read as it was, of instants of one second in any order, and of others", () => {
  fc.assert(
    fc.property(fc.array(SECOND, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(999)), (seconds, fractions) => {
      for (const fraction of [0, 999, ...fractions])
        for (const second of seconds) {
          const time = second * 1000 + fraction;
          const text = writeRequestTime(time);
          expect(text).toBe(new Date(time).toISOString());
          expect(readRequestTime(text)).toBe(time);
        }
    }),
  );
});

test("throws for what is no instant, as Date does, and goes on", () => {
  expect(() => writeRequestTime(Number.NaN)).toThrow(RangeError);
  expect(writeRequestTime(0)).toBe("1970-01-01T00:00:00.000Z");
});
