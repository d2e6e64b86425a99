/** Answers to PSP checks over the sandbox at a fixed date, with their records and everything that they rested on. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readSandbox } from "../../../../src/cli/sandbox/files.ts";
import { parseEidasHeader } from "../../../../src/eidas/eidas-header.ts";
import { VERDICT_NAMES } from "../../../../src/eidas/verdict-codes.ts";
import type { LedgerRecord } from "../../../../src/evidence/ledger/record.ts";
import type { BankPassports } from "../../../../src/institutions/financial-institutions.ts";
import { fromBase64 } from "../../../../src/platform/encoding.ts";
import type { Version } from "../../../../src/platform/version.ts";
import { describeCheck } from "../../../../src/psp-check/answer.ts";
import { listBasis, textDocument } from "../../../../src/psp-check/basis.ts";
import { decideOnCheck } from "../../../../src/psp-check/decision.ts";
import { checkPsp } from "../../../../src/psp-check/psp-check.ts";
import { importRegister } from "../../../../src/registers/import/import-register.ts";
import { readRegisterFile } from "../../../../src/registers/import/own-form.ts";
import { registerMaxAges } from "../../../../src/registers/manifest.ts";
import { importCrl } from "../../../../src/revocation/crl-import.ts";
import { importTrustList } from "../../../../src/trust/trust-import.ts";
import { parseCertificate } from "../../../../src/x509/certificate.ts";

/** The sandbox's data is stale by then, but for its certificates and CRLs: its answers warn of it. */
export const NOW = Date.parse("2026-11-22T12:00:00.000Z");
const FIXTURES = join(import.meta.dirname, "../../../../fixtures");

/** KV in one place, as far as imports and checks use it. */
class Kv {
  readonly #values = new Map<string, string | Uint8Array>();

  async get(keys: string | string[], type: "json" | "arrayBuffer"): Promise<unknown> {
    const read = (key: string) => {
      const value = this.#values.get(key) ?? null;
      if (typeof value === "string") return JSON.parse(value);
      return type === "arrayBuffer" && value ? Uint8Array.from(value).buffer : null;
    };
    return Array.isArray(keys) ? new Map(keys.map((key) => [key, read(key)])) : read(keys);
  }

  async getWithMetadata(key: string): Promise<unknown> {
    return { value: await this.get(key, "json"), metadata: null };
  }

  async list(): Promise<unknown> {
    return { keys: [], list_complete: true };
  }

  async put(key: string, value: string | Uint8Array): Promise<void> {
    this.#values.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.#values.delete(key);
  }
}

/** Nothing is imported a second time. */
export const DB = {
  prepare: () => ({ bind: () => ({ first: async () => null, run: async () => {} }) }),
  batch: async () => [],
} as unknown as D1Database;

/** The sandbox, without the CRLs if `crls` is false. */
export async function loadSandbox({ crls = true } = {}): Promise<KVNamespace> {
  const kv = new Kv() as unknown as KVNamespace;
  const sandbox = await readSandbox();
  await importTrustList(kv, sandbox.trust, NOW);
  for (const text of sandbox.registers) {
    const file = readRegisterFile(text);
    if (!file.ok) throw new Error(JSON.stringify(file.problems));
    await importRegister({ KV: kv, DB }, file.register, { now: NOW, force: true });
  }
  for (const { url, base64, issuer } of crls ? sandbox.crls : []) {
    const [der, by] = [fromBase64(base64), fromBase64(issuer)];
    if (!der || !by) throw new Error(url);
    await importCrl(kv, { url, der, issuer: parseCertificate(by), now: NOW });
  }
  return kv;
}

export interface Recorded {
  readonly record: LedgerRecord;
  /** By SHA-256. */
  readonly documents: Map<string, Uint8Array>;
}

const ENTRY: Omit<LedgerRecord, "time" | "version" | "psp" | "checks" | "answer"> = {
  ...{ seq: 1, prev: "0".repeat(64), id: "0mwqxj5kbWmFzZTY0dXJsLWVuY29kZQ" },
  ...{
    release: "0.4.0",
    fi: "PSDXX-TEST-FI0001",
    request_id: "r",
    event: "psp.checked",
    endpoint: "GET /v1/psp/eidas",
  },
  ...{ status: 200, outcome: "ok", ms: 4, token: null, consent: null, account: null, transaction_reference: null },
};

const MINUTE_MS = 60_000;
/** Registers are older than an hour at the first check. */
let clock = NOW + 2 * 3_600_000;

export interface Asked {
  /** A file of fixtures/certificates; or PEM. */
  readonly name: string;
  readonly jurisdiction: string;
  /** A file of fixtures/issuers, sent before it. */
  readonly before?: string;
  /** An issuer that is joined to the certificate and its issuers by commas. */
  readonly joined?: string;
  readonly version?: Version;
  /** What the institution had chosen; undefined: by a release that knew no choice. */
  readonly bankPassports?: BankPassports | null | undefined;
  /** The setting REGISTER_MAX_AGE_HOURS_NCA. */
  readonly maxAgeHours?: number;
}

/** Checks as the Worker does, at the fixed date, and records it. */
export async function record(
  kv: KVNamespace,
  { name, jurisdiction, before, joined, version = "latest", maxAgeHours = 1, bankPassports }: Asked,
): Promise<Recorded> {
  const documents = new Map<string, Uint8Array>();
  const keep = (all: readonly { readonly sha256: string; readonly bytes: () => Uint8Array }[]) => {
    for (const { sha256, bytes } of all) documents.set(sha256, Uint8Array.from(bytes()));
  };
  const files = [
    ...(before ? [`issuers/${before}`] : []),
    `certificates/${name}`,
    ...(joined ? [`issuers/${joined}`] : []),
  ];
  const pem = name.startsWith("-----BEGIN")
    ? name
    : files.map((file) => readFileSync(join(FIXTURES, `${file}.pem`), "utf8")).join("");
  const blocks = pem.split(/-----END CERTIFICATE-----\n/).slice(0, -1);
  const list = blocks.map((block) => block.replaceAll(/-----.*|\n/g, ""));
  const chain = parseEidasHeader(joined ? list.join(",") : pem.replaceAll("\n", " "));
  if (!chain.ok) throw new Error(chain.message);
  const env = { KV: kv, REGISTER_MAX_AGE_HOURS_NCA: maxAgeHours };
  // what an isolate remembers of the one before has ended
  clock += MINUTE_MS;
  const now = clock;
  const { check, documents: rested } = await checkPsp({ env, ctx: { waitUntil: () => {} }, chain, jurisdiction, now });
  keep(rested);
  const maxAges = registerMaxAges(env);
  const decision = decideOnCheck(check, { jurisdiction, bankPassports }, now, maxAges);
  const said = describeCheck(check, jurisdiction, version, maxAges, now, decision);
  const answer = textDocument(JSON.stringify(said));
  keep([answer]);
  const { certificate, psp, validity } = check;
  const { basis, hosts } = listBasis([check]);
  keep([basis, ...hosts]);
  const checked = {
    ...{ certificate, psp: psp.pspId, jurisdictions: [jurisdiction], basis: basis.sha256 },
    verdicts: VERDICT_NAMES.filter((verdict) => !validity[verdict]),
    decisions: [{ payments: decision.payments.allowed, accounts: decision.accounts.allowed }],
  };
  const time = new Date(now).toISOString();
  const chosen = bankPassports !== undefined && { bank_passports: bankPassports };
  return {
    record: { ...ENTRY, ...chosen, time, version, psp: psp.pspId, checks: [checked], answer: answer.sha256 },
    documents,
  };
}
