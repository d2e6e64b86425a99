/** `account export | erase`: all that is kept of one account of an institution. */
import type { Command } from "commander";
import { noteCommandAct } from "../../evidence/ledger/command-acts.ts";
import type { Account } from "../../grants/account-block.ts";
import { countAccountData, digestAccountData, eraseAccountData, readAccountData } from "../../grants/retention.ts";
import { clock } from "../../platform/clock.ts";
import { print } from "../output.ts";
import { listDatabaseFiles, withStores } from "../stores.ts";
import { type Common, commandsOf, type MakeCommand, targetOf } from "../target.ts";
import { requireInstitution } from "./options.ts";

interface Options extends Common {
  reference: string;
  account: string;
}

export function addAccountCommands(program: Command): void {
  const make = commandsOf(program.command("account").description("what is kept of one PSU account"));
  const command: MakeCommand = (name, description) =>
    make(name, description)
      .requiredOption("--fi, --reference <reference>", "the institution's fi_reference_id")
      .requiredOption("--account <account id>", "as the institution names it in its requests")
      .addHelpText("after", `\nExample:\n  account ${name} --reference PSDFI-FINFSA-0001 --account 4711`);

  command("export", "print all that is kept of the account").action(async (options: Options) => {
    const data = await withStores(targetOf(options), async ({ env }) =>
      readAccountData(...(await findAccount(env, options))),
    );
    const sha256 = digestAccountData(data);
    const exported = { ...nameOf(options), exported_at: new Date(clock.now()).toISOString(), sha256, ...data };
    print(exported, options, () => `${describeCounts(countAccountData(data))}\n${JSON.stringify(data, null, 2)}`);
  });

  command("erase", "end and delete all that is kept of the account, and print a receipt")
    .option("--dry-run", "only count what would be erased", false)
    .action(async (options: Options & { dryRun: boolean }) => {
      const target = targetOf(options);
      const data = await withStores(target, async ({ env }) => {
        const account = await findAccount(env, options);
        if (options.dryRun) return await readAccountData(...account);
        const [db, { fiId }] = account;
        const act = { fiId, event: "account.erasure", command: "account erase", always: true } as const;
        return await eraseAccountData(...account, [noteCommandAct(db, act, clock.now())]);
      });
      const counted = { rows: countAccountData(data), sha256: digestAccountData(data) };
      const counts = describeCounts(counted.rows);
      if (options.dryRun) {
        print({ ...nameOf(options), would_erase: counted }, options, () => `would erase ${counts}`);
        return;
      }
      const left = target.remote ? null : await overwriteDeletedRows();
      const remains = [
        ...(target.remote ? REMAINS_REMOTE : []),
        ...(left === null ? [] : [left]),
        REMAINS_OF_RECORDS,
        REMAINS_OF_CODES,
      ];
      const receipt = { ...nameOf(options), erased_at: new Date(clock.now()).toISOString(), erased: counted, remains };
      print(receipt, options, (style) =>
        [
          `${style.good("erased")} ${counts}`,
          `SHA-256 ${counted.sha256}`,
          ...remains.map((text) => `remains ${text}`),
        ].join("\n"),
      );
    });
}

/** For example `3 tokens, 1 account_access_consents`. */
const describeCounts = (rows: Readonly<Record<string, number>>): string =>
  Object.entries(rows)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => `${count} ${table}`)
    .join(", ") || "nothing";

const nameOf = ({ reference, account }: Options) => ({ fi_reference_id: reference, account_id: account });

/** The account, and the database in which its institution's rows are. */
async function findAccount(env: Pick<Env, "DB">, { reference, account }: Options): Promise<[D1Database, Account]> {
  const { id: fiId, db } = await requireInstitution(env, reference);
  return [db, { fiId, accountId: account }];
}

/** What a receipt has to say of copies that no command reaches. */
const REMAINS_REMOTE = [
  "D1's Time Travel: the database of the last 30 days can be restored, then Cloudflare deletes it",
  "backups that were made with d1 export",
];
const REMAINS_OF_RECORDS =
  "requests of the last minute about the account: their records may name it again, so run the command once more after a minute";
const REMAINS_OF_CODES =
  "in the records of the account's codes, until the tokens of these would have expired: the account sealed with the code, which is stored nowhere";

/**
 * SQLite leaves what it deleted in free pages and in its log until they are written again, and D1 lets nobody change
 * that. The local files are rewritten here. Null if that was done, else a sentence.
 */
export async function overwriteDeletedRows(): Promise<string | null> {
  const { DatabaseSync } = await import("node:sqlite");
  const files = await listDatabaseFiles();
  try {
    for (const file of files) {
      const database = new DatabaseSync(file, { timeout: 10_000 });
      database.exec("VACUUM");
      const [result] = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
      database.close();
      if (result?.["busy"] !== 0) throw new Error("the log is in use");
    }
    return null;
  } catch {
    return "deleted rows in the local database's free pages: stop npm start, then run the command again";
  }
}
