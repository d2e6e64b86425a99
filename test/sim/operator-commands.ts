/** What the operator's commands do to the stores, in their order. It is bundled, and runs in an isolate of its own. */
import { whenSettled } from "../../src/cli/settled-import.ts";
import { eraseAccountData } from "../../src/grants/retention.ts";
import { setInstitutionStatus } from "../../src/institutions/institution-placement.ts";
import { clock } from "../../src/platform/clock.ts";
import { makeSecret } from "../../src/platform/secrets.ts";
import { holdLease, keepLease, recordSuccess, releaseLease } from "../../src/refresh/refreshes.ts";
import { registerTask } from "../../src/refresh/schedule.ts";
import { importRegister } from "../../src/registers/import/import-register.ts";
import type { Register } from "../../src/registers/register.ts";

const POLL_MS = 500;
/** As src/cli/lease.ts has them. */
const LEASE_MS = 20_000;
const RENEW_MS = LEASE_MS / 4;

type Stores = Pick<Env, "DB" | "KV">;

/** `import register`: true if it was taken. */
export async function importFile({ DB, KV }: Stores, register: Register): Promise<boolean> {
  const holder = `command ${makeSecret(8)}`;
  while (!(await holdLease(DB, holder, clock.now(), LEASE_MS))) await clock.wait(POLL_MS);
  let works = true;
  const renew = async () => {
    for (;;) {
      await clock.wait(RENEW_MS);
      if (!works) return;
      await keepLease(DB, holder, clock.now(), LEASE_MS).catch(() => true);
    }
  };
  void renew();
  try {
    const options = { now: clock.now(), force: false, refuseOlder: true };
    const result = await whenSettled(() => importRegister({ DB, KV }, register, options));
    if (result.ok) await recordSuccess(DB, registerTask(register.source, register.country), {}, clock.now());
    return result.ok;
  } finally {
    works = false;
    await releaseLease(DB, holder);
  }
}

/** `fi enable | disable`. */
export async function setStatus(env: Pick<Env, "DB">, reference: string, status: "active" | "disabled") {
  return await setInstitutionStatus(env, reference, status);
}

/** `account erase`. */
export const eraseAccount = ({ DB }: Pick<Env, "DB">, fiId: number, accountId: string) =>
  eraseAccountData(DB, { fiId, accountId });
