/**
 * A file, or what was pasted: the forms that the `eidas` header takes, and DER and PKCS#7 containers. Names which
 * certificates are a PSP's own and which are issuers. Pure.
 */
import { decodeCertificateText } from "../../eidas/certificate-text.ts";
import { parseEidasHeader } from "../../eidas/eidas-header.ts";
import { toBase64 } from "../../platform/encoding.ts";
import type { Certificate } from "../../x509/certificate.ts";
import { readSignedCertificates } from "../../x509/certificate-bag.ts";
import { isCa } from "../../x509/chain-order.ts";
import { DerError, readDerAt, Tag } from "../../x509/der.ts";
import { recogniseDer } from "../../x509/der-kind.ts";
import { sameName } from "../../x509/name.ts";

export type CertificateFile =
  | { readonly ok: true; readonly own: readonly Certificate[]; readonly issuers: readonly Certificate[] }
  /** `message`: a phrase to follow "the file is unreadable: ". */
  | { readonly ok: false; readonly message: string };

/** RFC 7468 section 8 and its note: labels of the same container. */
const CONTAINER_LABEL = /-----(BEGIN|END) (?:PKCS7|PKCS #7 SIGNED DATA|CMS)-----/g;

/** Reads the certificates of a file. Does not throw, whatever the bytes. */
export function readCertificateFile(bytes: Uint8Array): CertificateFile {
  if (bytes.length === 0) return { ok: false, message: "empty" };
  const unpacked = unpack(toText(bytes));
  if (!unpacked.ok) return unpacked;
  const read = parseEidasHeader(unpacked.text);
  if (!read.ok) return read;
  const all = [read.leaf, ...read.issuers];
  const own = all.filter((each) => !isCa(each));
  return { ok: true, own, issuers: all.filter(isCa) };
}

/** DER as base64; any other file is text in a form of its own. */
function toText(bytes: Uint8Array): string {
  if (bytes[0] === Tag.sequence) return toBase64(bytes);
  // a byte order mark, with which some editors begin a file
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return new TextDecoder("latin1")
    .decode(bytes.subarray(start))
    .replaceAll(CONTAINER_LABEL, "-----$1 CERTIFICATE-----");
}

/** The certificates of a container as base64, one after another; any other text as it is. */
function unpack(text: string): { ok: true; text: string } | { ok: false; message: string } {
  const decoded = decodeCertificateText(text);
  if (!decoded.ok) return { ok: true, text };
  try {
    if (recogniseDer(readDerAt(decoded.bytes, 0, "")) !== "signed-data") return { ok: true, text };
    const certificates = readSignedCertificates(decoded.bytes);
    if (certificates.length === 0) return { ok: false, message: "a PKCS#7 container without certificates" };
    return { ok: true, text: certificates.map(toBase64).join("=") };
  } catch (error) {
    if (!(error instanceof DerError)) throw error;
    // what is no container is explained by the reader of certificates
    return /^PKCS#7/.test(error.message)
      ? { ok: false, message: `a PKCS#7 container that is not strict DER (${error.message})` }
      : { ok: true, text };
  }
}

/** As many issuers as a header with the PSP's certificate may have. */
const MAX_ISSUERS = 9;

/** Those of `issuers` that may lead from the certificate to a trusted list, nearest first: by their names only. */
export function findIssuers(leaf: Certificate, issuers: readonly Certificate[]): Certificate[] {
  const collected: Certificate[] = [];
  for (let children = [leaf]; children.length > 0; ) {
    const names = children.map(({ issuer }) => issuer);
    children = issuers.filter(
      (each) => !collected.includes(each) && names.some((name) => sameName(name, each.subject)),
    );
    collected.push(...children);
  }
  return collected.slice(0, MAX_ISSUERS);
}
