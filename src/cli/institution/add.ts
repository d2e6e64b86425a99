/** `fi add`. Whatever failed, the same once more goes on, or says how to get a secret. */

import { rotateSecret } from "../../institutions/credential-rotation.ts";
import { bindingOf } from "../../institutions/databases.ts";
import { listFinancialInstitutions } from "../../institutions/financial-institutions.ts";
import {
  addInstitution,
  findInstitutionStatus,
  setInstitutionStatus,
} from "../../institutions/institution-placement.ts";
import { clock } from "../../platform/clock.ts";
import { StoreError } from "../../platform/stores.ts";
import { findLeastLoaded, readDatabases } from "../database/database.ts";
import { EXIT, fail } from "../fail.ts";
import { print } from "../output.ts";
import { withStores } from "../stores.ts";
import { type MakeCommand, targetOf } from "../target.ts";
import { makeCredential, requireClient } from "./credentials.ts";
import { describeCredential, LEDGER, type LedgerMode, NAME, type OfInstitution } from "./options.ts";

interface Options extends OfInstitution {
  name: string;
  client?: string;
  database?: number;
  ledger?: LedgerMode;
}

const numberOf = (text: string): number =>
  /^[1-9]\d{0,2}$/.test(text) ? Number(text) : fail(`--database: ${text} is not a number such as 2`, EXIT.usage);

export function addFiAddCommand(command: MakeCommand): void {
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
    .action(async (options: Options) => {
      if (!/^[\x21-\x7e]{6,128}$/.test(options.reference))
        fail("--reference: 6 to 128 printable ASCII characters without blanks: it is sent as a header", EXIT.usage);
      const { database, credential } = await withStores(targetOf(options), ({ env }) => add(env, options));
      const added = {
        ...{ name: options.name, fi_reference_id: options.reference, ...credential },
        ...(database.total > 1 && { database: database.number }),
        ...(options.ledger !== undefined && { ledger: options.ledger }),
      };
      const place = database.total > 1 ? ` in ${bindingOf(database.number)}` : "";
      print(
        added,
        options,
        (style) => `${style.good("added")} ${options.name}${place}\n${describeCredential(added, style)}`,
      );
    });
}

async function add(env: Env, options: Options) {
  const { reference, name, client } = options;
  const existing = await listFinancialInstitutions(env.DB);
  const other = existing.find((row) => row.fi_reference_id === reference);
  requireClient(existing, client);
  const databases = await readDatabases(env, clock.now());
  if (other) {
    const credential = await finish(env, other, options);
    return { database: { number: other.database, total: databases.length }, credential };
  }
  const database = options.database ?? findLeastLoaded(databases);
  if (!databases.some(({ number }) => number === database))
    fail(`--database: there is no ${bindingOf(database)}, only ${databases.map(({ binding }) => binding).join(", ")}`);
  const { credential, secretHash } = makeCredential(client);
  const fi = { name, fiReferenceId: reference, clientId: credential.client_id, now: clock.now(), secretHash, database };
  try {
    await addInstitution(env, { ...fi, ledgerRequired: options.ledger === "required" });
  } catch (error) {
    await completeUnanswered(env, fi, error);
  }
  return { database: { number: database, total: databases.length }, credential };
}

type Row = Awaited<ReturnType<typeof listFinancialInstitutions>>[number];

/** What is there and was never enabled is of a `fi add` that failed, whose secret nobody has. Returns a new one. */
async function finish(env: Env, other: Row, { reference, name, client }: Options) {
  const clients = other.client_ids?.split(" ") ?? [];
  const [known = ""] = clients;
  const found = await findInstitutionStatus(env, reference);
  const isUnfinished = found?.status === "disabled" && found.status_version === 0;
  if (!isUnfinished || other.name !== name || clients.length > 1 || (client !== undefined && client !== known))
    fail(
      `${reference}: an institution of this reference exists${known === "" ? "" : `. If nobody has its secret: fi rotate --client ${known}`}`,
    );
  const rotated = client === undefined ? await rotateSecret(env.DB, known, { now: clock.now(), overlap: null }) : null;
  await setInstitutionStatus(env, reference, "active");
  return { client_id: known, ...(rotated && { client_secret: rotated.secret }) };
}

/** A call may have been carried out and its answer lost. Throws the error if it was not. */
async function completeUnanswered(
  env: Env,
  { fiReferenceId, clientId }: { readonly fiReferenceId: string; readonly clientId: string },
  error: unknown,
): Promise<void> {
  if (!(error instanceof StoreError)) throw error;
  const rows = await listFinancialInstitutions(env.DB).catch(() =>
    fail(`it is not known whether ${fiReferenceId} was added (${error.message}): run it again`, EXIT.unknown),
  );
  const row = rows.find((one) => one.fi_reference_id === fiReferenceId);
  if (!row?.client_ids?.split(" ").includes(clientId)) throw error;
  if (row.status === "disabled")
    await setInstitutionStatus(env, fiReferenceId, "active").catch(() => Promise.reject(error));
}
