/** `fi add | list | disable | rotate`: financial institutions and their credentials. */
import type { Command } from "commander";
import { clock } from "../clock.ts";
import {
  disableFinancialInstitution,
  insertFinancialInstitution,
  listFinancialInstitutions,
  rotateCredential,
} from "../financial-institutions.ts";
import { hashSecret, makeSecret } from "../secrets.ts";
import { fail } from "./fail.ts";
import { withStores } from "./stores.ts";

interface Remote {
  remote: boolean;
}

export function addFiCommands(program: Command): void {
  const fi = program.command("fi").description("financial institutions and their credentials");

  fi.command("add")
    .description("add an institution; prints its client id and its secret, which is not shown again")
    .requiredOption("--name <name>", "the institution's name")
    .requiredOption("--reference <reference>", "its fi_reference_id: the local NCA's reference, 6 to 128 characters")
    .option("--client <client id>", "let this existing credential speak for it (an aggregator)")
    .option("--remote", "on the deployed service", false)
    .action(async (options: Remote & { name: string; reference: string; client?: string }) => {
      if (!/^[\x21-\x7e]{6,128}$/.test(options.reference))
        fail("--reference: 6 to 128 printable ASCII characters without blanks: it is sent as a header");
      const clientId = options.client ?? `fi-${makeSecret(9)}`;
      const secret = makeSecret();
      const row = { name: options.name, fiReferenceId: options.reference, clientId, now: clock.now() };
      const secretHash = options.client === undefined ? hashSecret(secret) : null;
      await withStores(options, async ({ env }) => {
        const existing = await listFinancialInstitutions(env.DB);
        if (existing.some((other) => other.fi_reference_id === options.reference))
          fail(`${options.reference}: an institution of this reference exists`);
        const clients = existing.flatMap((other) => other.client_ids?.split(" ") ?? []);
        if (options.client !== undefined && !clients.includes(options.client))
          fail(`${options.client}: no such client`);
        await insertFinancialInstitution(env.DB, { ...row, secretHash });
      });
      const credential = secretHash === null ? { client_id: clientId } : { client_id: clientId, client_secret: secret };
      print({ name: options.name, fi_reference_id: options.reference, ...credential });
    });

  fi.command("list")
    .description("list all institutions with their status and client ids")
    .option("--remote", "on the deployed service", false)
    .action(async (options: Remote) => {
      const rows = await withStores(options, ({ env }) => listFinancialInstitutions(env.DB));
      print(
        rows.map(({ name, fi_reference_id, status, client_ids, created_at }) => ({
          name,
          fi_reference_id,
          status,
          client_ids: client_ids?.split(" ") ?? [],
          created_at: new Date(created_at).toISOString(),
        })),
      );
    });

  fi.command("disable")
    .description("refuse an institution's requests (takes effect within a minute)")
    .requiredOption("--reference <reference>", "its fi_reference_id")
    .option("--remote", "on the deployed service", false)
    .action(async (options: Remote & { reference: string }) => {
      const done = await withStores(options, ({ env }) => disableFinancialInstitution(env.DB, options.reference));
      if (!done) fail(`${options.reference}: no such institution`);
      print({ fi_reference_id: options.reference, status: "disabled" });
    });

  fi.command("rotate")
    .description("replace a credential's secret; prints the new one, which is not shown again")
    .requiredOption("--client <client id>", "as `fi list` shows it")
    .option("--remote", "on the deployed service", false)
    .action(async (options: Remote & { client: string }) => {
      const secret = makeSecret();
      const done = await withStores(options, ({ env }) => rotateCredential(env.DB, options.client, hashSecret(secret)));
      if (!done) fail(`${options.client}: no such client`);
      print({ client_id: options.client, client_secret: secret });
    });
}

const print = (value: unknown) => console.log(JSON.stringify(value, null, 2));
