/** Reads the header Accept-Signature (RFC 9421 section 5.1): how the caller wants the answer to be signed. */
import type { SignatureComponent } from "http-message-sig";
import { isInnerList, parseDictionary } from "structured-headers";

export interface SignatureRequest {
  readonly label: string;
  /** Covered in addition to what is always covered. */
  readonly components: readonly SignatureComponent[];
  /** Comes back in the signature, so that the caller knows that it was made for this request. */
  readonly nonce: string | undefined;
}

export const SIGNATURE_TAG = "psp-gate";
const MAX_NONCE_CHARACTERS = 128;
const MAX_COMPONENTS = 32;

/** What is given to a caller who names nothing that can be done. Its own parameters say what was signed, and how. */
const PLAIN: SignatureRequest = { label: SIGNATURE_TAG, components: [], nonce: undefined };

/** Of several members the first that this service can satisfy. A header that cannot be read asks for no more than a signature. */
export function readAcceptSignature(header: string): SignatureRequest {
  let members: ReturnType<typeof parseDictionary>;
  try {
    members = parseDictionary(header);
  } catch {
    return PLAIN;
  }
  for (const [label, member] of members) {
    if (!isInnerList(member)) continue;
    const [items, parameters] = member;
    const [alg, tag, nonce] = ["alg", "tag", "nonce"].map((name) => parameters.get(name));
    if ((alg ?? "ed25519") !== "ed25519" || (tag ?? SIGNATURE_TAG) !== SIGNATURE_TAG) continue;
    const components = items.slice(0, MAX_COMPONENTS).flatMap(([name, named]) => {
      if (typeof name !== "string") return [];
      return [{ name, parameters: Object.fromEntries(named) as Record<string, string | boolean> }];
    });
    const isNonce = typeof nonce === "string" && nonce.length <= MAX_NONCE_CHARACTERS;
    return { label, components, nonce: isNonce ? nonce : undefined };
  }
  return PLAIN;
}
