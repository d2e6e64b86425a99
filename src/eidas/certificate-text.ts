/**
 * Decodes how callers send certificates: base64 of either alphabet, several joined by commas, RFC 9440, PEM, PEM in
 * base64; each also percent-encoded, in quotes or with \n for line breaks. The decoded bytes are not parsed here.
 */
import { concatenate, fromBase64 } from "../platform/encoding.ts";
import { quote } from "../platform/quotation.ts";
import { Tag } from "../x509/der.ts";

/** Enough for a percent-encoded leaf with its issuers, and no more than Cloudflare accepts in headers. */
const MAX_TEXT_CHARACTERS = 64 * 1024;

export interface EidasHeaderFault {
  readonly ok: false;
  /** What was found instead, for programs. */
  readonly reason: string;
  /** A phrase to follow "the certificate is unreadable: ". Says what was found instead, and in which of several. */
  readonly message: string;
}

export interface CertificateText {
  readonly ok: true;
  readonly bytes: Uint8Array;
  /** Whether the parts were joined by commas, as values of one header that is sent several times are, too. */
  readonly joined: boolean;
}

/** What a blank was: a line break, or a `+` that a form decoder replaced. HTTP strips those at the end of a header. */
export type Blanks = "ignored" | "plus" | "plus, also at the end";

const pluses = (body: string): string => body.trim().replaceAll(" ", "+");
const RESTORE: Readonly<Record<Blanks, (body: string) => string>> = {
  ignored: (body) => body,
  plus: pluses,
  "plus, also at the end": (body) => {
    const text = pluses(body).replaceAll(/[\r\n\t]/g, "");
    return text.padEnd(4 * Math.ceil(text.length / 4), "+");
  },
};

/** As most callers send it: then there is nothing to replace or to look for. */
const PLAIN_BASE64 = /^[\w+/-]+={0,2}$/;

export function decodeCertificateText(value: string, blanks: Blanks = "ignored"): CertificateText | EidasHeaderFault {
  if (value.length > MAX_TEXT_CHARACTERS)
    return fault("too-large", `${value.length} characters; at most ${MAX_TEXT_CHARACTERS} are read`);
  const plain = PLAIN_BASE64.test(value) ? fromBase64(value) : null;
  if (plain?.[0] === Tag.sequence) return { ok: true, bytes: plain, joined: false };
  const text = value.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const read = decodeText(text, blanks);
  if (!read.ok || read.joined || read.bytes[0] === Tag.sequence) return read;
  const inner = new TextDecoder().decode(read.bytes);
  return inner.includes("-----BEGIN") ? decodeText(inner, "ignored") : read;
}

/** Of Apache, once for each variable; of Caddy, with the colons of RFC 9440 or without. */
const UNFILLED = /^\s*(?:(?:\(null\)\s*)+|:?\{[\w.]+\}:?\s*)$/;

/** HAProxy's %{+Q} writes so, also nothing. Of two quoted values neither is taken. */
const QUOTED = /^\s*"([^"]*)"\s*$/;

function decodeText(escaped: string, blanks: Blanks): CertificateText | EidasHeaderFault {
  // \n as a shell, a configuration file or JSON writes it; base64 has no backslash. An unbounded \\+ would be quadratic
  const text = escaped.replaceAll(/\\{1,2}[nr]/g, "\n").replace(QUOTED, "$1");
  if (text.trim() === "") return fault("empty", "empty");
  if (UNFILLED.test(text))
    return fault("empty", `${quote(text.trim())}, which a proxy writes when the client shows no certificate`);
  const odd = /[^\t\n\r\x20-\x7e]/u.exec(text)?.[0];
  if (odd !== undefined) return fault("non-ascii", `character ${quote(odd)}, which base64 does not have`);
  const bodies = findBodies(text);
  if (!bodies.ok) return bodies;
  const parts: Uint8Array[] = [];
  for (const body of bodies.bodies) {
    const decoded = decodeBase64(RESTORE[blanks](body));
    if (!decoded.ok) return decoded;
    parts.push(...decoded.parts);
  }
  return { ok: true, bytes: concatenate(parts), joined: bodies.joined === true };
}

function findBodies(text: string): { ok: true; bodies: readonly string[]; joined?: boolean } | EidasHeaderFault {
  if (text.includes("-----BEGIN")) return pemBodies(text);
  if (!isByteSequence(text)) return listBodies(text.split(","));
  const sequences = readByteSequences(text);
  return sequences.ok ? { ...sequences, joined: sequences.bodies.length > 1 } : fault("not-base64", sequences.message);
}

/** Traefik joins the certificates by commas. Each of several has to be DER, whose base64 begins so. */
const listBodies = (
  bodies: readonly string[],
): { ok: true; bodies: readonly string[]; joined: boolean } | EidasHeaderFault =>
  bodies.length === 1 || bodies.every((body) => /^\s*MI/.test(body))
    ? { ok: true, bodies, joined: bodies.length > 1 }
    : SEVERAL_VALUES;

/** The first line of base64 of DER or of PEM after a comma: what another sender of the header may have added. */
const OTHER_VALUE = /(?:^|,)\s*:?(?:MI|LS0t)[\w+/-]{50}/;

