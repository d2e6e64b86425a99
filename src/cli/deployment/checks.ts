/** What a deployment ends with: whether the deployed service has all that it needs, as Cloudflare and the service say. */
import { setTimeout } from "node:timers/promises";
import { SIGNING_KEY_PREFIX } from "../../evidence/signatures/signing-keys.ts";
import { VERSION } from "../../platform/version.ts";
import { findPending } from "../database/migrations.ts";
import { PREFIX } from "../keys/keys.ts";
import { type Account, callAccount } from "./cloudflare-api.ts";
import type { DeploymentConfiguration } from "./configuration.ts";
import { openDatabase, type StoreIds } from "./deployed-stores.ts";

/** `ok` null: it could not be asked. */
export interface Check {
  readonly ok: boolean | null;
  readonly text: string;
}

/** Asks the deployed service; null: it is not asked, because the API is not Cloudflare's. */
export type AskService = ((url: string, init: RequestInit) => Promise<Response>) | null;

/** developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/secrets/ */
export async function listSecretNames(account: Account, worker: string): Promise<string[]> {
  const { result } = await callAccount(account, "GET", `/workers/scripts/${worker}/secrets`);
  return (result as readonly { readonly name: string }[]).map(({ name }) => name);
}

export async function checkDeployed(
  account: Account,
  { worker, vars, wanted, crons, consumed }: DeploymentConfiguration,
  ids: StoreIds,
  ask: AskService,
): Promise<Check[]> {
  const read = async (path: string) => (await callAccount(account, "GET", path)).result as never;
  const checks: NamedCheck[] = [
    [
      "secrets",
      async () => {
        const names = await listSecretNames(account, worker);
        const [tokens, signatures] = [PREFIX, SIGNING_KEY_PREFIX].map(
          (prefix) => names.filter((name) => name.startsWith(prefix)).length,
        );
        return { ok: Boolean(tokens && signatures), text: `secrets: token keys ${tokens}, signing keys ${signatures}` };
      },
    ],
    [
      "cron",
      async () => {
        const { schedules } = (await read(`/workers/scripts/${worker}/schedules`)) as Schedules;
        const set = schedules.map(({ cron }) => cron);
        return { ok: crons.every((cron) => set.includes(cron)), text: `cron: ${set.join(", ") || "none"}` };
      },
    ],
    ...consumed.map(
      (queue): NamedCheck => [
        `queue ${queue}`,
        async () => {
          const queues: Queues = await read(`/queues?name=${encodeURIComponent(queue)}`);
          const id = queues.find(({ queue_name }) => queue_name === queue)?.queue_id;
          const consumers: Consumers = id === undefined ? [] : await read(`/queues/${id}/consumers`);
          const ok = consumers.some((one) => (one.script ?? one.script_name) === worker);
          return { ok, text: `queue ${queue}: ${ok ? "" : "not "}consumed by ${worker}` };
        },
      ],
    ),
    ...wanted
      .filter(({ kind }) => kind === "D1 database")
      .map(
        ({ binding }): NamedCheck => [
          `schema of ${binding}`,
          async () => {
            const { migrations } = await findPending(openDatabase(account, ids.get(binding) ?? ""));
            const lacks = migrations.length > 0 ? `lacks ${migrations.join(", ")}` : "complete";
            return { ok: migrations.length === 0, text: `schema of ${binding}: ${lacks}` };
          },
        ],
      ),
    [
      "health",
      async () => {
        const address = await findAddress(String(vars["BASE_URL"] ?? ""), worker, read);
        return await checkHealth(address, ask);
      },
    ],
  ];
  return await Promise.all(
    checks.map(([what, check]) =>
      check().catch((error: Error): Check => ({ ok: null, text: `${what}: could not be asked: ${error.message}` })),
    ),
  );
}

type NamedCheck = [what: string, check: () => Promise<Check>];

interface Schedules {
  readonly schedules: readonly { readonly cron: string }[];
}
type Queues = readonly { readonly queue_id: string; readonly queue_name: string }[];
type Consumers = readonly { readonly script?: string; readonly script_name?: string }[];

/** Null: neither BASE_URL nor workers.dev leads to it, as far as is known. */
async function findAddress(
  base: string,
  worker: string,
  read: (path: string) => Promise<unknown>,
): Promise<string | null> {
  if (base !== "") return base.replace(/\/$/, "");
  const { enabled } = (await read(`/workers/scripts/${worker}/subdomain`)) as { readonly enabled: boolean };
  if (!enabled) return null;
  const { subdomain } = (await read("/workers/subdomain")) as { readonly subdomain: string };
  return `https://${worker}.${subdomain}.workers.dev`;
}

/** An upload reaches the edge within seconds, a new name within some more. */
const TRIES = 6;
const BETWEEN_MS = 5000;

async function checkHealth(address: string | null, ask: AskService): Promise<Check> {
  if (address === null)
    return { ok: null, text: "health: not asked, because BASE_URL is empty and workers_dev is off" };
  if (ask === null) return { ok: true, text: `health: not asked, ask ${address}/health` };
  let answered = "no answer";
  for (let i = 0; i < TRIES; i++) {
    if (i > 0) await setTimeout(BETWEEN_MS);
    try {
      const response = await ask(`${address}/health`, { signal: AbortSignal.timeout(10_000) });
      const { status, reasons, version } = Object((await response.json().catch(() => null)) ?? {});
      answered = `status ${response.status}${version === undefined ? "" : `, ${status}, version ${version}`}`;
      if (response.ok && version === VERSION)
        return { ok: true, text: `health: ${[status, ...reasons].join(", ")}, version ${version}, at ${address}` };
    } catch (error) {
      const { message, cause } = error as Error;
      answered = cause instanceof Error ? cause.message : message;
    }
  }
  return { ok: answered.startsWith("status") ? false : null, text: `health: ${answered} from ${address}/health` };
}
