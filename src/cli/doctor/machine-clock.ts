/** What `doctor` says of this machine's clock. */
import { clock, formatDuration } from "../../platform/clock.ts";
import { type Finding, good, toDo, unknown } from "./finding.ts";

const TIMEOUT_MS = 10_000;
/** OCSP responders and CAs allow for as much; a Date header has whole seconds. */
const TOLERANCE_MS = 5_000;

export interface SourceTime {
  /** Host name of the source. */
  readonly source: string;
  /** By how much this machine is ahead, in milliseconds; negative: behind. Exact to a second and half a round trip. */
  readonly aheadMs: number;
}

/** The time of the first of `urls` that answers with a Date header, whatever the status; null if none does. */
export async function askSourceTime(urls: readonly string[]): Promise<SourceTime | null> {
  for (const url of urls) {
    const asked = clock.now();
    const response = await fetch(url, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null);
    // the header's second has begun at half of its length before, on average
    const date = Date.parse(response?.headers.get("Date") ?? "") + 500;
    if (!Number.isNaN(date)) return { source: new URL(url).host, aheadMs: (asked + clock.now()) / 2 - date };
  }
  return null;
}

export function judgeClock(time: SourceTime | null): Finding {
  if (time === null)
    return unknown(
      "clock",
      "no source answered that this machine's clock could be compared with",
      "look at the network, and at LOTL_URL and EBA_METADATA_URL in wrangler.toml",
    );
  const { source, aheadMs } = time;
  const off = Math.abs(aheadMs);
  if (off <= TOLERANCE_MS) return good("clock", `this machine's clock agrees with that of ${source}`);
  return toDo(
    "clock",
    `this machine's clock is ${formatDuration(off)} ${aheadMs > 0 ? "ahead of" : "behind"} that of ${source}`,
    "set it by a time server (NTP): codes live 60 seconds, and certificates are judged by it",
  );
}
