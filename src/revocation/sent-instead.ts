/** What a revocation server sent in place of its answer: a misconfigured one sends PEM, a web page, or another file. */
import { quoteAlways } from "../platform/quotation.ts";
import { DerError, readDerAt } from "../x509/der.ts";
import { type DerKind, recogniseDer } from "../x509/der-kind.ts";

const EXPECTED = {
  CRL: { kind: "revocation-list", whole: "a CRL in DER (RFC 5280 section 4.2.1.13)" },
  OCSP: { kind: "ocsp-response", whole: "an OCSP response in DER (RFC 6960 appendix A)" },
} as const satisfies Record<string, { readonly kind: DerKind; readonly whole: string }>;

const KINDS: Readonly<Record<Exclude<DerKind, "unknown">, string>> = {
  certificate: "a certificate",
  "private-key": "a private key",
  "public-key": "a public key",
  "signing-request": "a certificate signing request",
  "revocation-list": "a CRL",
  "ocsp-response": "an OCSP response",
  "signed-data": "a CMS (PKCS#7) container",
  "key-store": "a PKCS#12 key store",
};

/** `problem`: why it cannot be read, of the reader. Never throws. */
export function explainUnreadable(bytes: Uint8Array, expected: keyof typeof EXPECTED, problem: string): string {
  const { kind, whole } = EXPECTED[expected];
  const sent = bytes.length === 0 ? "empty" : (nameText(bytes) ?? nameDer(bytes, kind));
  return `it cannot be read${sent === null ? ` (${problem})` : `: it is ${sent} instead of ${whole}`}`;
}

/** As much as tells what it is. */
const BEGINNING = 1_024;

function nameText(bytes: Uint8Array): string | null {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, BEGINNING)).replace(/^ï»¿/, "").trimStart();
  const [, label] = /^-----BEGIN ([^-\r\n]{1,40})-----/.exec(text) ?? [];
  if (label !== undefined) return `PEM (${quoteAlways(label)})`;
  if (/^<(?:!doctype html|html|head|body)\b/i.test(text)) return "a web page (HTML)";
  if (text.startsWith("<")) return "XML or HTML";
  if (/^[A-Za-z0-9+/=\s]{64,}$/.test(text)) return "base64";
  return /^[\t\r\n -~]*$/.test(text) ? `text (${quoteAlways(text, 40)})` : null;
}

/** Null if it is of the kind that was expected: what is wrong in it says more. */
function nameDer(bytes: Uint8Array, expected: DerKind): string | null {
  try {
    const kind = recogniseDer(readDerAt(bytes, 0, ""));
    return kind === expected || kind === "unknown" ? null : KINDS[kind];
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}
