/**
 * The ids of D1 and KV as the deployed Worker has them. A deployment makes these stores by their names, wrangler writes no
 * id into a configuration with comments, and from here it opens no binding without one.
 */
import * as z from "zod";
import { EXIT, fail } from "./fail.ts";
import { type Environment, environmentOption } from "./target.ts";

/** By the name of the binding. */
export type StoreIds = ReadonlyMap<string, string>;

type Wrangler = (args: readonly string[]) => Promise<{ readonly code: number; readonly output: string }>;

const DEPLOYMENT = z.object({ versions: z.array(z.object({ version_id: z.string() })).min(1) });
const BINDING = z.union([
  z.object({ type: z.literal("kv_namespace"), name: z.string(), namespace_id: z.string() }),
  z.object({ type: z.literal("d1"), name: z.string(), id: z.string() }),
  z.object({ type: z.string(), name: z.string() }),
]);
const VERSION = z.object({ resources: z.object({ bindings: z.array(BINDING) }) });

export async function readStoreIds(wrangler: Wrangler, environment: Environment | null): Promise<StoreIds> {
  const ask = async <Form extends z.ZodType>(form: Form, ...args: string[]): Promise<z.output<Form>> => {
    const { code, output } = await wrangler([...args, "--json", ...environmentOption(environment)]);
    // a warning may stand before it
    const [json] = /^\{$[\s\S]*^\}$/m.exec(output) ?? [];
    const read = form.safeParse(code === 0 && json !== undefined ? JSON.parse(json) : null);
    if (!read.success)
      fail(
        `wrangler could not say which stores the deployed service has (${args.join(" ")}):\n${output}`,
        EXIT.unknown,
      );
    return read.data;
  };
  const { versions } = await ask(DEPLOYMENT, "deployments", "status");
  // where two are deployed side by side, they have the same stores
  const { resources } = await ask(VERSION, "versions", "view", versions[0]?.version_id ?? "");
  return new Map(
    resources.bindings.flatMap((binding): [string, string][] => {
      if ("namespace_id" in binding) return [[binding.name, binding.namespace_id]];
      return "id" in binding ? [[binding.name, binding.id]] : [];
    }),
  );
}
