/** The deployment's lifetimes of access tokens: which variable counts, and what is no lifetime. */
import { expect, test } from "vitest";
import {
  defaultTokenSeconds,
  type LifetimeEnv,
  lifetimeWarnings,
  tokenSecondsOf,
} from "../../../src/grants/token-lifetimes.ts";

const envOf = (both: unknown, payments: unknown, accounts: unknown) =>
  ({
    ACCESS_TOKEN_SECONDS: both,
    ACCESS_TOKEN_SECONDS_PAYMENTS: payments,
    ACCESS_TOKEN_SECONDS_ACCOUNTS: accounts,
  }) as LifetimeEnv;

test.each([
  ["both scopes have that for both", [1_800, 0, 0], [1_800, 1_800], []],
  ["a scope's own counts first", [1_800, 300, 7_776_000], [300, 7_776_000], []],
  ["at its bounds", [1_800, 60, 31_622_400], [60, 31_622_400], []],
  ["as text, as `wrangler dev --var` gives it", ["1800", "300", "0"], [300, 1_800], []],
  ["variables that are missing, as in an older configuration", [1_800, undefined, undefined], [1_800, 1_800], []],
  ["too short, too long", [1_800, 59, 31_622_401], [1_800, 1_800], [/_PAYMENTS/, /_ACCOUNTS/]],
  ["not whole, not a number", [1_800, 90.5, "an hour"], [1_800, 1_800], [/_PAYMENTS/, /_ACCOUNTS/]],
  ["none for both", [0, 300, 0], [300, 3_600], [/^ACCESS_TOKEN_SECONDS must be a number from 60 to 31622400/]],
] as const)("%s", (_, [both, payments, accounts], seconds, warnings) => {
  const env = envOf(both, payments, accounts);
  expect([defaultTokenSeconds(env, "payments"), defaultTokenSeconds(env, "accounts")]).toEqual(seconds);
  expect(lifetimeWarnings(env)).toEqual(warnings.map((warning) => expect.stringMatching(warning)));
});

test("an institution's own lifetime counts before the deployment's", () => {
  const env = envOf(1_800, 300, 0);
  const fi = { tokenSeconds: { payments: null, accounts: 7_200 } };
  expect([tokenSecondsOf(env, fi, "payments"), tokenSecondsOf(env, fi, "accounts")]).toEqual([300, 7_200]);
});
