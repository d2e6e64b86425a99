/** Certificates and CRLs in the JSON of suites: PEM, mostly one block a string. */

import { fromBase64 } from "../../src/platform/encoding.ts";
import { type Certificate, CertificateError, parseCertificate } from "../../src/x509/certificate.ts";

const BLOCK = /-----BEGIN [A-Z0-9 ]+-----([A-Za-z0-9+/=\s]+)-----END [A-Z0-9 ]+-----/g;

/** The bytes of each block. Throws an Error when there is none. */
export function readPems(text: string): Uint8Array[] {
  const blocks = [...text.matchAll(BLOCK)].map(([, body = ""]) => fromBase64(body.replaceAll(/\s/g, "")));
  if (blocks.length === 0) throw new Error("no PEM block");
  return blocks.flatMap((bytes) => (bytes ? [bytes] : []));
}

/** Those that can be read: one that cannot is no link of any path. */
export const readReadable = (pems: readonly string[]): Certificate[] =>
  pems.flatMap(readPems).flatMap((der) => {
    try {
      return [parseCertificate(der)];
    } catch (error) {
      if (error instanceof CertificateError) return [];
      throw error;
    }
  });
