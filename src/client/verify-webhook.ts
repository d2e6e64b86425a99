/** Verifies what came to a webhook (Standard Webhooks): that the service sent it, just now, and nobody changed it. */
import type { PspEvent } from "./records.ts";
import { type FieldValues, fromBase64, readFields, toContent, VerificationError } from "./verification.ts";

/** Of `webhook-timestamp`, before and after, as Standard Webhooks has it. */
const TOLERANCE_MS = 300_000;

/**
 * The event. `body`: the bytes that came; JSON that was parsed and written again is another body. `secret`: as the operator
 * gave it, `whsec_...`. `now`: milliseconds since 1970. Throws `VerificationError`: answer it with 400 or 401, and do nothing. An event
 * may come twice, with the same `id`.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: FieldValues,
  secret: string,
  { now = Date.now() }: { readonly now?: number } = {},
): Promise<PspEvent> {
  const fields = readFields(headers);
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map(
    (name) => fields.get(`webhook-${name}`) ?? "",
  );
  if (!id || !/^\d{1,12}$/.test(timestamp ?? ""))
    throw new VerificationError("webhook-id or webhook-timestamp is missing or malformed");
  if (Math.abs(now - Number(timestamp) * 1000) > TOLERANCE_MS)
    throw new VerificationError("webhook-timestamp is more than five minutes from now");
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length < 24) throw new TypeError("the secret is not whsec_ and base64 of 24 bytes or more");
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes, hmac, false, ["verify"]);
  const content = toContent(body);
  const signed = new Uint8Array([...toContent(`${id}.${timestamp}.`), ...content]);
  // during a rotation one signature of each secret
  for (const [, value = ""] of (signatures ?? "").matchAll(/(?<![^ ,])v1,([A-Za-z0-9+/=]+)(?![^ ,])/g)) {
    const signature = fromBase64(value);
    if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed)))
      return JSON.parse(new TextDecoder().decode(content)) as PspEvent;
  }
  throw new VerificationError("no webhook-signature is that of this body by this secret");
}
