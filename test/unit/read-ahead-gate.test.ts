/** For whom the stores are read before the credentials are verified. */
import { expect, test } from "vitest";
import { ReadAheadGate } from "../../src/http/middleware/read-ahead-gate.ts";
import type { Authentication } from "../../src/institutions/financial-institutions.ts";

const RIGHT: Authentication = {
  ok: true,
  fi: {
    ...{ id: 1, name: "Bank", fiReferenceId: "PSDXX-TEST-FI0001", database: 1 },
    tokenSeconds: { payments: null, accounts: null },
    ledgerRequired: false,
    bankPassports: null,
  },
  until: null,
  writesRefused: false,
};
const REFUSED: Authentication = { ok: false, reason: "credentials" };
const MINUTE = 60_000;

/** Whether the gate was open for this lookup. */
async function ask(gate: ReadAheadGate, client: string, result: Authentication, now: number): Promise<boolean> {
  let read = false;
  const begin = () => {
    read = true;
  };
  expect(await gate.lookUp(client, now, begin, async () => result)).toBe(result);
  return read;
}

test("a new isolate knows nobody, and reads ahead for whoever comes first", async () => {
  expect(await ask(new ReadAheadGate(), "bank", RIGHT, 0)).toBe(true);
});

test("after a refusal it reads ahead for no unknown client, until it has been quiet for a minute", async () => {
  const gate = new ReadAheadGate();
  expect(await ask(gate, "guess 1", REFUSED, 0)).toBe(true);
  expect(await ask(gate, "guess 2", REFUSED, 30_000)).toBe(false);
  expect(await ask(gate, "guess 3", REFUSED, 30_000 + MINUTE - 1)).toBe(false);
  expect(await ask(gate, "guess 4", REFUSED, 30_000 + 2 * MINUTE - 1)).toBe(true);
});

test("it goes on reading ahead for a client that it has verified, for an hour", async () => {
  const gate = new ReadAheadGate();
  await ask(gate, "bank", RIGHT, 0);
  await ask(gate, "guess", REFUSED, MINUTE);
  expect(await ask(gate, "bank", RIGHT, MINUTE + 1)).toBe(true);
  await ask(gate, "guess", REFUSED, 61 * MINUTE);
  expect(await ask(gate, "bank", RIGHT, 61 * MINUTE + 1)).toBe(false);
});

test("a client that asks for another's institution has the secret, and stays known", async () => {
  const gate = new ReadAheadGate();
  await ask(gate, "bank", { ok: false, reason: "fi_reference_id" }, 0);
  await ask(gate, "guess", REFUSED, 1);
  expect(await ask(gate, "bank", RIGHT, 2)).toBe(true);
});

test("whoever knows a client's id and not its secret is read ahead for once", async () => {
  const gate = new ReadAheadGate();
  await ask(gate, "bank", RIGHT, 0);
  expect(await ask(gate, "bank", REFUSED, 1)).toBe(true);
  expect(await ask(gate, "bank", REFUSED, 2)).toBe(false);
});

test("it reads ahead for eight callers at once, and a lookup that fails leaves its place", async () => {
  const gate = new ReadAheadGate();
  let read = 0;
  const failing = Promise.withResolvers<Authentication>();
  const lookups = Array.from({ length: 100 }, (_, i) =>
    gate.lookUp(
      `caller ${i}`,
      0,
      () => {
        read++;
      },
      () => failing.promise,
    ),
  );
  expect(read).toBe(8);
  failing.reject(new Error("D1 cannot be reached"));
  expect((await Promise.allSettled(lookups)).every(({ status }) => status === "rejected")).toBe(true);
  // nobody was refused, and nobody is known
  expect(await ask(gate, "caller 1", RIGHT, 1)).toBe(true);
});
