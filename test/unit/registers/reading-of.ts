/** A reading without a store: what a check would read had these registers been imported. */
import { entryKey, manifestKey } from "../../../src/registers/keys.ts";
import { type RegisterReading, readingFrom } from "../../../src/registers/lookup.ts";
import type { RegisterManifest } from "../../../src/registers/manifest.ts";
import { copyLinked, type NumberLink } from "../../../src/registers/number-links.ts";
import { type Register, registerEntries } from "../../../src/registers/register.ts";

export function readingOf(
  registers: readonly Register[],
  country: string,
  authNumber: string,
  fetchedAt = "2026-11-20T00:00:00.000Z",
  links: readonly NumberLink[] = [],
  now = Date.parse("2026-11-21T12:00:00Z"),
): RegisterReading {
  const values = new Map<string, unknown>();
  for (const register of registers) {
    const { psps, agents, refused, ...head } = register;
    const manifest: RegisterManifest = {
      ...head,
      ...{ fetchedAt, psps: psps.length, agents: agents.size, refused: refused.length, hash: "", run: "" },
    };
    values.set(manifestKey(head.country, head.source), manifest);
    const copies = copyLinked(
      psps,
      links.filter((link) => link.country === head.country),
    );
    for (const [name, json] of registerEntries({ psps: [...psps, ...copies], agents })) {
      values.set(entryKey(head.country, head.source, name), JSON.parse(json));
    }
  }
  return readingFrom(values, country, authNumber, now);
}
