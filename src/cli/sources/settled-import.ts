/** Imports of registers wait here until Workers KV shows what the one before wrote: another location may lag by a minute. */
import { clock, formatDuration } from "../../platform/clock.ts";
import type { Unsettled } from "../../registers/import/stored-register.ts";

const POLL_MS = 5_000;

/** Makes the attempt until it is settled. */
export async function whenSettled<Result extends { readonly ok: boolean }>(
  attempt: () => Promise<Result>,
): Promise<Exclude<Result, Unsettled>> {
  for (let said = false; ; said = true) {
    const result = await attempt();
    if (!isUnsettled(result)) return result as Exclude<Result, Unsettled>;
    if (!said) console.error(`waiting: ${explainUnsettled(result)}`);
    await clock.wait(POLL_MS);
  }
}

const isUnsettled = (result: { readonly ok: boolean }): result is Unsettled =>
  !result.ok && "reason" in result && result.reason === "unsettled";

const explainUnsettled = ({ country, source, until }: Unsettled): string =>
  `Workers KV does not show yet what the last import of ${country} (${source}) wrote. That takes at most ${formatDuration(until - clock.now())}`;
