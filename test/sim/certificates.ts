/** The certificates of a history's PSPs, by their names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findCertificate } from "./qtsp.ts";

/** Certificates of sandbox PSPs that may do both. Their QTSP's CRL is in the stores, and clears them. */
export const PSPS = ["scenario-1", "home-xy"] as const;

const pems = new Map<string, string>();

/** A certificate of a fixture or of the simulated QTSP, as the header `eidas` carries it. */
export function eidas(name: string): string {
  const file = join(import.meta.dirname, `../../fixtures/certificates/${name}.pem`);
  const read = () => readFileSync(file, "utf8").replaceAll(/-----[^-]+-----|\s/g, "");
  const known = pems.get(name) ?? findCertificate(name) ?? read();
  pems.set(name, known);
  return known;
}
