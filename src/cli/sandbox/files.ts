/** Reads the sandbox from fixtures/ as plain data. Only `npm start` and the tests load it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { clock } from "../../platform/clock.ts";
import type { TrustList } from "../../trust/anchors.ts";
import { readTrustFile } from "../../trust/trust-file.ts";

const FIXTURES = join(import.meta.dirname, "../../../fixtures");

/** Prefix of the CRL URLs in the certificates; must be equal to that in fixtures/pki/sandbox-authorities.ts. */
const CRL_BASE = "http://sandbox.invalid/crl/";

export interface Sandbox {
  trust: TrustList;
  /** The files of fixtures/registers, in this project's JSON form for registers. */
  registers: string[];
  /** Base64 of the CRL, and of the certificate of its issuer. */
  crls: { url: string; base64: string; issuer: string }[];
}

/** All files of a folder with their texts, sorted by name. */
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
  const trust = readTrustFile(await readFile(join(FIXTURES, "trust/sandbox.json"), "utf8"), {}, clock.now());
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

/** The texts of a folder of fixtures, keyed by file name without `ending`. For tests in workerd, which has no files. */
export async function readFixtures(name: string, ending: string): Promise<Record<string, string>> {
  const files = await readFolder(name);
  return Object.fromEntries(files.map(({ file, text }) => [file.slice(0, -ending.length), text]));
}
