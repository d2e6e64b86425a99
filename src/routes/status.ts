/** GET /status: what is loaded of each source and how fresh it is, for a financial institution. Outside the interface. */
import type { Context } from "hono";
import { configurationWarnings } from "../base-url.ts";
import { now } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { readStatus } from "../refresh/status.ts";

export const answerStatus = async (c: Context<AppEnv>): Promise<Response> =>
  c.json({ ...(await readStatus(c.env, now())), warnings: configurationWarnings(c.env) });
