/** A register of XX whose PSPs are made, in the test's own KV, and institutions that have to do with them. */
import { env } from "cloudflare:workers";
import { insertFinancialInstitution } from "../../../src/institutions/financial-institutions.ts";
import { recordSuccess } from "../../../src/refresh/refreshes.ts";
import { registerTask } from "../../../src/refresh/schedule.ts";
import { importRegister } from "../../../src/registers/import/import-register.ts";
import type { PspRecord } from "../../../src/registers/psp-record.ts";
import { AgentRoll } from "../../../src/registers/register.ts";

export const pspId = (number: number): string => `PSDXX-TEST-${String(number).padStart(6, "0")}`;

export interface MadePsp {
  readonly number: number;
  readonly status?: PspRecord["categories"][number]["status"];
  readonly services?: readonly number[];
  readonly passportOut?: Record<string, number[]>;
}

const record = ({ number, status = "Authorised", services = [7, 8], passportOut = {} }: MadePsp): PspRecord => ({
  authNumber: pspId(number),
  agent: false,
  categories: [{ category: "Payment Institution", legalName: `PSP ${number}`, status, services, passportOut }],
});

/** Imports the register as the operator does, at `now` (milliseconds since 1970). */
export const loadRegister = (psps: readonly MadePsp[], now: number, KV = env.KV): Promise<void> =>
  load("XX", psps.map(record), now, KV);

/** A register of another country, of authorised payment institutions. */
export const loadCountry = (country: string, numbers: readonly string[], now: number): Promise<void> =>
  load(
    country,
    numbers.map((authNumber, number) => ({ ...record({ number }), authNumber })),
    now,
  );

async function load(country: string, psps: readonly PspRecord[], now: number, KV = env.KV): Promise<void> {
  const register = {
    ...({ country, source: "nca", ncaId: `${country}-TEST`, ncaName: `${country} Authority` } as const),
    ...{ published: new Date(now).toISOString(), psps, agents: new AgentRoll(), refused: [] },
  };
  await importRegister({ ...env, KV }, register, { now, force: true });
  await recordSuccess(env.DB, registerTask("nca", country), {}, now);
}

/** Returns the institution's id. */
export async function addInstitution(reference: string): Promise<number> {
  const fi = { name: reference, fiReferenceId: reference, clientId: reference, secretHash: reference, now: 0 };
  await insertFinancialInstitution(env.DB, fi);
  const find = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1").bind(reference);
  return Number(await find.first<number>("id"));
}

/** A permission of the core flow that lasts until `endsAt`. */
export async function addPermission(fiId: number, psp: string, endsAt: number, id: string): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO core_permissions
      (id, fi_id, account_id, psp_id, scope, granted_at, last_token_at, valid_until, ends_at, ended_by)
     VALUES (?1, ?2, 'account', ?3, 'accounts', 0, 0, ?4, ?4, NULL)`,
  )
    .bind(id, fiId, psp, endsAt)
    .run();
}
