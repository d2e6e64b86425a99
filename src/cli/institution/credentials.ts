/** `fi link | unlink | rotate`: credentials, and the institutions that they speak for. */

import { noteCommandAct } from "../../evidence/ledger/command-acts.ts";
import { OVERLAP_FORM, readOverlap, rotateSecret } from "../../institutions/credential-rotation.ts";
import { linkCredential, listFinancialInstitutions } from "../../institutions/financial-institutions.ts";
import { clock, relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { hashSecret, makeSecret } from "../../platform/secrets.ts";
import { EXIT, fail } from "../fail.ts";
import { print } from "../output.ts";
import { withStores } from "../stores.ts";
import { type MakeCommand, targetOf } from "../target.ts";
import { unlinkCredential } from "./changes.ts";
import {
  CLIENT,
  describeCredential,
  noSuchInstitution,
  type OfCredential,
  type OfInstitution,
  REFERENCE,
  requireInstitution,
} from "./options.ts";

export function addFiCredentialCommands(command: MakeCommand): void {
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
        const [now, clientId] = [clock.now(), credential.client_id];
        const notes = [noteCommandAct(env.DB, changeOf("fi link", institution.id, clientId), now)];
        await linkCredential(env.DB, { ...{ fiReferenceId: reference, secretHash }, clientId, now }, notes);
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
      const done = await withStores(targetOf(options), async ({ env }) => {
        const { id } = await requireInstitution(env, options.reference);
        const note = noteCommandAct(env.DB, changeOf("fi unlink", id, options.client), clock.now());
        return await unlinkCredential(env.DB, link, options.yes, [note]);
      });
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
    .option("--overlap <duration>", "how long the old secret works beside the new one, such as 24h or 30m", overlapOf)
    .option("--yes", "also while the last rotation overlaps: the secret before that one ends at once", false)
    .addHelpText("after", "\nExample:\n  fi rotate --client fi-0sbDEnzQ1Vpr --overlap 24h")
    .action(async (options: OfCredential & { overlap?: number; yes: boolean }) => {
      const { client, overlap, yes } = options;
      const at = clock.now();
      const times = { now: at, overlap: overlap ?? null };
      const done = await withStores(targetOf(options), async ({ env }) => {
        if (overlap !== undefined && !yes) await refuseDuringOverlap(env.DB, client, at);
        const institutions = await listFinancialInstitutions(env.DB);
        const notes = institutions
          .filter(({ client_ids }) => client_ids?.split(" ").includes(client))
          .map(({ id: fiId }) => ({ fiId, event: "credential.rotation", command: "fi rotate", about: client }) as const)
          .map((act) => noteCommandAct(env.DB, act, at));
        return await rotateSecret(env.DB, client, { ...times, notes });
      });
      const { secret, oldSecretUntil } = done ?? fail(`${client}: no such client`);
      const until = oldSecretUntil === null ? null : new Date(oldSecretUntil).toISOString();
      const rotated = { client_id: client, client_secret: secret };
      print({ ...rotated, ...(until && { old_secret_until: until }) }, options, (style) =>
        [
          `${style.good("rotated")} ${client}`,
          describeCredential(rotated, style),
          until === null
            ? "The old secret is refused as soon as isolates forget it, within 60 seconds."
            : `The old secret works until ${until} (${relativeTime(oldSecretUntil, at)}).`,
        ].join("\n"),
      );
    });
}

const changeOf = (command: string, fiId: number, client: string) =>
  ({ fiId, event: "institution.change", command, about: client }) as const;

const FIND_OVERLAP = "SELECT old_secret_until FROM credentials WHERE client_id = ?1 AND old_secret_until > ?2";

/**
 * A credential has two secrets. One that was made since the bank got its own, perhaps by this command, whose answer was lost,
 * would be the old one that goes on, and that of the bank would end at once.
 */
async function refuseDuringOverlap(db: D1Database, client: string, now: Instant): Promise<void> {
  const until = await db.prepare(FIND_OVERLAP).bind(client, now).first<number>("old_secret_until");
  if (until !== null)
    fail(
      `nothing was changed: the last rotation of ${client} overlaps until ${new Date(until).toISOString()}, and the secret before it would end now. If nobody uses that one any more, say --yes`,
    );
}

/** A new credential, or the existing one without its secret. */
export function makeCredential(existing: string | undefined) {
  if (existing !== undefined) return { credential: { client_id: existing }, secretHash: null };
  const secret = makeSecret();
  return { credential: { client_id: `fi-${makeSecret(9)}`, client_secret: secret }, secretHash: hashSecret(secret) };
}

/** Fails if no institution has the client. */
export function requireClient(existing: readonly { client_ids: string | null }[], client: string | undefined): void {
  const clients = existing.flatMap((other) => other.client_ids?.split(" ") ?? []);
  if (client !== undefined && !clients.includes(client)) fail(`${client}: no such client`);
}

const overlapOf = (text: string): number =>
  readOverlap(text) ?? fail(`--overlap: ${text} is not ${OVERLAP_FORM}`, EXIT.usage);

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
