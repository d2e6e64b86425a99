import { expect, test } from "vitest";
import { readDer } from "../../src/eidas/der.ts";

test("an indefinite length is refused", () => {
  expect(() => readDer(Uint8Array.of(0x30, 0x80, 0, 0), "value")).toThrow("value: indefinite length");
});
