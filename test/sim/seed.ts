/** What the stores hold when a history begins: the schema, the sandbox, and its two banks. Made once for a process. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { readSandbox } from "../../src/cli/sandbox/files.ts";
import { seedSandbox } from "../../src/cli/sandbox/sandbox.ts";
import { clock } from "../../src/platform/clock.ts";
import { isNoBank } from "./certificates.ts";
import { D1, D1Binding } from "./d1.ts";
import { EBA_METADATA_URL, EBA_SEARCH_URL } from "./eba-publisher.ts";
import { Kv, KvBinding, type KvEntry } from "./kv.ts";
import { loadEba } from "./loaded-eba.ts";
import { loadLists } from "./loaded-lists.ts";
import { Random } from "./random.ts";
import { LIST_OF_LISTS, locationOf } from "./signed-issues.ts";
import { Counters } from "./trace.ts";
import type { Caller } from "./travel.ts";

const ROOT = join(import.meta.dirname, "../..");
/**
 * When each history begins: a day ends in the middle of it, and with it a segment of each ledger. The sandbox's certificates and
 * CRLs are valid then.
 */
export const START = Date.UTC(2026, 10, 2, 23, 58, 30);
/** Nobody has credentials of it: operators set its status. */
export const WATCHED_FI = "PSDXX-TEST-FI0003";
const LOADED_MS = 86_400_000;

/** The secrets: of RFC 8037 appendix A.1, and a token key of this test alone. */
const SECRETS = {
  SIGNING_KEY_20260101T000000Z_d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a:
    "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  TOKEN_KEY_20990101T000000Z: "c2ltdWxhdGlvbi1zaW11bGF0aW9uLXNpbXVsYXRpb24",
};

/** As the deployed Worker has them: the variables of wrangler.toml and the secrets. */
export const variables = (): Record<string, string | number> => {
  const { vars } = parse(readFileSync(join(ROOT, "wrangler.toml"), "utf8")) as {
    vars: Record<string, string | number>;
  };
  // as npm start has it: the console opens for who asks by a loopback address
  const sources = { LOTL_URL: locationOf(LIST_OF_LISTS), EBA_METADATA_URL, EBA_SEARCH_URL };
  return { ...vars, ...SECRETS, ...sources, CONSOLE_LOCAL_OPERATOR: "on" };
};

export interface Seed {
  readonly database: Uint8Array;
  readonly keys: ReadonlyMap<string, KvEntry>;
}

const MIGRATIONS_TABLE = `CREATE TABLE d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TEXT NOT NULL)`;

function migrate({ database }: D1): void {
  const folder = join(ROOT, "src/migrations");
  database.exec(MIGRATIONS_TABLE);
  for (const name of readdirSync(folder).sort()) {
    database.exec(readFileSync(join(folder, name), "utf8"));
    database.prepare("INSERT INTO d1_migrations (name, applied_at) VALUES (?, '2026-01-01 00:00:00')").run(name);
  }
}

/** Draws from the seed, not from the machine, what the commands draw. */
async function withRandom<Result>(random: Random, work: () => Promise<Result>): Promise<Result> {
  const own = Object.getOwnPropertyDescriptor(crypto, "getRandomValues");
  const getRandomValues = <View extends ArrayBufferView>(view: View) => random.fill(view);
  Object.defineProperty(crypto, "getRandomValues", { value: getRandomValues, configurable: true });
  try {
    return await work();
  } finally {
    if (own) Object.defineProperty(crypto, "getRandomValues", own);
    else Reflect.deleteProperty(crypto, "getRandomValues");
  }
}

const withoutBank = (text: string): string => {
  const { psps, ...register } = JSON.parse(text) as { readonly psps: readonly { readonly authNumber: string }[] };
  return JSON.stringify({ ...register, psps: psps.filter(isNoBank) });
};

let made: Promise<Seed> | null = null;
export const makeSeed = (): Promise<Seed> => {
  made ??= load();
  return made;
};

async function load(): Promise<Seed> {
  const time = { now: START - LOADED_MS };
  const real = { ...clock };
  const store = new D1(() => time.now);
  migrate(store);
  const kv = new Kv(new Map(), time, new Random("seed"), new Counters());
  const travel = { call: async <Result>(_caller: Caller, _store: string, _what: string, act: () => Result) => act() };
  const caller = { isolate: { location: "operator" } } as Caller;
  const wait = async (milliseconds: number) => {
    time.now += milliseconds;
  };
  Object.assign(clock, { now: () => time.now, wait });
  try {
    const stores = { DB: new D1Binding(store, travel, caller), KV: new KvBinding(kv, travel, caller, time) };
    const sandbox = await readSandbox();
    const env = stores as unknown as Pick<Env, "DB" | "KV">;
    // the register of XY is the EBA's, and so is what is said of a bank of XX
    const registers = sandbox.registers.filter((text) => JSON.parse(text).country !== "XY").map(withoutBank);
    await withRandom(new Random("seed"), async () => {
      await seedSandbox(env, { ...sandbox, registers });
      await loadEba(env, START, time.now);
    });
    await loadLists(env, START, time.now);
  } finally {
    Object.assign(clock, real);
  }
  store.run("INSERT INTO financial_institutions (name, fi_reference_id, created_at) VALUES ('Watched', ?1, ?2)", [
    WATCHED_FI,
    time.now,
  ]);
  // of the two banks one requires its records
  store.run("UPDATE financial_institutions SET ledger_required = 1 WHERE fi_reference_id = 'PSDXX-TEST-FI0002'", []);
  return { database: store.serialize(), keys: kv.content() };
}
