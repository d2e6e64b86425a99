/** Runs in workerd: imports of a register of made PSPs, institutions with an interest in some of them, and steps of events, each counted. */
import { runEvents } from "../../src/refresh/events.ts";
import { recordSuccess } from "../../src/refresh/refreshes.ts";
import { registerTask } from "../../src/refresh/schedule.ts";
import { importRegister } from "../../src/registers/import/import-register.ts";
import type { PspRecord } from "../../src/registers/psp-record.ts";
import { AgentRoll } from "../../src/registers/register.ts";
import { countStores, noCounts } from "./counted-stores.ts";

const DAY_MS = 86_400_000;
/** Of one request: a connection that is silent for five minutes is given up. */
const WRITES_AT_ONCE = 20_000;
const LIMITS = { maxWrites: 500, maxListBytes: 0 };

interface Asked {
  readonly psps: number;
  /** What every PSP may do. */
  readonly services: readonly number[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** An institution with live permissions of so many PSPs, and one that watches so many, from the first on. */
  readonly granting: number;
  readonly watching: number;
  readonly stepState: unknown;
}

const pspId = (number: number): string => `PSDXX-TEST-${String(number).padStart(6, "0")}`;
const NUMBERS = "WITH RECURSIVE made (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM made WHERE n + 1 < ?1)";
const PSP_ID = "printf('PSDXX-TEST-%06d', n)";

type Work = (env: Env, asked: Asked) => Promise<object>;

const WORKS: Readonly<Record<string, Work>> = {
  "/institutions": async ({ DB }, { granting, watching, now }) => {
    const add = DB.prepare(
      "INSERT INTO financial_institutions (id, name, fi_reference_id, created_at) VALUES (?1, ?2, ?2, 0)",
    );
    await DB.batch([
      ...["granting", "watching", "neither"].map((name, i) => add.bind(i + 1, name)),
      // two accounts each: an event counts them
      DB.prepare(
        `INSERT INTO core_permissions
          (id, fi_id, account_id, psp_id, scope, granted_at, last_token_at, valid_until, ends_at, ended_by)
         ${NUMBERS} SELECT n || account, 1, account, ${PSP_ID}, 'accounts', 0, 0, ?2, ?2, NULL
         FROM made, (SELECT 'a' AS account UNION ALL SELECT 'b')`,
      ).bind(granting, now + 90 * DAY_MS),
      DB.prepare(
        `INSERT INTO psp_watches (fi_id, psp_id, created_at) ${NUMBERS} SELECT 2, ${PSP_ID}, 0 FROM made`,
      ).bind(watching),
    ]);
    return {};
  },
  "/import": async (env, { psps, services, now }) => {
    const counts = noCounts();
    const { KV } = countStores(env, counts);
    const record = (number: number): PspRecord => ({
      ...{ authNumber: pspId(number), agent: false },
      categories: [
        {
          category: "Payment Institution",
          legalName: `PSP ${number}`,
          status: "Authorised",
          services,
          passportOut: {},
        },
      ],
    });
    const register = {
      ...({ country: "XX", source: "nca", ncaId: "XX-TEST", ncaName: "XX Authority" } as const),
      ...{ published: new Date(now).toISOString(), psps: Array.from({ length: psps }, (_, n) => record(n)) },
      ...{ agents: new AgentRoll(), refused: [] },
    };
    const result = await importRegister({ KV, DB: env.DB }, register, {
      now,
      force: true,
      writesAtOnce: 64,
      maxWrites: WRITES_AT_ONCE,
    });
    await recordSuccess(env.DB, registerTask("nca", "XX"), {}, now);
    return { result, counts };
  },
  "/step": async (env, { stepState, now }) => {
    const counts = noCounts();
    const result = await runEvents({ env: countStores(env, counts), stepState, now, ...LIMITS });
    return { result, counts };
  },
  "/events": async ({ DB }) => {
    const told = await DB.prepare(
      `SELECT fi_id AS fi, count(*) AS events, count(DISTINCT subject) AS psps,
         sum(json_extract(data, '$.grants.tokens')) AS tokens
       FROM events GROUP BY fi_id ORDER BY fi_id`,
    ).all();
    return { told: told.results };
  },
};

export default {
  async fetch(request, env) {
    const work = WORKS[new URL(request.url).pathname];
    return work ? Response.json(await work(env, await request.json())) : new Response(null, { status: 404 });
  },
} satisfies ExportedHandler<Env>;
