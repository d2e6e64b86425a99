/** What `doctor` says of the databases beside the first, of the institutions that are placed in them, and of deliveries. Pure. */
import type { CopyFault } from "../institution-placement.ts";
import { fillMessage } from "../refresh/retention.ts";
import type { DatabaseReading } from "./database-reading.ts";
import { type Finding, good, toDo, unknown } from "./finding.ts";
import { describeCopyFault } from "./status-text.ts";
import type { DeliveryCounts } from "./webhook-reading.ts";

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

/** What was given up, or waits for an operator. */
export function findDeliveries({ webhooks, disabled, dead, endedBy410, queue }: DeliveryCounts): Finding[] {
  const which = "npm run admin -- webhook list --reference REFERENCE shows which";
  const ended = endedBy410 > 0 ? `, which ended ${endedBy410} deliveries` : "";
  const late = dead - endedBy410;
  const found = [
    ...(disabled > 0
      ? [
          toDo(
            "webhooks",
            `${disabled} are disabled: their receivers answered with 410${ended}`,
            `${which}: remove it, and add it again where its receiver takes events`,
          ),
        ]
      : []),
    ...(late > 0
      ? [
          toDo(
            "webhooks",
            `${late} deliveries were given up after three days`,
            `${which}: replay those of active webhooks`,
          ),
        ]
      : []),
  ];
  if (found.length > 0 || webhooks === 0) return found;
  return [
    good("webhooks", `${webhooks} get events ${queue ? "by the queue" : "by the scheduled run, without a queue"}`),
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
