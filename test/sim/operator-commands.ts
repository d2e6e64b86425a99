/** What the operator's commands do to the stores, in their order. It is bundled, and runs in an isolate of its own. */
import { whenSettled } from "../../src/cli/sources/settled-import.ts";
import { eraseAccountData } from "../../src/grants/retention.ts";
import { setInstitutionStatus } from "../../src/institutions/institution-placement.ts";
import { makeSignInLink } from "../../src/institutions/sign-in-links.ts";
import type { PersonRole } from "../../src/institutions/sign-in-provider.ts";
import { clock } from "../../src/platform/clock.ts";
import { makeSecret } from "../../src/platform/secrets.ts";
import {
  addRefreshes,
  holdLease,
  keepLease,
  listRefreshes,
  recordSuccess,
  releaseLease,
} from "../../src/refresh/refreshes.ts";
import { type RefreshEnv, registerTask, trustTask } from "../../src/refresh/schedule.ts";
import { LIST_OF_LISTS_TASK, runStep, STANDING_TASKS } from "../../src/refresh/scheduled.ts";
import { importRegister } from "../../src/registers/import/import-register.ts";
import type { Register } from "../../src/registers/register.ts";
import { TRUSTED_LIST_SOURCE } from "../../src/trust/anchors.ts";
import { MAX_LIST_BYTES } from "../../src/trust/lists/document.ts";
import type { EbaSource } from "./eba-publisher.ts";

const POLL_MS = 500;
/** As src/cli/sources/lease.ts has them. */
const LEASE_MS = 20_000;
const RENEW_MS = LEASE_MS / 4;

type Stores = Pick<Env, "DB" | "KV">;

/** One that another has taken ends the command. */
async function withLease<Result>(db: D1Database, work: () => Promise<Result>): Promise<Result> {
  const holder = `command ${makeSecret(8)}`;
  while (!(await holdLease(db, holder, clock.now(), LEASE_MS))) await clock.wait(POLL_MS);
  let works = true;
  const renew = async (): Promise<never> => {
    for (;;) {
      await clock.wait(RENEW_MS);
      if (!works) return await new Promise<never>(() => {});
      if (!(await keepLease(db, holder, clock.now(), LEASE_MS).catch(() => true))) throw new Error("the lease is lost");
    }
  };
  try {
    return await Promise.race([work(), renew()]);
  } finally {
    works = false;
    await releaseLease(db, holder);
  }
}

/** `import register`: true if it was taken. */
export const importFile = ({ DB, KV }: Stores, register: Register): Promise<boolean> =>
  withLease(DB, async () => {
    const options = { now: clock.now(), force: false, refuseOlder: true };
    const result = await whenSettled(() => importRegister({ DB, KV }, register, options));
    if (result.ok) await recordSuccess(DB, registerTask(register.source, register.country), {}, clock.now());
    return result.ok;
  });

const KV_WAIT_MS = 20_000;

/** As src/cli/sources/refresh-all.ts: whether it ended well. */
async function runToEnd(env: RefreshEnv, task: string): Promise<boolean> {
  for (;;) {
    const refresh = (await listRefreshes(env.DB)).find((each) => each.task === task);
    const limits = { maxWrites: Number.POSITIVE_INFINITY, maxListBytes: MAX_LIST_BYTES };
    const result = refresh && (await runStep(env, refresh, { now: clock.now(), ...limits }));
    if (!result?.ok || !result.unfinished) return result?.ok ?? false;
    if (result.waits) await clock.wait(KV_WAIT_MS);
  }
}

const isList = ({ task }: { readonly task: string }): boolean => task.startsWith(trustTask(TRUSTED_LIST_SOURCE, ""));

/** The lists of `refresh`, the list of lists first, as src/cli/sources/refresh-all.ts: whether each was taken, or is as it was. */
export const refreshLists = (env: RefreshEnv): Promise<boolean> =>
  withLease(env.DB, async () => {
    await addRefreshes(env.DB, STANDING_TASKS, clock.now());
    let ok = await runToEnd(env, LIST_OF_LISTS_TASK);
    for (const { task } of (await listRefreshes(env.DB)).filter(isList))
      if (task !== LIST_OF_LISTS_TASK) ok = (await runToEnd(env, task)) && ok;
    return ok;
  });

/** One of the EBA's registers of `refresh`, to its end: whether a file was taken, or is as it was. */
export const refreshEba = (env: RefreshEnv, source: EbaSource): Promise<boolean> =>
  withLease(env.DB, async () => {
    await addRefreshes(env.DB, STANDING_TASKS, clock.now());
    return await runToEnd(env, registerTask(source, null));
  });

/** `fi enable | disable`. */
export async function setStatus(env: Pick<Env, "DB">, reference: string, status: "active" | "disabled") {
  return await setInstitutionStatus(env, reference, status);
}

/** `account erase`. */
export const eraseAccount = ({ DB }: Pick<Env, "DB">, fiId: number, accountId: string) =>
  eraseAccountData(DB, { fiId, accountId });

/** `fi sign-in link`: its secret. */
export async function makeLink({ DB }: Pick<Env, "DB">, fiId: number, role: PersonRole): Promise<string> {
  const { secret, statement } = makeSignInLink(DB, { fiId, role }, clock.now());
  await statement.run();
  return secret;
}
