/** Signatures over the same few bytes, and whether they verify; both runtimes judge each (make-signature-vectors.ts). */
import { Buffer } from "node:buffer";
import { type PublicKey, readAlgorithm } from "../../../src/x509/certificate.ts";
import { children, readDer } from "../../../src/x509/der.ts";
import { readBitString } from "../../../src/x509/der-values.ts";
import type { SignatureInput } from "../../../src/x509/signature.ts";
import vectors from "./signature-vectors.json" with { type: "json" };

/** Base64 of DER. */
export interface SignatureVector {
  title: string;
  valid: boolean;
  spki: string;
  algorithm: string;
  signature: string;
}

export const signatureVectors: SignatureVector[] = vectors;

const fromText = (text: string) => new Uint8Array(Buffer.from(text, "base64"));

export function readPublicKey(spki: Uint8Array): PublicKey {
  const [algorithm, bits] = children(readDer(spki, "spki"), "spki");
  return { algorithm: readAlgorithm(algorithm, "algorithm"), bits: readBitString(bits, "bits").bytes, spki };
}

export const toInput = ({ spki, algorithm, signature }: SignatureVector): SignatureInput => ({
  algorithm: readAlgorithm(readDer(fromText(algorithm), "algorithm"), "algorithm"),
  publicKey: readPublicKey(fromText(spki)),
  data: new TextEncoder().encode("what was signed"),
  signature: fromText(signature),
});
