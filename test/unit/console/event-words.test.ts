import { expect, test } from "vitest";
import { describeNews } from "../../../src/console/events/event-words.ts";
import type { WrittenEvent } from "../../../src/events/event.ts";

const standing = (status: string, payment_services: number[], passports: Record<string, number[]>) => ({
  ambiguous: false,
  categories: [{ category: "Payment Institution", status, payment_services, passports }],
});
const told = (before: object, after: object) =>
  describeNews({ type: "psp.status_changed", data: { before, after } } as unknown as WrittenEvent);

test("an authorisation that ends with its passports is a sentence for each change, not one for each country", () => {
  const before = standing("Authorised", [7, 8], { AT: [7, 8], FI: [7], BE: [7, 8], SE: [7, 8] });
  expect(told(before, standing("Withdrawn", [], { SE: [7, 8] }))).toEqual([
    "As Payment Institution it was Authorised and is Withdrawn.",
    "As Payment Institution it lost payment services 7, 8.",
    "As Payment Institution it lost payment services 7, 8 in Austria and Belgium.",
    "As Payment Institution it lost payment service 7 in Finland.",
  ]);
});

test("what a country loses and another gains stays apart", () => {
  const before = standing("Authorised", [7], { AT: [7], DE: [7], FR: [7] });
  expect(told(before, standing("Authorised", [7], { ES: [7] }))).toEqual([
    "As Payment Institution it lost payment service 7 in Austria, Germany and France.",
    "As Payment Institution it gained payment service 7 in Spain.",
  ]);
});
