/**
 * Validation of redirect URIs (RFC 6749 section 3.1.2): https with a host that is not a loopback address. Those of native
 * apps (RFC 8252), http on a loopback address and private-use schemes, are accepted only if the operator allows them. URIs
 * are compared and returned exactly as given, so everything that a URL parser would silently repair is rejected.
 */
import { quote } from "../platform/quotation.ts";

export interface NativeRedirects {
  /** RFC 8252 section 7.3. */
  readonly loopback: boolean;
  /** RFC 8252 section 7.1. */
  readonly privateUse: boolean;
}

/** Reads the variable NATIVE_REDIRECTS: "loopback", "private-use", both, or neither. Other words are ignored. */
export function readNativeRedirects(words: string): NativeRedirects {
  const allowed = words.split(/[\s,]+/);
  return { loopback: allowed.includes("loopback"), privateUse: allowed.includes("private-use") };
}

/** Accepts everything that any configuration accepts. */
export const ANY_NATIVE: NativeRedirects = { loopback: true, privateUse: true };

/** This service adds these parameters, and none may occur twice (RFC 6749 section 3.1). */
const OUR_PARAMETERS = ["code", "state", "error", "error_description"];

/** The fault of a redirect URI, as a phrase that follows the parameter's name; null if it is valid. Never throws. */
export function findRedirectUriFault(text: string, native: NativeRedirects): string | null {
  if (text.includes("#")) return "has a fragment";
  if (/^\s/.test(text)) return "begins with whitespace";
  if (/\s$/.test(text)) return "ends with whitespace";
  const fault = findSchemeFault(text, native) ?? findCharacterFault(text) ?? findAuthorityFault(text, native);
  if (fault !== null) return fault;
  const { searchParams } = new URL(text);
  const repeated = OUR_PARAMETERS.find((name) => searchParams.has(name));
  return repeated === undefined ? null : `already has the parameter ${repeated}, which this service adds`;
}

function findSchemeFault(text: string, native: NativeRedirects): string | null {
  const [, scheme, rest = ""] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text) ?? [];
  if (scheme === undefined) return "is not an absolute https URI";
  if (/^https?$/i.test(scheme)) {
    // a URL parser reads a host from "https:///x"; by RFC 3986 it has none
    if (!/^\/\/[^/?]/.test(rest)) return "is not an absolute https URI";
    return native.loopback || isHttps(text) ? null : "is http, not https";
  }
  if (!native.privateUse) return "is not an absolute https URI";
  if (!/^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/i.test(scheme))
    return "has a scheme that is not a reverse domain name, as in com.example.app:/callback";
  return rest.startsWith("/") ? null : "has no path after its scheme, as in com.example.app:/callback";
}

const isHttps = (text: string): boolean => /^https:/i.test(text);

/** The part between `//` and the path or the query. */
const AUTHORITY = /^[^:]+:\/\/([^/?]*)/;

/** Names the first character that RFC 3986 does not allow. */
function findCharacterFault(text: string): string | null {
  const match = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]/u.exec(text);
  if (!match) return null;
  const [character] = match;
  const place = `has ${quote(character)} at character ${Array.from(text.slice(0, match.index)).length + 1}`;
  if (character === "%") return `${place} without two hexadecimal digits after it; a percent sign is %25`;
  if (match.index < (AUTHORITY.exec(text)?.[0].length ?? 0)) {
    // a host is not percent-encoded: DNS uses its ASCII form
    const ascii = URL.canParse(text) ? `, which must be written as ${new URL(text).hostname}` : "";
    return `${place}, in its host${ascii}`;
  }
  if (!character.isWellFormed()) return `${place}, which is half of a surrogate pair`;
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => byte.toString(16).padStart(2, "0"));
  return `${place}, which must be percent-encoded as ${bytes.map((byte) => `%${byte.toUpperCase()}`).join("")}`;
}

/** A private-use scheme has no naming authority, so there the only rule is that the authority has no credentials. */
function findAuthorityFault(text: string, native: NativeRedirects): string | null {
  const authority = AUTHORITY.exec(text)?.[1] ?? "";
  // empty credentials too: software that stops at the at sign takes another host from "https://@host"
  if (authority.includes("@")) return "contains credentials";
  const read = URL.canParse(text) ? new URL(text).hostname : null;
  if (read !== null && !/^https?:/i.test(text)) return null;
  const [, host = authority, port] = /^(\[.*\]|[^:[]*)(?::(.*))?$/.exec(authority) ?? [];
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535))
    return "has a port that is not from 1 to 65535";
  // the parser also accepts addresses such as 127.1 and 0x7f.1, and normalises them
  if (read === null || !(host.startsWith("[") || (isName(host) && read === host.toLowerCase())))
    return `has the host ${quote(host)}, which is neither a domain name nor an IP address`;
  if (!isHttps(text)) return isLoopback(read) ? null : "is http, which is allowed only for a loopback address";
  return native.loopback || !isLoopback(read) ? null : "has a loopback address as its host";
}

/** Labels of letters, digits and inner hyphens, none empty (RFC 1123 section 2.1). Also matches an IPv4 address. */
const isName = (host: string): boolean =>
  host.length <= 253 && host.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));

/** `hostname` as normalised by the URL parser. Names under localhost are loopback (RFC 6761 section 6.3). */
const isLoopback = (hostname: string): boolean =>
  /(?:^|\.)localhost$/.test(hostname) || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** Appends percent-encoded parameters to `baseUri`, and keeps its own query. Undefined parameters are left out. */
export function composeFullUri(baseUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join("&");
  if (!baseUri.includes("?")) return `${baseUri}?${query}`;
  return /[?&]$/.test(baseUri) ? `${baseUri}${query}` : `${baseUri}&${query}`;
}
