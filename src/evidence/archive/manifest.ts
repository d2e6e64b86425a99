/**
 * What an archive of a ledger says of itself: whose records it has, which part of the chain, and the SHA-256 of each of
 * its files. The service signs the manifest's own SHA-256 (manifest-signature.ts), so nothing in an archive is unsigned.
 */
import * as z from "zod";
import { hashBytes, hashText } from "../../platform/node-crypto.ts";
import { DAMAGE_REASONS, describeGap } from "../ledger/damage.ts";
import type { Files } from "./zip-file.ts";

export const MANIFEST = "manifest.json";
export const SIGNATURE = "manifest-signature.json";
export const README = "README.txt";
export const RECORDS = "records.jsonl";
export const HEADS = "heads.jsonl";
export const KEYS = "keys.json";
export const DOCUMENTS = "documents/";

/**
 * Milliseconds by which a record may reach its ledger after its time: a request takes 20 seconds at most, and what waits in an
 * isolate goes within 30. So whoever makes an archive can choose to begin or end it beside a record that came late.
 */
export const LATE_MS = 60_000;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const seq = z.int().min(1);
const instant = z.iso.datetime();

/** Instants are ISO 8601 in UTC. */
const manifest = z.strictObject({
  form: z.literal(1),
  /** `fi_reference_id`. */
  fi: z.string(),
  /** The release of the service that made it. */
  release: z.string(),
  made_at: instant,
  /**
   * Records from this instant on, and before that one, were asked for; the archive begins with the record before them and
   * {@link LATE_MS}, and goes on to the first head signed so much after them.
   */
  from: instant,
  to: instant,
  /** The first record, and the hash of the one before it. */
  first: z.strictObject({ seq, prev: sha256 }),
  /** The last record, and its own hash. */
  last: z.strictObject({ seq, hash: sha256 }),
  /**
   * Absent unless records are: what the service could not give out of the time that was asked for, in their order. `unsigned`: they
   * were left out because no signed head covers them, up to what is damaged after them.
   */
  missing: z
    .array(
      z.strictObject({
        first_seq: seq,
        last_seq: seq,
        ...{ from: instant, to: instant },
        reason: z.enum([...DAMAGE_REASONS, "unsigned"]),
      }),
    )
    .min(1)
    .optional(),
  /** SHA-256 of each file but the manifest and its signature, by name. */
  files: z.record(z.string(), sha256),
});
export type Manifest = Readonly<z.infer<typeof manifest>>;
export type MissingRecords = NonNullable<Manifest["missing"]>[number];

export const describeMissing = ({ reason, ...gap }: MissingRecords): string =>
  reason === "unsigned"
    ? `records ${gap.first_seq} to ${gap.last_seq}, of ${gap.from} to ${gap.to}, are left out: no signed head covers them up to the damaged ones`
    : describeGap({ ...gap, reason });

export const digest = (content: Uint8Array | string): string =>
  typeof content === "string" ? hashText("sha256", content) : hashBytes("sha256", content);

/** The manifest's text, which is what the service signs. */
export function writeManifest(about: Omit<Manifest, "form" | "files">, files: Files): string {
  const digests = Object.fromEntries([...files].map(([name, content]) => [name, digest(content)]));
  return JSON.stringify({ form: 1, ...about, files: digests } satisfies Manifest, null, 1);
}

/** Null if the text is no manifest. */
export function parseManifest(text: string): Manifest | null {
  try {
    return manifest.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The first file that is not as the manifest says, in a sentence; null if all are, and there is no other. */
export function findAlteredFile({ files: listed }: Manifest, files: Files): string | null {
  for (const [name, sha256] of Object.entries(listed)) {
    const content = files.get(name);
    if (!content) return `${name} is missing`;
    if (digest(content) !== sha256) return `${name} was altered: its SHA-256 is not the one in ${MANIFEST}`;
  }
  const known = new Set([...Object.keys(listed), MANIFEST, SIGNATURE]);
  const added = [...files.keys()].find((name) => !known.has(name));
  return added === undefined ? null : `${added} is not listed in ${MANIFEST}: it was added`;
}
