/** `fi add | list | set | enable | disable | remove | link | unlink | rotate`: institutions and their credentials. */
import type { Command } from "commander";
import { bindingOf } from "../institutions/databases.ts";
import { listFinancialInstitutions } from "../institutions/financial-institutions.ts";
import { listInstitutions } from "../institutions/institution-list.ts";
import { addInstitution, setInstitutionStatus } from "../institutions/institution-placement.ts";
import { clock } from "../platform/clock.ts";
import { findLeastLoaded, readDatabases } from "./database.ts";
import { EXIT, fail } from "./fail.ts";
import { addFiCredentialCommands, makeCredential, requireClient } from "./fi-credentials.ts";
import {
  describeCredential,
  describeInstitutions,
  LEDGER,
  type LedgerMode,
  NAME,
  noSuchInstitution,
  type OfInstitution,
  REFERENCE,
} from "./fi-options.ts";
import { addFiSetCommand } from "./fi-set.ts";
import { type Belongings, readBelongings, removeInstitution } from "./institution-changes.ts";
import { grouped, makeProgressBar, type OutputOptions, print, type Style } from "./output.ts";
import { withStores } from "./stores.ts";
import { type Common, commandsOf, type TargetOptions, targetOf } from "./target.ts";

/** Isolates remember verified credentials (http/middleware/financial-institution.ts). */
const WITHIN_A_MINUTE =
  "isolates that remember its credentials forget them within 60 seconds, and it gets no token meanwhile";

const numberOf = (text: string): number =>
  /^[1-9]\d{0,2}$/.test(text) ? Number(text) : fail(`--database: ${text} is not a number such as 2`, EXIT.usage);

export function addFiCommands(program: Command): void {
  const fi = program.command("fi").description("financial institutions and their credentials");
  const command = commandsOf(fi);

  command("add", "add an institution; prints its client id and its secret, which is not shown again")
    .requiredOption(...NAME)
    .requiredOption(
      "--fi, --reference <reference>",
      "its fi_reference_id: the local NCA's reference, 6 to 128 characters",
    )
    .option("--client <client id>", "let this existing credential speak for it (an aggregator)")
    .option(
      "--database <number>",
      "where its tokens and consents will be; without: in the least loaded database",
      numberOf,
    )
    .option(...LEDGER)
    .addHelpText("after", "\nExample:\n  fi add --name 'My Bank' --reference PSDFI-FINFSA-0001")
    .action(
      async (options: OfInstitution & { name: string; client?: string; database?: number; ledger?: LedgerMode }) => {
        if (!/^[\x21-\x7e]{6,128}$/.test(options.reference))
          fail("--reference: 6 to 128 printable ASCII characters without blanks: it is sent as a header", EXIT.usage);
        const { credential, secretHash } = makeCredential(options.client);
        const row = {
          name: options.name,
          fiReferenceId: options.reference,
          clientId: credential.client_id,
          now: clock.now(),
        };
        const database = await withStores(targetOf(options), async ({ env }) => {
          const existing = await listFinancialInstitutions(env.DB);
          if (existing.some((other) => other.fi_reference_id === options.reference))
            fail(`${options.reference}: an institution of this reference exists`);
          requireClient(existing, options.client);
          const databases = await readDatabases(env, clock.now());
          const database = options.database ?? findLeastLoaded(databases);
          if (!databases.some(({ number }) => number === database))
            fail(
              `--database: there is no ${bindingOf(database)}, only ${databases.map(({ binding }) => binding).join(", ")}`,
            );
          await addInstitution(env, { ...row, secretHash, database, ledgerRequired: options.ledger === "required" });
          return { number: database, of: databases.length };
        });
        const added = {
          ...{ name: options.name, fi_reference_id: options.reference, ...credential },
          ...(database.of > 1 && { database: database.number }),
          ...(options.ledger !== undefined && { ledger: options.ledger }),
        };
        const place = database.of > 1 ? ` in ${bindingOf(database.number)}` : "";
        print(
          added,
          options,
          (style) => `${style.good("added")} ${options.name}${place}\n${describeCredential(added, style)}`,
        );
      },
    );

  command("list", "list all institutions with their status, credentials and ages").action(async (options: Common) => {
    const at = clock.now();
    const institutions = await withStores(targetOf(options), ({ env }) => listInstitutions(env, at));
    print(institutions, options, (style) => describeInstitutions(institutions, at, style));
  });

  for (const [name, status, description, then] of [
    ["enable", "active", "take an institution's requests again", "its requests are taken again"],
    ["disable", "disabled", "refuse an institution's requests (takes effect within a minute)", WITHIN_A_MINUTE],
  ] as const)
    command(name, description)
      .requiredOption(...REFERENCE)
      .action(async (options: OfInstitution) => {
        const { reference } = options;
        const done = await withStores(targetOf(options), ({ env }) => setInstitutionStatus(env, reference, status));
        if (!done.ok)
          fail(
            done.reason === "changed"
              ? `${reference}: somebody else set its status in the same moment; fi list shows it`
              : noSuchInstitution(reference),
          );
        print(
          { fi_reference_id: reference, status },
          options,
          (style) => `${style.good(status)} ${reference}: ${then}`,
        );
      });

  command("remove", "remove an institution with its tokens, consents and credentials; without --yes: say what goes")
    .requiredOption(...REFERENCE)
    .option("--yes", "remove it", false)
    .addHelpText(
      "after",
      "\nExample:\n  fi remove --reference PSDFI-FINFSA-0001\n  fi remove --reference PSDFI-FINFSA-0001 --yes",
    )
    .action((options: OfInstitution & { yes: boolean }) => removeFi(options));

  addFiSetCommand(command);
  addFiCredentialCommands(command);
}

