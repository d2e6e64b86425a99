/** `wrangler deploy` without its two seconds: it sends what the configuration says to the platform. */
import { readFile } from "node:fs/promises";
import { parse } from "smol-toml";
import type { Deployer } from "../../src/cli/deployment/deployment.ts";
import type { Platform } from "./platform.ts";

interface Tables {
  readonly name: string;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly d1_databases: readonly Readonly<Record<string, string>>[];
  readonly kv_namespaces: readonly Readonly<Record<string, string>>[];
  readonly queues?: { readonly consumers: readonly { readonly queue: string }[] };
}

/** Each run's arguments go to `runs`, without the paths of the files. */
export function playWrangler(platform: Platform, runs: string[] = []): Deployer["wrangler"] {
  const { CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_ACCOUNT_ID: account } = platform.environment;
  const send = async (method: string, path: string, body?: BodyInit): Promise<Record<string, never>> => {
    const response = await fetch(`${base}/accounts/${account}${path}`, { method, ...(body && { body }) });
    const { success, errors, result } = (await response.json()) as Record<string, never>;
    if (!success) throw new Error(`[ERROR] A request to the Cloudflare API failed.\n\n  ${JSON.stringify(errors)}`);
    return result as unknown as Record<string, never>;
  };
  const upload = async (configuration: string, environment: string, secrets: string | undefined) => {
    const whole = parse(await readFile(configuration, "utf8")) as unknown as Tables & { env: Record<string, Tables> };
    const tables = whole.env[environment] ?? whole;
    const held = Object.entries(secrets === undefined ? {} : JSON.parse(await readFile(secrets, "utf8")));
    const bindings = [
      ...tables.d1_databases.map(({ binding: name, database_id: id }) => ({ type: "d1", name, id })),
      ...tables.kv_namespaces.map(({ binding: name, id }) => ({ type: "kv_namespace", name, namespace_id: id })),
      ...Object.entries(tables.vars).map(([name, text]) => ({ type: "plain_text", name, text })),
      ...held.map(([name, text]) => ({ type: "secret_text", name, text })),
    ];
    const form = new FormData();
    form.set("metadata", JSON.stringify({ bindings }));
    await send("PUT", `/workers/scripts/${tables.name}`, form);
    await send("POST", `/workers/scripts/${tables.name}/subdomain`, JSON.stringify({ enabled: true }));
    await send("PUT", `/workers/scripts/${tables.name}/schedules`, JSON.stringify([{ cron: "* * * * *" }]));
    for (const { queue } of tables.queues?.consumers ?? []) {
      const [found] = (await send("GET", `/queues?name=${queue}`)) as unknown as [{ queue_id: string; consumers: [] }];
      if (found.consumers.length === 0)
        await send("POST", `/queues/${found.queue_id}/consumers`, JSON.stringify({ script_name: tables.name }));
    }
  };
  return async (args) => {
    const optionOf = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
    runs.push(args.filter((arg) => !arg.startsWith("/")).join(" "));
    if (args.includes("--dry-run")) return { code: 0, output: "built" };
    return await upload(optionOf("--config") ?? "", optionOf("--env") ?? "", optionOf("--secrets-file")).then(
      () => ({ code: 0, output: "deployed" }),
      (error: Error) => ({ code: 1, output: error.message }),
    );
  };
}
