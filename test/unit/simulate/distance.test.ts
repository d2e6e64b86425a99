import { expect, test } from "vitest";
import { distanceKm, nearest, roundTripMs } from "../../simulate/distance.ts";
import { BANK_CITIES, EDGE_LOCATIONS, edgeLocation } from "../../simulate/places.ts";
import { confirmationMs, hubOf } from "../../simulate/ways.ts";

// great-circle distances as atlases give them, to 1 %
test.each([
  ["Helsinki", "Frankfurt", 1_530],
  ["Paris", "London", 344],
  ["Madrid", "Warsaw", 2_290],
  ["New York", "London", 5_570],
  ["Sydney", "Singapore", 6_300],
  ["Sao Paulo", "Tokyo", 18_530],
])("%s to %s is some %d km", (from, to, km) => {
  const distance = distanceKm(edgeLocation(from), edgeLocation(to));
  expect(Math.abs(distance - km) / km).toBeLessThan(0.01);
  expect(distanceKm(edgeLocation(to), edgeLocation(from))).toBeCloseTo(distance, 9);
});

test("there and back at two thirds of light's speed, on ways half as long again: 15 ms for 1,000 km", () => {
  const [from, to] = [edgeLocation("Helsinki"), edgeLocation("Frankfurt")];
  expect(roundTripMs(from, to) / distanceKm(from, to)).toBeCloseTo(0.015, 9);
  expect(roundTripMs(from, from)).toBe(0);
});

test("there are a hundred edge locations, each once, on earth, and ten cities of banks", () => {
  expect(new Set(EDGE_LOCATIONS.map(({ name }) => name)).size).toBe(100);
  expect(BANK_CITIES).toHaveLength(10);
  for (const { name, latitude, longitude } of EDGE_LOCATIONS)
    expect(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? "" : name).toBe("");
  expect(() => edgeLocation("Atlantis")).toThrow("Atlantis is no edge location");
});

test("the nearest come first", () => {
  expect(
    nearest(edgeLocation("Tallinn"), EDGE_LOCATIONS)
      .slice(0, 3)
      .map(({ name }) => name),
  ).toEqual(["Tallinn", "Helsinki", "Riga"]);
  expect(hubOf(edgeLocation("Helsinki")).name).toBe("Stockholm");
});

test("a write is durable when the third nearest other hub has it: Frankfurt's are Amsterdam, Prague, Paris", () => {
  const home = edgeLocation("Frankfurt");
  expect(confirmationMs(home, 3)).toBe(roundTripMs(home, edgeLocation("Paris")));
});
