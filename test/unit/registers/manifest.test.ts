import { expect, test } from "vitest";
import {
  DEFAULT_REGISTER_MAX_AGES_MS,
  isRegisterStale,
  type RegisterManifest,
  registerMaxAges,
  staleFrom,
} from "../../../src/registers/manifest.ts";
import { REGISTER_SOURCES } from "../../../src/registers/sources.ts";

test("a register's greatest age is the configured one, none for 0 hours, and the default without a setting", () => {
  expect(registerMaxAges({})).toEqual(DEFAULT_REGISTER_MAX_AGES_MS);
  expect(registerMaxAges({ REGISTER_MAX_AGE_HOURS_EBA: 0, REGISTER_MAX_AGE_HOURS_NCA: 1 } as object)).toEqual({
    ...DEFAULT_REGISTER_MAX_AGES_MS,
    eba: null,
    nca: 3_600_000,
  });
});

test.each(REGISTER_SOURCES)(
  "a register of %s is as old as its publication, however late it was fetched or imported",
  (source) => {
    const day = 24 * 3_600_000;
    const now = Date.parse("2026-11-27T00:00:00Z");
    const ago = (days: number) => new Date(now - days * day).toISOString();
    const maxAges = { ...DEFAULT_REGISTER_MAX_AGES_MS, [source]: 31 * day };
    const of = (published: string, fetchedAt: string) => ({ source, published, fetchedAt }) as RegisterManifest;
    for (const [published, fetchedAt, stale] of [
      [ago(118), ago(0), true],
      [ago(0), ago(118), true],
      [ago(31), ago(0), false],
      [ago(32), ago(32), true],
      // a publication that lies ahead, or that nobody can read, makes nothing younger
      [ago(-900), ago(32), true],
      [ago(-900), ago(31), false],
      ["", ago(32), true],
      ["", ago(31), false],
    ] as const) {
      const manifest = of(published, fetchedAt);
      expect([published, fetchedAt, isRegisterStale(manifest, maxAges, now)]).toEqual([published, fetchedAt, stale]);
      const from = staleFrom(manifest, maxAges);
      expect([from - 1, from].map((at) => isRegisterStale(manifest, maxAges, at))).toEqual([false, true]);
      expect(isRegisterStale(manifest, { ...maxAges, [source]: null }, now)).toBe(false);
    }
  },
);