interface Options extends TargetOptions, OutputOptions {
  reference: string;
  yes: boolean;
}

/** Without `yes` nothing is removed, and the command ends with 1. */
async function removeFi(options: Options): Promise<void> {
  const { reference, yes } = options;
  const found = await withStores(targetOf(options), async ({ env }) => {
    const at = clock.now();
    const belongings = (await readBelongings(env, reference, at)) ?? fail(`${reference}: no such institution`);
    if (yes) {
      const total = Object.values(belongings.rows).reduce((sum, rows) => sum + rows, 0);
      const bar = makeProgressBar("removing");
      await removeInstitution(env, belongings.id, at, (deleted) => bar.show(deleted, total));
      bar.clear();
    }
    return belongings;
  });
  const { name, liveTokens, rows, credentials, sharedCredentials } = found;
  const goes = { ...rows, live_tokens: liveTokens, credentials };
  const answer = { name, fi_reference_id: reference, removed: yes, goes, credentials_that_stay: sharedCredentials };
  print(answer, options, (style) => describe(found, reference, yes, style));
  if (!yes) process.exitCode = EXIT.no;
}

function describe(found: Belongings, reference: string, removed: boolean, style: Style): string {
  const { name, liveTokens, rows, credentials, sharedCredentials } = found;
  const lines = [
    `${grouped(rows.tokens)} tokens, ${grouped(liveTokens)} of them live`,
    `${grouped(rows.account_access_consents)} account access consents and ${grouped(rows.payment_order_consents)} payment order consents, with all that they record`,
    `${grouped(rows.core_permissions)} permissions of customers without a consent, ${grouped(rows.account_blocks)} blocks of accounts`,
    `${credentials.length} credentials${credentials.length > 0 ? `: ${credentials.join(", ")}` : ""}`,
  ].map((line) => `  ${line}`);
  const stay = sharedCredentials.map((client) => `  ${client} stays: it speaks for other institutions, too`);
  return removed
    ? [`${style.good("removed")} ${name} (${reference}), and with it`, ...lines, ...stay].join("\n")
    : [
        `${style.doubtful("not removed:")} with ${name} (${reference}) would go, for good`,
        ...lines,
        ...stay,
        "Its authorization codes and CCG tokens would be refused from then on.",
        "Its ledger would stay until its retention is over, but nothing could read it any more: evidence export first.",
        "To do it: the same with --yes.",
      ].join("\n");
}
