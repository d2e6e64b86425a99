import { beforeAll, expect, test } from "vitest";
import { call, codesOf } from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";

beforeAll(loadSandbox);

const send = (transaction_reference: string, headers: Record<string, string> = {}) =>
  call("GET", "/v1/oauth2/account/an-account/tokens", { headers: { transaction_reference, ...headers } });

test.each([
  ["one character", "~"],
  ["128 characters", "x".repeat(128)],
  ["blanks and quotation marks inside", '{"id": "payment 4711"}'],
  ["the reference of a request that was sent twice, joined by a comma", "a, b"],
])("%s is given back", async (_, reference) => {
  const answer = await send(reference);
  expect([answer.status, answer.headers.get("transaction_reference")]).toEqual([200, reference]);
});

test("with an error too, whoever the caller is", async () => {
  const answer = await send("mine", { Authorization: "Basic x" });
  expect([answer.status, answer.headers.get("transaction_reference")]).toEqual([401, "mine"]);
});

test.each([
  ["129 characters", "x".repeat(129), "is 129 characters long"],
  ["an accent", "pay\u00e9", "has a character that is not printable ASCII"],
  ["a tab", "pay\t4711", "has a character that is not printable ASCII"],
  ["nothing", "", "is empty"],
])("%s is refused and not given back", async (_, reference, fault) => {
  const answer = await send(reference);
  expect([answer.status, codesOf(answer)]).toEqual([404, ["transaction_reference_invalid"]]);
  expect(answer.body.errors[0].title).toBe(
    `Header transaction_reference ${fault}: send 1 to 128 printable ASCII characters`,
  );
  expect(answer.headers.get("transaction_reference")).toBeNull();
});

test("without one there is none", async () => {
  expect((await call("GET", "/v1/oauth2/account/a/tokens")).headers.get("transaction_reference")).toBeNull();
});
