/** `backup bookmark` and `restore --bookmark`: D1's Time Travel, which costs no outage. */
import { listDatabases } from "../../institutions/databases.ts";
import { clock } from "../../platform/clock.ts";
import { EXIT, fail } from "../fail.ts";
import { print } from "../output.ts";
import { type Common, type Target, targetOf } from "../target.ts";

export const BOOKMARK_NOTE =
  "A bookmark replaces one D1 only: KV stays as it is. The bookmark of the replaced state is printed, by which this is undone.";

/** Asks nothing of D1 itself: one that goes back may answer nothing. */
async function openDeployments({ remote, environment }: Target) {
  if (!remote) fail("only a deployed D1 has bookmarks: --remote", EXIT.usage);
  const { openDeployed } = await import("../deployment/deployed-stores.ts");
  const databases = listDatabases(await openDeployed(environment));
  return { databases, ...(await import("../deployment/deployed-databases.ts")) };
}

/** `at`: ISO 8601; null: now. */
export async function readBookmarks(target: Target, at: string | null) {
  const { databases, readBookmark } = await openDeployments(target);
  const bookmarks: Record<string, string> = {};
  for (const database of databases) bookmarks[database.binding] = await readBookmark(database, at);
  return { at: at ?? new Date(clock.now()).toISOString(), bookmarks };
}

export async function goBack(bookmark: string, binding: string, options: Common & { yes: boolean }): Promise<void> {
  const { databases, returnToBookmark } = await openDeployments(targetOf(options));
  const database = databases.find((one) => one.binding === binding);
  if (!database) fail(`--database: ${binding} is not deployed`, EXIT.usage);
  if (!options.yes)
    fail(`nothing was changed: what was written to ${binding} since the bookmark would be gone. Say --yes`);
  const previous = await returnToBookmark(database, bookmark);
  const restored = { database: binding, bookmark, previous_bookmark: previous, note: BOOKMARK_NOTE };
  print(restored, options, (style) =>
    [`${style.good("restored")} ${binding}`, `To undo it: restore --bookmark ${previous}`, BOOKMARK_NOTE].join("\n"),
  );
}
