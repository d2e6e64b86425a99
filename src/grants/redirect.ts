/**
 * The redirect URI that a PSP registered, and the address that sends the PSU back to it (RFC 6749 sections 3.1.2,
 * 4.1.2 and 4.1.2.1). URIs are compared and answered exactly as given: nothing here normalises.
 */

/** RFC 3986 characters only: what a URL parser would quietly repair is refused. */
const URI_PATTERN = /^https?:\/\/(?:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/i;

/** RFC 6749 section 3.1: no parameter more than once; these are ours to add. */
const OUR_PARAMETERS = ["code", "state", "error", "error_description"];

/** What is wrong with a redirect URI, as a phrase that follows its name; null when nothing is. */
export function findRedirectUriFault(text: string): string | null {
  if (text.includes("#")) return "has a fragment";
  if (!URI_PATTERN.test(text) || !URL.canParse(text)) return "is not an absolute https URI";
  const { protocol, hostname, searchParams } = new URL(text);
  // a URL parser finds a host in "https:///x" that RFC 3986 does not
  if (/^https?:\/\/[/?]/i.test(text)) return "is not an absolute https URI";
  // empty ones too: "https://@host" reads as another host to whoever stops at the at sign
  if (/^https?:\/\/[^/?]*@/i.test(text)) return "holds credentials";
  if (protocol === "http:" && !isLoopback(hostname)) return "is http, which only a loopback address may be";
  const repeated = OUR_PARAMETERS.find((name) => searchParams.has(name));
  return repeated === undefined ? null : `already has a parameter ${repeated}`;
}

/** RFC 8252 section 7.3, and "localhost" as developers write it. `hostname` as the URL parser spells it. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** `baseUri` with percent-encoded parameters behind it; a query that it has already stays. Undefined ones are left out. */
export function composeFullUri(baseUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join("&");
  if (!baseUri.includes("?")) return `${baseUri}?${query}`;
  return /[?&]$/.test(baseUri) ? `${baseUri}${query}` : `${baseUri}&${query}`;
}
