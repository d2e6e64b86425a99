/**
 * The proof that the service vouches for an archive's manifest: its signed answer (RFC 9421) to a request for the newest
 * head, whose signature holds the manifest's SHA-256 as nonce. The nonce is chosen by who asks and is signed with the
 * answer, so no endpoint is needed that signs whatever it is sent: the statement is only that the service was asked
 * with this nonce, on behalf of this institution, by one who may read its ledger.
 *
 * The file is one exact text for one signature: else a byte of it could be altered unnoticed.
 */
import { parseDocument } from "../ledger/kept-reader.ts";
import { parseSavedExchange, type SavedExchange } from "../signatures/saved-exchange.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";
import { digest } from "./manifest.ts";

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
      /** Milliseconds since 1970. */
      readonly signedAt: number;
      /** The number of the ledger's last record at that time; null if the answer does not say. */
      readonly lastSeq: number | null;
    }
  | { readonly ok: false; readonly reason: string };

/** `now`: milliseconds since 1970. */
export async function checkSignature(
  file: Uint8Array,
  manifest: Uint8Array,
  fi: string,
  keys: readonly PublicSigningKey[],
  now: number,
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