/** What a proxy adds without a certificate: `(null)` or nothing. Not `name=`, as in Envoy's header. */
const NO_CERTIFICATE = /,(?!\s*[\w.]+\s*=)[^,\n"]*$/;

/** Text outside of blocks is ignored (RFC 7468 section 2), unless another sender added it: of two neither is taken. */
function pemBodies(text: string): { ok: true; bodies: string[] } | EidasHeaderFault {
  const bodies: string[] = [];
  for (let offset = 0; ; ) {
    const begin = text.indexOf("-----BEGIN", offset);
    if (OTHER_VALUE.test(text.slice(offset, begin < 0 ? undefined : begin))) return SEVERAL_VALUES;
    if (begin < 0) return NO_CERTIFICATE.test(text.slice(offset)) ? SEVERAL_VALUES : { ok: true, bodies };
    if (bodies.length > 0 && text.slice(offset, begin).includes(",")) return SEVERAL_VALUES;
    const labelEnd = text.indexOf("-----", begin + 10);
    const end = labelEnd < 0 ? -1 : text.indexOf("-----END", labelEnd + 5);
    const refused = labelEnd < 0 ? null : refuseLabel(text.slice(begin + 10, labelEnd));
    if (refused) return refused;
    if (end < 0) return fault("truncated", "truncated: a PEM block without its END line");
    bodies.push(text.slice(labelEnd + 5, end));
    offset = end + 8;
  }
}

/** Messages for what callers send instead of a certificate, whether its PEM label or its DER gives it away. */
export const NOT_A_CERTIFICATE = {
  "private-key": "a private key, not a certificate: never send it, and replace it, because others may now know it",
  "public-key": "a public key, not a certificate",
  "signing-request": "a certificate signing request, not a certificate",
  "revocation-list": "a certificate revocation list, not a certificate",
} as const;

const REFUSED_LABELS: readonly (readonly [RegExp, keyof typeof NOT_A_CERTIFICATE])[] = [
  [/PRIVATEKEY$/, "private-key"],
  [/PUBLICKEY$/, "public-key"],
  [/CERTIFICATEREQUEST$/, "signing-request"],
  [/CRL$/, "revocation-list"],
];

function refuseLabel(label: string): EidasHeaderFault | null {
  // form encoding writes a blank as +, and some callers remove all blanks
  const plain = label.replaceAll(/[\s+]/g, "");
  if (plain === "CERTIFICATE" || plain === "X509CERTIFICATE") return null;
  for (const [pattern, reason] of REFUSED_LABELS)
    if (pattern.test(plain)) return fault(reason, NOT_A_CERTIFICATE[reason]);
  return fault("not-a-certificate", `a PEM block of type ${quote(label.trim())}, not a certificate`);
}

/** Padding may occur in the middle, where the base64 of several certificates was concatenated. */
function decodeBase64(body: string): { ok: true; parts: Uint8Array[] } | EidasHeaderFault {
  const text = body.replaceAll(/\s/g, "");
  const odd = /[^\w+/=-]/.exec(text)?.[0];
  if (odd === ",") return SEVERAL_VALUES;
  if (odd !== undefined) return fault("not-base64", `not base64: character ${quote(odd)}`);
  const parts: Uint8Array[] = [];
  for (const piece of text.split(/=+/)) {
    const bytes = fromBase64(piece);
    if (!bytes)
      return fault(
        "not-base64",
        `not base64, which never has ${piece.length} characters: cut short, or something was added`,
      );
    parts.push(bytes);
  }
  return { ok: true, parts };
}

export function fault(reason: string, message: string): EidasHeaderFault {
  return { ok: false, reason, message };
}

// a header that is sent twice is received as one value, joined by a comma (RFC 9110 section 5.2)
const SEVERAL_VALUES = fault("several-values", "two values joined by a comma: send it once");

type ByteSequences =
  | { readonly ok: true; readonly bodies: readonly string[] }
  | { readonly ok: false; readonly message: string };

function isByteSequence(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith(":") || trimmed.endsWith(":");
}

function readByteSequences(text: string): ByteSequences {
  const items = text.split(",").map((item) => item.trim());
  const bodies: string[] = [];
  for (const [i, item] of items.entries()) {
    const which = items.length === 1 ? "the byte sequence of RFC 9440" : `byte sequence ${i + 1} of the list`;
    const message = findFault(item, i === items.length - 1 && i > 0);
    if (message !== null) return { ok: false, message: `${which} ${message}` };
    bodies.push(item.slice(1, -1));
  }
  return { ok: true, bodies };
}

function findFault(item: string, isEnd: boolean): string | null {
  if (item === "") return isEnd ? "is missing: the list ends with a comma" : "is missing: there is nothing but a comma";
  if (!item.startsWith(":")) return "does not begin with a colon";
  const end = item.indexOf(":", 1);
  if (end < 0) return "does not end with a colon";
  if (end === 1) return "is empty";
  const rest = item.slice(end + 1).trim();
  if (rest.startsWith(":")) return "is followed by another without a comma between them";
  return rest === "" ? null : `is followed by ${quote(rest)}`;
}
