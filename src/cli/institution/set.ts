/** `fi set`: an institution's name, how long its tokens live, whether answers wait for their records, how banks abroad count. */

import { noteCommandAct } from "../../evidence/ledger/command-acts.ts";
import { isTokenLifetime } from "../../grants/token-lifetimes.ts";
import type { BankPassports } from "../../institutions/financial-institutions.ts";
import { clock, parseDuration } from "../../platform/clock.ts";
import { EXIT, fail } from "../fail.ts";
import { print } from "../output.ts";
import { withStores } from "../stores.ts";
import { type MakeCommand, targetOf } from "../target.ts";
import { changeInstitution, type InstitutionChanges } from "./changes.ts";
import {
  BANK_PASSPORTS_OPTION,
  LEDGER,
  type LedgerMode,
  NAME,
  noSuchInstitution,
  type OfInstitution,
  REFERENCE,
  requireInstitution,
} from "./options.ts";

export function addFiSetCommand(command: MakeCommand): void {
  command("set", "change an institution; what is left out stays as it is")
    .requiredOption(...REFERENCE)
    .option(...NAME)
    .option(
      "--payments-tokens <duration>",
      "how long its access tokens for payments live, such as 1h; default: as the deployment says",
    )
    .option("--accounts-tokens <duration>", "the same for accounts, such as 180d")
    .option(...LEDGER)
    .option(...BANK_PASSPORTS_OPTION)
    .addHelpText(
      "after",
      "\nExamples:\n  fi set --reference PSDFI-FINFSA-0001 --name 'My Bank plc'\n  fi set --reference PSDFI-FINFSA-0001 --accounts-tokens 90d\n  fi set --reference PSDFI-FINFSA-0001 --bank-passports accept",
    )
    .action(async (options: OfInstitution & Given) => {
      const { reference, name } = options;
      const changes = readChanges(options);
      if (Object.keys(changes).length === 0)
        fail("nothing to set: --name, --payments-tokens, --accounts-tokens, --ledger, --bank-passports", EXIT.usage);
      const done = await withStores(targetOf(options), async ({ env }) => {
        const { id: fiId } = await requireInstitution(env, reference);
        const act = { fiId, event: "institution.change", command: "fi set" } as const;
        return await changeInstitution(env, reference, changes, [noteCommandAct(env.DB, act, clock.now())]);
      });
      if (!done) fail(noSuchInstitution(reference));
      const { payments, accounts } = changes.tokenSeconds ?? {};
      const seconds = { ...(payments !== undefined && { payments }), ...(accounts !== undefined && { accounts }) };
      const set = {
        fi_reference_id: reference,
        ...(name !== undefined && { name }),
        ...(changes.tokenSeconds && { token_seconds: seconds }),
        ...(options.ledger !== undefined && { ledger: options.ledger }),
        ...(options.bankPassports !== undefined && { bank_passports: options.bankPassports }),
      };
      print(set, options, (style) =>
        [
          `${style.good("set")} ${reference}${changes.tokenSeconds ? ": tokens that are issued from now on have the new lifetime" : ""}`,
          ...(options.ledger === undefined ? [] : [`ledger ${options.ledger}: isolates do so within 60 seconds`]),
          ...(options.bankPassports === undefined ? [] : [`${BANKS[options.bankPassports]}: within 60 seconds`]),
        ].join("\n"),
      );
    });
}

const BANKS: Readonly<Record<BankPassports, string>> = {
  accept: "a bank of another EEA state is allowed what its home register allows it",
  refuse: "a bank of another EEA state is refused, unless it has a branch or a passport that is published",
};

interface Given {
  name?: string;
  paymentsTokens?: string;
  accountsTokens?: string;
  ledger?: LedgerMode;
  bankPassports?: BankPassports;
}

function readChanges({ name, paymentsTokens, accountsTokens, ledger, bankPassports }: Given): InstitutionChanges {
  const tokenSeconds = {
    ...(paymentsTokens !== undefined && { payments: readLifetime("--payments-tokens", paymentsTokens) }),
    ...(accountsTokens !== undefined && { accounts: readLifetime("--accounts-tokens", accountsTokens) }),
  };
  return {
    ...(name !== undefined && { name }),
    ...(Object.keys(tokenSeconds).length > 0 && { tokenSeconds }),
    ...(ledger !== undefined && { ledgerRequired: ledger === "required" }),
    ...(bankPassports !== undefined && { bankPassports }),
  };
}

/** Seconds; null for the deployment's. */
function readLifetime(option: string, text: string): number | null {
  if (text === "default") return null;
  const seconds = (parseDuration(text) ?? 0) / 1000;
  if (!isTokenLifetime(seconds))
    fail(`${option}: ${text} is no duration such as 1h or 180d, from 1m to 366d, and not "default"`, EXIT.usage);
  return seconds;
}
