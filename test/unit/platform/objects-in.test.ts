import { expect, test } from "vitest";
import { objectsIn } from "../../../src/platform/stores.ts";

test("objects are those of the jurisdiction, and without one those of the namespace", () => {
  const inEu = {};
  const asked: string[] = [];
  const namespace = { jurisdiction: (name: string) => [asked.push(name), inEu][1] } as unknown as Env["LEDGER"];
  expect(objectsIn(namespace, "eu")).toBe(inEu);
  expect(objectsIn(namespace, "")).toBe(namespace);
  expect(objectsIn(namespace, undefined)).toBe(namespace);
  expect(asked).toEqual(["eu"]);
});
