/** The steps of an endpoint: how a route lists them, and how app.ts names those that a start does not evaluate. */
import type { Context, Handler, MiddlewareHandler, Next } from "hono";
import type { Factory } from "hono/factory";
import type { AppEnv } from "./context.ts";

/** The steps of one endpoint, in their order. As Hono's `createHandlers`, which brings two more routers into each start. */
export const steps = ((...given: MiddlewareHandler[]) => given) as Factory<AppEnv>["createHandlers"];

// biome-ignore lint/suspicious/noExplicitAny: what a step reads by `c.req.valid` is known to the steps of its endpoint alone
export type Step = Handler<AppEnv, any, any> | MiddlewareHandler<AppEnv, any, any>;

type Load<Module> = () => Promise<Module>;

/** Evaluates a module while the reads of a cold isolate travel. Its endpoint loads it again, and meets what was wrong with it. */
export const loadAhead = (load: Load<unknown>): void => void Promise.resolve().then(load).catch(Object);

/**
 * An endpoint whose module its first request loads. Its steps run as if app.ts had listed them: in their order, each sees
 * the answer of those behind it, and what one throws is answered by the app.
 */
export function late<Name extends string>(
  load: Load<Readonly<Record<Name, Step | readonly Step[]>>>,
  name: Name,
): MiddlewareHandler<AppEnv> {
  let loaded: readonly Step[] | null = null;
  return async (c, next) => {
    loaded ??= [(await load())[name]].flat();
    await runSteps(loaded, c, next);
  };
}

/** In their order: each sees the answer of those behind it. */
export async function runSteps([step, ...others]: readonly Step[], c: Context<AppEnv>, next: Next): Promise<void> {
  const answer = await (step === undefined ? next() : step(c, () => runSteps(others, c, next)));
  if (answer && !c.finalized) c.res = answer as Response;
}
