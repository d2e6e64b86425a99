/** `fi add | list | set | enable | disable | remove | link | unlink | rotate`: institutions and their credentials. */
import type { Command } from "commander";
import { noteCommandAct } from "../../evidence/ledger/command-acts.ts";
import { listInstitutions } from "../../institutions/institution-list.ts";
import { setInstitutionStatus } from "../../institutions/institution-placement.ts";
import { clock } from "../../platform/clock.ts";
import { EXIT, fail } from "../fail.ts";
import { grouped, makeProgressBar, type OutputOptions, print, type Style } from "../output.ts";
import { withStores } from "../stores.ts";
import { type Common, commandsOf, type TargetOptions, targetOf } from "../target.ts";
import { addFiAddCommand } from "./add.ts";
import { type Belongings, readBelongings, removeInstitution } from "./changes.ts";
import { addFiCredentialCommands } from "./credentials.ts";
import {
  describeInstitutions,
  noSuchInstitution,
  type OfInstitution,
  REFERENCE,
  requireInstitution,
} from "./options.ts";
import { addFiSetCommand } from "./set.ts";
import { addFiSignInCommands } from "./sign-in.ts";

/** Isolates remember verified credentials (http/middleware/financial-institution.ts). */
const WITHIN_A_MINUTE =
  "isolates that remember its credentials forget them within 60 seconds, and it gets no token meanwhile";

export function addFiCommands(program: Command): void {
  const fi = program.command("fi").description("financial institutions and their credentials");
  const command = commandsOf(fi);

  addFiAddCommand(command);

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
        const done = await withStores(targetOf(options), async ({ env }) => {
          const { id: fiId } = await requireInstitution(env, reference);
          const act = { fiId, event: "institution.change", command: `fi ${name}`, about: status } as const;
          const notes = [noteCommandAct(env.DB, act, clock.now())];
          return await setInstitutionStatus(env, reference, status, undefined, notes);
        });
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
  addFiSignInCommands(fi);
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
