/** GeneralName (RFC 5280 section 4.2.1.6), and whether the base of a name constraint covers it (section 4.2.1.10). */
import { children, type Der, DerError, readDer } from "./der.ts";
import { readLatin1 } from "./der-values.ts";
import { type Name, normaliseRdn, readName } from "./name.ts";

export type AlternativeName =
  | { readonly form: "email" | "dns" | "uri"; readonly text: string }
  | { readonly form: "ip"; readonly bytes: Uint8Array }
  | { readonly form: "directory"; readonly name: Name }
  | { readonly form: "other" | "x400" | "edi-party" | "registered-id" };

const FORMS: readonly AlternativeName["form"][] = [
  "other",
  "email",
  "dns",
  "x400",
  "directory",
  "edi-party",
  "uri",
  "ip",
  "registered-id",
];

/** Throws DerError if the structure is wrong. The text is not checked to be a valid host, mailbox or URI. */
export function readAlternativeName(der: Der, what: string): AlternativeName {
  const form = (der.tag & 0xc0) === 0x80 ? FORMS[der.tag & 0x1f] : undefined;
  switch (form) {
    case "email":
    case "dns":
    case "uri":
      return { form, text: readAscii(der.content, what) };
    case "ip":
      return { form, bytes: der.content };
    case "directory":
      // Name is a CHOICE, so its tag is explicit.
      return { form, name: readName(readDer(der.content, what), what) };
    case undefined:
      throw new DerError(`${what}: not a general name`);
    default:
      return { form };
  }
}

export function readAlternativeNames(der: Der, what: string): AlternativeName[] {
  const names = children(der, what).map((name) => readAlternativeName(name, what));
  if (names.length === 0) throw new DerError(`${what}: no names`);
  return names;
}

/** False when the base is malformed. A constraint that cannot be read must not be ignored. */
export function isConstraintBase(base: AlternativeName): boolean {
  switch (base.form) {
    case "dns":
      return base.text === "" || isHostName(base.text);
    case "uri":
      return base.text === "" || isHostName(base.text.replace(/^\./, ""));
    case "email": {
      const mailbox = splitMailbox(base.text);
      return (
        base.text === "" || (mailbox !== null && isHostName(mailbox.host)) || isHostName(base.text.replace(/^\./, ""))
      );
    }
    case "ip":
      return isAddressRange(base.bytes);
    default:
      return true;
  }
}

/** Null when not comparable. A permitted subtree must contain every host of a wildcard, an excluded one any of them. */
export function covers(base: AlternativeName, name: AlternativeName, side: "permitted" | "excluded"): boolean | null {
  if (base.form === "dns" && name.form === "dns") return coversHost(base.text, name.text, side);
  if (base.form === "email" && name.form === "email") return coversMailbox(base.text, name.text);
  if (base.form === "uri" && name.form === "uri") return coversUri(base.text, name.text);
  if (base.form === "ip" && name.form === "ip") return coversAddress(base.bytes, name.bytes);
  if (base.form === "directory" && name.form === "directory") return coversDirectory(base.name, name.name);
  return null;
}

/** The base is a mailbox, a host (all its mailboxes), or a domain with a leading dot (all hosts below it). */
function coversMailbox(base: string, text: string): boolean | null {
  const mailbox = splitMailbox(text);
  if (!mailbox || !isHostName(mailbox.host)) return null;
  if (base === "") return true;
  const wanted = splitMailbox(base);
  // RFC 5321 section 2.4: only the host is case-insensitive
  if (wanted) return wanted.local === mailbox.local && wanted.host.toLowerCase() === mailbox.host.toLowerCase();
  return coversExactHost(base, mailbox.host);
}

/** RFC 5280 section 4.2.1.10: a URI with no host, or with an IP address, is neither inside nor outside a subtree. */
function coversUri(base: string, text: string): boolean | null {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:@[\]]+)(?::\d*)?(?:[/?#]|$)/i.exec(text)?.[1];
  if (!host || !isHostName(host) || /(^|\.)\d+$/.test(host)) return null;
  return base === "" || coversExactHost(base, host);
}

const coversExactHost = (base: string, host: string): boolean =>
  base.startsWith(".") ? host.toLowerCase().endsWith(base.toLowerCase()) : host.toLowerCase() === base.toLowerCase();

function coversAddress(range: Uint8Array, address: Uint8Array): boolean | null {
  if (address.length !== 4 && address.length !== 16) return null;
  if (range.length !== 2 * address.length) return false;
  return address.every((byte, i) => ((byte ^ (range[i] ?? 0)) & (range[address.length + i] ?? 0)) === 0);
}

const coversDirectory = (base: Name, name: Name): boolean =>
  base.rdns.length <= name.rdns.length &&
  base.rdns.every((rdn, i) => normaliseRdn(rdn) === normaliseRdn(name.rdns[i] ?? []));

/** An address followed by a mask of the same length; the mask must be a prefix (RFC 4632). */
function isAddressRange(bytes: Uint8Array): boolean {
  if (bytes.length !== 8 && bytes.length !== 32) return false;
  const mask = Array.from(bytes.subarray(bytes.length / 2), (byte) => byte.toString(2).padStart(8, "0")).join("");
  return /^1*0*$/.test(mask);
}

/** Quoted local parts are refused: none occur in practice, and an @ inside one would make the name ambiguous. */
function splitMailbox(text: string): { local: string; host: string } | null {
  const mailbox = /^([^@"\s]+)@([^@]+)$/.exec(text);
  if (!mailbox) return null;
  const [, local = "", host = ""] = mailbox;
  return { local, host };
}

function readAscii(bytes: Uint8Array, what: string): string {
  for (const byte of bytes) if (byte > 0x7f) throw new DerError(`${what}: not an IA5String`);
  return readLatin1(bytes);
}

/** Underscores occur in practice, although RFC 1034's preferred syntax excludes them. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const STRICT_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const MAX_NAME_BYTES = 253;

/** Whether `text` is labels separated by dots, without a wildcard. */
export const isHostName = (text: string): boolean => isLabels(text, LABEL);

/** The "preferred name syntax" of RFC 5280 section 4.2.1.6: no underscore, no last label of digits only. */
export function isPreferredHostName(text: string): boolean {
  const host = text.startsWith("*.") ? text.slice(2) : text;
  return isLabels(host, STRICT_LABEL) && !/(^|\.)\d+$/.test(host);
}

const isLabels = (text: string, label: RegExp): boolean =>
  text.length <= MAX_NAME_BYTES && text.split(".").every((each) => label.test(each));

/** Null for what is no host name. A wildcard is permitted only if all its hosts are, and excluded if one is. */
export function coversHost(base: string, name: string, side: "permitted" | "excluded"): boolean | null {
  const wildcard = name.startsWith("*.");
  const host = (wildcard ? name.slice(2) : name).toLowerCase();
  if (!isHostName(host)) return null;
  const root = base.toLowerCase();
  if (root === "" || host === root || host.endsWith(`.${root}`)) return true;
  return wildcard && side === "excluded" && root.slice(root.indexOf(".") + 1) === host;
}
