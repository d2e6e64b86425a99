/** Distances between places, and how long light in fibre needs for the way there and back. */
import type { Place } from "./places.ts";

const EARTH_RADIUS_KM = 6_371;
const FIBRE_KM_PER_MS = 200;
/** A cable is that much longer than the great circle. */
const CABLE_FACTOR = 1.5;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Along the great circle (haversine formula). */
export function distanceKm(from: Place, to: Place): number {
  const [north, south] = [radians(from.latitude), radians(to.latitude)];
  const half =
    Math.sin((south - north) / 2) ** 2 +
    Math.cos(north) * Math.cos(south) * Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(half));
}

const known = new Map<Place, Map<Place, number>>();

/** Of light alone. */
export function roundTripMs(from: Place, to: Place): number {
  const row = known.get(from) ?? new Map<Place, number>();
  const value = row.get(to) ?? (2 * distanceKm(from, to) * CABLE_FACTOR) / FIBRE_KM_PER_MS;
  known.set(from, row.set(to, value));
  return value;
}

/** The places by their distance, nearest first. */
export const nearest = (from: Place, places: readonly Place[]): Place[] =>
  places.toSorted((a, b) => distanceKm(from, a) - distanceKm(from, b));
