/** `fi add | list | set | enable | disable | remove | link | unlink | rotate`: institutions and their credentials. */
import type { Command } from "commander";
import { bindingOf } from "../institutions/databases.ts";
import { listFinancialInstitutions } from "../institutions/financial-institutions.ts";
import { listInstitutions } from "../institutions/institution-list.ts";
import { addInstitution, setInstitutionStatus } from "../institutions/institution-placement.ts";
import { clock } from "../platform/clock.ts";
import { findLeastLoaded, readDatabases } from "./database-reading.ts";
import { EXIT, fail } from "./fail.ts";
import { addFiCredentialCommands, makeCredential, requireClient } from "./fi-credentials.ts";
import { describeCredential, describeInstitutions } from "./fi-list.ts";
import {
  type Common,
  LEDGER,
  type LedgerMode,
  type MakeCommand,
  NAME,
  noSuchInstitution,
  type OfInstitution,
  REFERENCE,
} from "./fi-options.ts";
import { removeFi } from "./fi-remove.ts";
import { addFiSetCommand } from "./fi-set.ts";
import { addOutputOptions, print } from "./output.ts";
import { withStores } from "./stores.ts";
import { addTargetOptions, targetOf } from "./target.ts";

/** Isolates remember verified credentials (http/middleware/financial-institution.ts). */
const WITHIN_A_MINUTE =
  "isolates that remember its credentials forget them within 60 seconds, and it gets no token meanwhile";

const numberOf = (text: string): number =>
  /^[1-9]\d{0,2}$/.test(text) ? Number(text) : fail(`--database: ${text} is not a number such as 2`, EXIT.usage);

export function addFiCommands(program: Command): void {
  const fi = program.command("fi").description("financial institutions and their credentials");
  const command: MakeCommand = (name, description) =>
    addOutputOptions(addTargetOptions(fi.command(name).description(description)));

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
