/** From DER to the plain form: two numbers of the curve's length. */
import { expect, test } from "vitest";
import { toPlainSignature } from "../../../src/x509/signature.ts";

const plain = (hex: string, coordinateBytes = 2) => {
  const bytes = toPlainSignature(Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex")), coordinateBytes);
  return bytes && Buffer.from(bytes).toString("hex");
};

test.each([
  ["two numbers", "30 08 02 02 01 02 02 02 03 04", "01020304"],
  ["short ones, which are filled up", "30 06 02 01 01 02 01 02", "00010002"],
  ["numbers whose first bit needs a zero before it", "30 0a 02 03 00 81 02 02 03 00 ff fe", "8102fffe"],
  ["zeros", "30 06 02 01 00 02 01 00", "00000000"],
])("%s", (_, hex, expected) => {
  expect(plain(hex)).toBe(expected);
});

test.each([
  ["nothing", ""],
  ["one number", "30 03 02 01 01"],
  ["three numbers", "30 09 02 01 01 02 01 02 02 01 03"],
  ["a negative number", "30 06 02 01 80 02 01 02"],
  ["a negative second number", "30 06 02 01 01 02 01 ff"],
  ["a number longer than the curve's", "30 08 02 03 01 02 03 02 01 02"],
  ["a number that is not minimal", "30 07 02 02 00 01 02 01 02"],
  ["a SET", "31 06 02 01 01 02 01 02"],
  ["a byte behind it", "30 06 02 01 01 02 01 02 00"],
  ["another type of value", "30 06 02 01 01 04 01 02"],
])("%s is none", (_, hex) => {
  expect(plain(hex)).toBeNull();
});
