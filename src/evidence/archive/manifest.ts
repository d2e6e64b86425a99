/**
 * What an archive of a ledger says of itself: whose records it has, which part of the chain, and the SHA-256 of each of
 * its files. The service signs the manifest's own SHA-256, so nothing in an archive is unsigned.
 */
import * as z from "zod";
import type { Instant } from "../../platform/instant.ts";
import { hashBytes, hashText } from "../../platform/node-crypto.ts";
import { DAMAGE_REASONS, describeGap } from "../ledger/damage.ts";
import { parseDocument } from "../ledger/record-documents.ts";
import { parseSavedExchange, type SavedExchange } from "../signatures/saved-exchange.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";
import type { Files } from "./zip-file.ts";

export const MANIFEST = "manifest.json";
export const SIGNATURE = "manifest-signature.json";

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
export const parseManifest = (text: string): Manifest | null => manifest.safeParse(parseDocument(text)).data ?? null;

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

// The proof that the service vouches for the manifest is its signed answer (RFC 9421) to a request for the newest head, whose
// nonce is the manifest's SHA-256. So no endpoint is needed that signs whatever it is sent: the statement is only that who may
// read this institution's ledger asked with this nonce. The file is one exact text for one signature: else a byte of it could
// be altered unnoticed.

/** What is asked, and signed. */
export const SIGNED_PATH = "/v1/audit/head";
/** The header Accept-Signature that asks for it. */
export const acceptSignature = (manifest: string): string => `psp-gate=();nonce="${digest(manifest)}"`;

/** Nothing of an address but path and query is signed. */
const ORIGIN = "https://psp-gate.invalid";
const OF_THE_REQUEST = ["fi_reference_id", "version"] as const;
const OF_THE_ANSWER = ["content-type", "x-evidence-id", "content-digest", "signature-input", "signature"] as const;
/** As answer-signature.ts writes it, without any freedom. */
const INPUT =
  /^psp-gate=\("@?[a-z_-]+"(?:;req)?(?: "@?[a-z_-]+"(?:;req)?)*\);created=[1-9]\d*;keyid="\w+";tag="psp-gate";nonce="[0-9a-f]{64}"$/;
const SIGNATURE_VALUE = /^psp-gate=:([A-Za-z0-9+/]+=*):$/;

export interface SignedHeadAnswer {
  /** Of the request: `fi_reference_id`, `version`. */
  readonly sent: (name: string) => string;
  readonly answered: (name: string) => string;
  readonly status: number;
  readonly body: string;
}

/** The file's text. */
export const writeSignature = ({ sent, answered, status, body }: SignedHeadAnswer): string =>
  JSON.stringify(
    {
      request: {
        method: "GET",
        url: `${ORIGIN}${SIGNED_PATH}`,
        headers: Object.fromEntries(OF_THE_REQUEST.map((name) => [name, sent(name)])),
      },
      response: { status, headers: Object.fromEntries(OF_THE_ANSWER.map((name) => [name, answered(name)])), body },
    },
    null,
    1,
  );

export type SignatureCheck =
  | {
      readonly ok: true;
      readonly kid: string;
      readonly signedAt: Instant;
      /** The number of the ledger's last record at that time; null if the answer does not say. */
      readonly lastSeq: number | null;
    }
  | { readonly ok: false; readonly reason: string };

export async function checkSignature(
  file: Uint8Array,
  manifest: Uint8Array,
  fi: string,
  keys: readonly PublicSigningKey[],
  now: Instant,
): Promise<SignatureCheck> {
  const saved = parseSavedExchange(file);
  if (!saved.ok || !isExact(file, saved)) return { ok: false, reason: "it is not as this service writes it" };
  const { request, answer } = saved;
  // its library is loaded by this command only
  const { verifyExchange } = await import("../signatures/verify-exchange.ts");
  const verdict = await verifyExchange(saved, keys, now);
  if (!verdict.ok) return verdict;
  if (verdict.nonce !== digest(manifest))
    return { ok: false, reason: "it signs another manifest: the manifest was altered" };
  if (answer.status !== 200 || request.headers.find(({ name }) => name === "fi_reference_id")?.value !== fi)
    return { ok: false, reason: "it is the answer to another institution" };
  const { data } = Object(parseDocument(answer.content)) as { readonly data?: { readonly seq?: unknown } };
  const lastSeq = typeof data?.seq === "number" ? data.seq : null;
  return { ok: true, kid: verdict.kid, signedAt: verdict.signedAt, lastSeq };
}

function isExact(file: Uint8Array, { request, answer }: SavedExchange): boolean {
  const read = (fields: readonly { readonly name: string; readonly value: string }[]) => (name: string) =>
    fields.find((field) => field.name === name)?.value ?? "";
  const [sent, answered] = [read(request.headers), read(answer.headers)];
  const [, signature = ""] = SIGNATURE_VALUE.exec(answered("signature")) ?? [];
  if (!INPUT.test(answered("signature-input"))) return false;
  if (Buffer.from(signature, "base64").toString("base64") !== signature) return false;
  const text = writeSignature({
    sent,
    answered,
    status: answer.status,
    body: new TextDecoder().decode(answer.content),
  });
  return Buffer.from(text).equals(file);
}
