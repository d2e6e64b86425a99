/** `fi add | list | set | enable | disable | remove | link | unlink | rotate`: institutions and their credentials. */
import type { Command } from "commander";
import { clock } from "../clock.ts";
import {
  insertFinancialInstitution,
  linkCredential,
  listFinancialInstitutions,
  rotateCredential,
  setStatus,
} from "../financial-institutions.ts";
import { isTokenLifetime } from "../grants/token-lifetimes.ts";
import { hashSecret, makeSecret } from "../secrets.ts";
import { EXIT, fail } from "./fail.ts";
import { describeCredential, describeInstitutions, listInstitutions } from "./fi-list.ts";
import { removeFi } from "./fi-remove.ts";
import { unlinkCredential } from "./institution-end.ts";
import { changeInstitution, type InstitutionChanges } from "./institution-settings.ts";
import { addOutputOptions, type OutputOptions, print } from "./output.ts";
import { parseDuration, relativeTime } from "./relative-time.ts";
import { withStores } from "./stores.ts";
import { addTargetOptions, type TargetOptions, targetOf } from "./target.ts";

type Common = TargetOptions & OutputOptions;
interface OfInstitution extends Common {
  reference: string;
}
interface OfCredential extends Common {
  client: string;
}

const REFERENCE = ["--reference <reference>", "its fi_reference_id"] as const;
const CLIENT = ["--client <client id>", "as `fi list` shows it"] as const;
/** Isolates remember verified credentials (middleware/financial-institution.ts). */
const WITHIN_A_MINUTE =
  "isolates that remember its credentials forget them within 60 seconds, and it gets no token meanwhile";

