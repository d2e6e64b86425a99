/** The rounds that `npm run paper` lays over distances, counted. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { countRoundTrips } from "../bindings.ts";
import { loadSandbox } from "../sandbox.ts";
import { prepare } from "./operations.ts";
import { OPERATIONS, type Operation, ROUNDS, STATES } from "./rounds.ts";

beforeAll(loadSandbox);
// not between the cases: what the isolate remembers of a later time would not be forgotten
afterAll(() => void vi.useRealTimers());

const cases = (Object.keys(OPERATIONS) as Operation[]).flatMap((operation) =>
  STATES.map((state) => ({ operation, state, what: OPERATIONS[operation] })),
);

test.each(cases)("$what, $state", async ({ operation, state }) => {
  const ask = await prepare(operation, state);
  const { env: counted, trips } = countRoundTrips(env);
  const { status } = await ask(counted);
  // several reads of KV at once are one; a second call of another store is a second one
  const rounds = trips.sequence.map((calls) => calls.filter((name, i) => name !== "KV" || calls.indexOf(name) === i));
  expect(rounds.map((calls) => calls.toSorted())).toEqual(ROUNDS[operation][state]);
  expect([200, 201]).toContain(status);
});
