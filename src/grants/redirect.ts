/** The URI that redirects the PSU to the PSP (RFC 6749 sections 4.1.2 and 4.1.2.1). */

/** Appends percent-encoded parameters to `baseUri`, and keeps its own query. Undefined parameters are left out. */
export function composeFullUri(baseUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join("&");
  if (!baseUri.includes("?")) return `${baseUri}?${query}`;
  return /[?&]$/.test(baseUri) ? `${baseUri}${query}` : `${baseUri}&${query}`;
}