export function addFiCommands(program: Command): void {
  const fi = program.command("fi").description("financial institutions and their credentials");
  const command = (name: string, description: string) =>
    addOutputOptions(addTargetOptions(fi.command(name).description(description)));

  command("add", "add an institution; prints its client id and its secret, which is not shown again")
    .requiredOption("--name <name>", "the institution's name")
    .requiredOption("--reference <reference>", "its fi_reference_id: the local NCA's reference, 6 to 128 characters")
    .option("--client <client id>", "let this existing credential speak for it (an aggregator)")
    .addHelpText("after", "\nExample:\n  fi add --name 'My Bank' --reference PSDFI-FINFSA-0001")
    .action(async (options: OfInstitution & { name: string; client?: string }) => {
      if (!/^[\x21-\x7e]{6,128}$/.test(options.reference))
        fail("--reference: 6 to 128 printable ASCII characters without blanks: it is sent as a header", EXIT.usage);
      const { credential, secretHash } = makeCredential(options.client);
      const row = {
        name: options.name,
        fiReferenceId: options.reference,
        clientId: credential.client_id,
        now: clock.now(),
      };
      await withStores(targetOf(options), async ({ env }) => {
        const existing = await listFinancialInstitutions(env.DB);
        if (existing.some((other) => other.fi_reference_id === options.reference))
          fail(`${options.reference}: an institution of this reference exists`);
        requireClient(existing, options.client);
        await insertFinancialInstitution(env.DB, { ...row, secretHash });
      });
      const added = { name: options.name, fi_reference_id: options.reference, ...credential };
      print(added, options, (style) => `${style.good("added")} ${options.name}\n${describeCredential(added, style)}`);
    });

  command("list", "list all institutions with their status, credentials and ages").action(async (options: Common) => {
    const at = clock.now();
    const institutions = await withStores(targetOf(options), ({ env }) => listInstitutions(env.DB, at));
    print(institutions, options, (style) => describeInstitutions(institutions, at, style));
  });

  command("set", "change an institution; what is left out stays as it is")
    .requiredOption(...REFERENCE)
    .option("--name <name>", "its name")
    .option(
      "--payments-tokens <duration>",
      "how long its access tokens for payments live, such as 1h; default: as the deployment says",
    )
    .option("--accounts-tokens <duration>", "the same for accounts, such as 180d")
    .addHelpText(
      "after",
      "\nExamples:\n  fi set --reference PSDFI-FINFSA-0001 --name 'My Bank plc'\n  fi set --reference PSDFI-FINFSA-0001 --accounts-tokens 90d",
    )
    .action(async (options: OfInstitution & { name?: string; paymentsTokens?: string; accountsTokens?: string }) => {
      const { reference, name } = options;
      const changes = readChanges(options);
      if (Object.keys(changes).length === 0)
        fail("nothing to set: --name, --payments-tokens, --accounts-tokens", EXIT.usage);
      const done = await withStores(targetOf(options), ({ env }) => changeInstitution(env.DB, reference, changes));
      if (!done) fail(noSuchInstitution(reference));
      const { payments, accounts } = changes.tokenSeconds ?? {};
      const seconds = { ...(payments !== undefined && { payments }), ...(accounts !== undefined && { accounts }) };
      const set = {
        fi_reference_id: reference,
        ...(name !== undefined && { name }),
        ...(changes.tokenSeconds && { token_seconds: seconds }),
      };
      print(
        set,
        options,
        (style) =>
          `${style.good("set")} ${reference}${changes.tokenSeconds ? ": tokens that are issued from now on have the new lifetime" : ""}`,
      );
    });

  for (const [name, status, description, then] of [
    ["enable", "active", "take an institution's requests again", "its requests are taken again"],
    ["disable", "disabled", "refuse an institution's requests (takes effect within a minute)", WITHIN_A_MINUTE],
  ] as const)
    command(name, description)
      .requiredOption(...REFERENCE)
      .action(async (options: OfInstitution) => {
        const { reference } = options;
        const done = await withStores(targetOf(options), ({ env }) => setStatus(env.DB, reference, status));
        if (!done) fail(noSuchInstitution(reference));
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

  command("link", "let a credential speak for an institution: an existing one, or without --client a new one")
    .requiredOption(...REFERENCE)
    .option(...CLIENT)
    .action(async (options: OfInstitution & { client?: string }) => {
      const { reference, client } = options;
      const { credential, secretHash } = makeCredential(client);
      await withStores(targetOf(options), async ({ env }) => {
        const existing = await listFinancialInstitutions(env.DB);
        const institution =
          existing.find((row) => row.fi_reference_id === reference) ?? fail(noSuchInstitution(reference));
        requireClient(existing, client);
        if (client !== undefined && institution.client_ids?.split(" ").includes(client))
          fail(`${client} speaks for ${reference} already`);
        await linkCredential(env.DB, {
          ...{ fiReferenceId: reference, secretHash },
          clientId: credential.client_id,
          now: clock.now(),
        });
      });
      const linked = { fi_reference_id: reference, ...credential };
      print(
        linked,
        options,
        (style) => `${style.good("linked")} to ${reference}\n${describeCredential(linked, style)}`,
      );
    });

  command("unlink", "end a credential's right to speak for an institution")
    .requiredOption(...REFERENCE)
    .requiredOption(...CLIENT)
    .option("--yes", "also if the credential speaks for no other institution: it is deleted then", false)
    .action(async (options: OfInstitution & OfCredential & { yes: boolean }) => {
      const link = { fiReferenceId: options.reference, clientId: options.client };
      const done = await withStores(targetOf(options), ({ env }) => unlinkCredential(env.DB, link, options.yes));
      if (!done.ok) fail(explainUnlinking(done.reason, link));
      const answer = {
        fi_reference_id: options.reference,
        client_id: options.client,
        credential_deleted: done.credentialDeleted,
      };
      const deleted = done.credentialDeleted ? ", and is deleted: it spoke for no other" : "";
      print(
        answer,
        options,
        (style) => `${style.good("unlinked")} ${options.client} speaks for ${options.reference} no more${deleted}`,
      );
    });

  command("rotate", "replace a credential's secret; prints the new one, which is not shown again")
    .requiredOption(...CLIENT)
    .option("--overlap <duration>", "how long the old secret works beside the new one, such as 24h or 30m", readOverlap)
    .addHelpText("after", "\nExample:\n  fi rotate --client fi-0sbDEnzQ1Vpr --overlap 24h")
    .action(async (options: OfCredential & { overlap?: number }) => {
      const { client, overlap } = options;
      const secret = makeSecret();
      const at = clock.now();
      const overlapUntil = overlap === undefined ? null : at + overlap;
      const times = { now: at, overlapUntil };
      const done = await withStores(targetOf(options), ({ env }) =>
        rotateCredential(env.DB, client, hashSecret(secret), times),
      );
      if (!done) fail(`${client}: no such client`);
      const until = overlapUntil === null ? null : new Date(overlapUntil).toISOString();
      const rotated = { client_id: client, client_secret: secret };
      print({ ...rotated, ...(until && { old_secret_until: until }) }, options, (style) =>
        [
          `${style.good("rotated")} ${client}`,
          describeCredential(rotated, style),
          until === null
            ? "The old secret is refused as soon as isolates forget it, within 60 seconds."
            : `The old secret works until ${until} (${relativeTime(overlapUntil, at)}).`,
        ].join("\n"),
      );
    });
}

function makeCredential(existing: string | undefined) {
  if (existing !== undefined) return { credential: { client_id: existing }, secretHash: null };
  const secret = makeSecret();
  return { credential: { client_id: `fi-${makeSecret(9)}`, client_secret: secret }, secretHash: hashSecret(secret) };
}

function requireClient(existing: readonly { client_ids: string | null }[], client: string | undefined): void {
  const clients = existing.flatMap((other) => other.client_ids?.split(" ") ?? []);
  if (client !== undefined && !clients.includes(client)) fail(`${client}: no such client`);
}

const MAX_OVERLAP_MS = 90 * 86_400_000;

function readOverlap(text: string): number {
  const overlap = parseDuration(text);
  if (overlap === null || overlap > MAX_OVERLAP_MS)
    fail(`--overlap: ${text} is no duration such as 24h, 30m or 7d, of at most 90 days`, EXIT.usage);
  return overlap;
}

function readChanges(options: { name?: string; paymentsTokens?: string; accountsTokens?: string }): InstitutionChanges {
  const { name, paymentsTokens, accountsTokens } = options;
  const tokenSeconds = {
    ...(paymentsTokens !== undefined && { payments: readLifetime("--payments-tokens", paymentsTokens) }),
    ...(accountsTokens !== undefined && { accounts: readLifetime("--accounts-tokens", accountsTokens) }),
  };
  return { ...(name !== undefined && { name }), ...(Object.keys(tokenSeconds).length > 0 && { tokenSeconds }) };
}

/** Seconds; null for the deployment's. */
function readLifetime(option: string, text: string): number | null {
  if (text === "default") return null;
  const seconds = (parseDuration(text) ?? 0) / 1000;
  if (!isTokenLifetime(seconds))
    fail(`${option}: ${text} is no duration such as 1h or 180d, from 1m to 366d, and not "default"`, EXIT.usage);
  return seconds;
}

const noSuchInstitution = (reference: string): string => `${reference}: no such institution`;

function explainUnlinking(
  reason: "not linked" | "last institution",
  { fiReferenceId, clientId }: { fiReferenceId: string; clientId: string },
): string {
  switch (reason) {
    case "not linked":
      return `${clientId} does not speak for ${fiReferenceId}`;
    case "last institution":
      return `${clientId} speaks for no other institution and would be deleted with its secret: say --yes`;
  }
}
