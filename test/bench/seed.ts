/** Lays out the stores before workerd opens them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findPending, migrate } from "../../src/cli/database/migrations.ts";
import { parseDeploymentTables } from "../../src/cli/deployment/tables.ts";
import { readSandbox } from "../../src/cli/sandbox/files.ts";
import { seedSandbox } from "../../src/cli/sandbox/sandbox.ts";
import { openLocalStores } from "../../src/cli/stores.ts";
import { readTokenKeys } from "../../src/grants/token-keys.ts";
import { clock } from "../../src/platform/clock.ts";
import type { BareEnv } from "./bare-routes.ts";
import type { BenchCertificates } from "./certificates.ts";
import { seedTokens, TABLES } from "./seed-tokens.ts";
import { listDatabaseFiles } from "./table-size.ts";

const PSP_OF_SCENARIO_1 = "PSDXX-TEST-000001";
const IDENTITY = {
  Authorization: `Basic ${btoa("sandbox-fi:sandbox-secret")}`,
  fi_reference_id: "PSDXX-TEST-FI0001",
  version: "1",
  "CF-Connecting-IP": "192.0.2.1",
};

export interface Stores {
  /** A wrangler.toml of the stores alone. */
  readonly config: string;
  readonly state: string;
  /** Whether the tables of many tokens are needed. */
  readonly tables: boolean;
  readonly made: BenchCertificates;
  /** Of the key that makes tokens. */
  readonly kid: string;
}

export async function seed({ config, state, tables, made, kid }: Stores) {
  const stores = parseDeploymentTables(await readFile(config, "utf8"), null);
  const { env: opened, close } = await openLocalStores(join(state, "v3"), stores);
  const env = opened as unknown as BareEnv;
  const files = new Map<string, number>();
  let seeded: { identity: typeof IDENTITY; fiId: number; keys: ReturnType<typeof readTokenKeys> };
  try {
    const sandbox = await readSandbox();
    const find = "SELECT id FROM financial_institutions WHERE fi_reference_id = ?1";
    let fiId = 0;
    for (const [DB, rows] of [
      [env.DB, 0],
      ...(tables
        ? ([
            [env.DB_THOUSAND, TABLES.thousand],
            [env.DB_TEN_MILLION, TABLES.tenMillion],
          ] as const)
        : []),
    ] as const) {
      const others = await listDatabaseFiles(state);
      await migrate(DB, (await findPending(DB)).migrations);
      await seedSandbox({ DB, KV: env.KV }, sandbox);
      fiId = (await DB.prepare(find).bind(IDENTITY.fi_reference_id).first<number>("id")) ?? 0;
      const [file] = (await listDatabaseFiles(state)).filter((one) => !others.includes(one));
      if (file !== undefined) files.set(file, rows);
    }
    await seedSandbox(env, { trust: made.trust, registers: [], crls: [made.crl] });
    seeded = { identity: IDENTITY, fiId, keys: readTokenKeys(env) };
  } finally {
    await close();
  }
  const owner = { kid, fiId: seeded.fiId, pspId: PSP_OF_SCENARIO_1, now: clock.now() };
  for (const [file, rows] of files) if (rows > 0) seedTokens(file, rows, owner);
  return seeded;
}
