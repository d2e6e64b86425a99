/** GET /status: the loaded data of each source and its age, for a financial institution. Not part of the interface. */
import type { Context } from "hono";
import { configurationWarnings } from "../base-url.ts";
import type { AppEnv } from "../context.ts";
import type { Status } from "../contract/answers/operation.ts";
import { lifetimeWarnings } from "../grants/token-lifetimes.ts";
import { readStatus } from "../refresh/status.ts";
import { VERSION } from "../version.ts";

export async function answerStatus(c: Context<AppEnv>): Promise<Response> {
  const answer: Status = {
    version: VERSION,
    ...(await readStatus(c.env, c.var.now)),
    warnings: [...configurationWarnings(c.env), ...lifetimeWarnings(c.env)],
  };
  return c.json(answer);
}
