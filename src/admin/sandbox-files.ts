/** The sandbox as plain data, read from fixtures/: what `npm start` and the tests load, and nothing else does. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { now } from "../clock.ts";
import type { TrustList } from "../trust/anchors.ts";
import { readTrustFile } from "../trust/trust-file.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");

/** As fixtures/pki/sandbox-authorities.ts writes them into the certificates. */
const CRL_BASE = "http://sandbox.invalid/crl/";

export interface Sandbox {
  trust: TrustList;
  /** Texts of fixtures/registers, in the registers' own JSON form. */
  registers: string[];
  /** Base64 of each CRL, and of the certificate whose key signed it. */
  crls: { url: string; base64: string; issuer: string }[];
}

/** Each file of a folder with its text, by name. */
async function readFolder(name: string): Promise<{ file: string; text: string }[]> {
  const folder = join(FIXTURES, name);
  const files = (await readdir(folder)).sort();
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(join(folder, file), "utf8") })));
}

export async function readSandbox(): Promise<Sandbox> {
  const [registers, crls, issuers] = await Promise.all([
    readFolder("registers"),
    readFolder("crls"),
    readFixtures("issuers", ".pem"),
  ]);
  const trust = readTrustFile(await readFile(join(FIXTURES, "trust/sandbox.json"), "utf8"), {}, now());
  if (!trust.ok) throw new Error(`fixtures/trust/sandbox.json: ${trust.problems.join("; ")}`);
  return {
    trust: trust.list,
    registers: registers.map(({ text }) => text),
    crls: crls.map(({ file, text }) => ({
      url: `${CRL_BASE}${file}`,
      base64: withoutArmour(text),
      issuer: withoutArmour(issuers[file.slice(0, -".crl".length)] ?? ""),
    })),
  };
}

const withoutArmour = (pem: string): string => pem.replaceAll(/-----[^-]+-----|\s/g, "");

/** The texts of a folder of fixtures by their names without the ending, for tests in workerd, which has no files. */
export async function readFixtures(name: string, ending: string): Promise<Record<string, string>> {
  const files = await readFolder(name);
  return Object.fromEntries(files.map(({ file, text }) => [file.slice(0, -ending.length), text]));
}
