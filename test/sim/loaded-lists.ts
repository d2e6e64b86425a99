/** The trusted lists that are loaded when a history begins, and when they are due. */
import { createHash } from "node:crypto";
import { acceptPublishedList, type ListOfLists } from "../../src/refresh/published-list.ts";
import { trustTask } from "../../src/refresh/schedule.ts";
import { LIST_OF_LISTS, TRUSTED_LIST_SOURCE } from "../../src/trust/anchors.ts";
import { PINNED_SIGNERS } from "../../src/trust/lists/pinned-signers.ts";
import { LIST_MIME_TYPE } from "../../src/trust/lists/scheme.ts";
import type { D1 } from "./d1.ts";
import { firstIssues } from "./list-publisher.ts";
import { COUNTRY, locationOf, signerCertificate, signIssue } from "./signed-issues.ts";

/** No scheduled run asks for them before: each would change the pace of a history that is about something else. */
export const DUE_LATER_MS = 10_800_000;
const NEXT_DUE_MS = 150_000;
const TASKS = [LIST_OF_LISTS, COUNTRY].map((territory) => trustTask(TRUSTED_LIST_SOURCE, territory));

const base64 = (der: Uint8Array): string => Buffer.from(der).toString("base64");

/**
 * The operator has loaded a list of lists of an earlier day, which names the signer of the next: nobody here has a key that the
 * Official Journal names.
 */
function findListOfLists(start: number): ListOfLists {
  const [{ number, issuedAt }] = firstIssues(start);
  const pointer = { mimeType: LIST_MIME_TYPE, operatorName: null, location: locationOf(LIST_OF_LISTS) };
  return {
    ...{ sequenceNumber: number - 1, issuedAt: new Date(issuedAt - 1_000).toISOString() },
    pins: createHash("sha256").update(PINNED_SIGNERS.map(base64).join()).digest("hex"),
    pinnedSoFar: [],
    pointers: [{ ...pointer, territoryOnList: LIST_OF_LISTS, signers: [base64(signerCertificate("list of lists"))] }],
  };
}

/** Instants in milliseconds since 1970. */
export async function loadLists({ DB, KV }: Pick<Env, "DB" | "KV">, start: number, now: number): Promise<void> {
  let listOfLists = findListOfLists(start);
  for (const issue of firstIssues(start)) {
    const accepted = await acceptPublishedList(KV, { bytes: signIssue(issue), listOfLists, now });
    if (!accepted.ok) throw new Error(`${issue.territory}: ${accepted.message}`);
    if (issue.territory === LIST_OF_LISTS)
      listOfLists = { ...listOfLists, sequenceNumber: issue.number, pointers: accepted.list.pointers };
  }
  const add = DB.prepare("INSERT INTO refreshes (task, due_at) VALUES (?1, ?2)");
  await DB.batch(TASKS.map((task) => add.bind(task, start + DUE_LATER_MS)));
}

/** For the scheduled run; the national list some minutes after the list of lists. */
export function makeListsDue(database: D1, now: number): void {
  for (const [i, task] of TASKS.entries()) setDue(database, task, now + i * NEXT_DUE_MS);
}

/** For the scheduled run. */
export function setDue(database: D1, task: string, at: number): void {
  database.run("UPDATE refreshes SET due_at = ?2 WHERE task = ?1", [task, at]);
}
