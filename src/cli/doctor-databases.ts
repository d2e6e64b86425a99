/** What `doctor` says of the databases beside the first, of the institutions that are placed in them, and of deliveries. Pure. */
import type { CopyFault } from "../institutions/institution-placement.ts";
import { fillMessage } from "../refresh/retention.ts";
import type { DatabaseReading } from "./database.ts";
import { type Finding, good, toDo, unknown } from "./finding.ts";
import { describeCopyFault } from "./status-text.ts";
import {
  cureOf as cureOfWebhook,
  type DeliveryCounts,
  describeFailing,
  describeRotating,
  MOST_NAMED,
  needsCare,
} from "./webhook-reading.ts";

/** `command`: a command line of this program, on the same stores as the doctor's. */
export function findDatabases(
  databases: readonly DatabaseReading[],
  copyFaults: readonly CopyFault[],
  command: (words: string) => string,
): Finding[] {
  const silent = databases.flatMap(({ binding, error }) =>
    error === null
      ? []
      : [
          unknown(
            "stores",
            `${binding} does not answer: ${error}`,
            "its institutions get 503: look at D1 in Cloudflare's dashboard",
          ),
        ],
  );
  const full = databases.flatMap(({ binding, held }) => {
    const message = fillMessage(binding, held?.size_bytes ?? 0);
    return message === null ? [] : [toDo("stores", message, "npm run admin -- database add")];
  });
  const faults = copyFaults.map((fault) => toDo("stores", describeCopyFault(fault), cureOf(fault, command)));
  const found = [...silent, ...full, ...faults];
  if (found.length > 0 || databases.length === 1) return found;
  return [good("stores", `${databases.length} databases answer, each with the rows of the institutions placed in it`)];
}

/** What was given up, or waits for an operator. `now`: milliseconds since 1970. */
export function findDeliveries(
  { webhooks, failing, rotating, queue }: Pick<DeliveryCounts, "webhooks" | "failing" | "rotating" | "queue">,
  command: (words: string) => string,
  now: number,
): Finding[] {
  const cared = failing.filter((webhook) => needsCare(webhook, now));
  const rest = cared.length - MOST_NAMED;
  const found = [
    ...cared
      .slice(0, MOST_NAMED)
      .map((webhook) => toDo("webhooks", describeFailing(webhook, now), cureOfWebhook(webhook, command))),
    ...(rest > 0 ? [toDo("webhooks", `${rest} more fail`, `all of them: ${command("status --json")}`)] : []),
  ];
  // it ends by itself
  const overlaps = rotating.map((webhook) => good("webhooks", describeRotating(webhook, now)));
  if (found.length > 0 || webhooks === 0) return [...found, ...overlaps];
  return [
    good("webhooks", `${webhooks} get events ${queue ? "by the queue" : "by the scheduled run, without a queue"}`),
    ...overlaps,
  ];
}

function cureOf({ fi_reference_id, binding, fault }: CopyFault, command: (words: string) => string): string {
  switch (fault) {
    case "no binding":
      return `put ${binding} back into wrangler.toml and deploy`;
    case "missing":
    case "different":
      return `set its status again: ${command(`fi enable --reference ${fi_reference_id}`)}, or fi disable`;
    case "orphaned":
      return `if it was restored from a backup, restore all databases of that backup; else delete the row in ${binding}`;
  }
}
