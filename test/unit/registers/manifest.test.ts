import { expect, test } from "vitest";
import { DEFAULT_REGISTER_MAX_AGES_MS, registerMaxAges } from "../../../src/registers/manifest.ts";

test("a register's greatest age is the configured one, none for 0 hours, and the default without a setting", () => {
  expect(registerMaxAges({})).toEqual(DEFAULT_REGISTER_MAX_AGES_MS);
  expect(registerMaxAges({ REGISTER_MAX_AGE_HOURS_EBA: 0, REGISTER_MAX_AGE_HOURS_NCA: 1 } as object)).toEqual({
    ...DEFAULT_REGISTER_MAX_AGES_MS,
    eba: null,
    nca: 3_600_000,
  });
});
