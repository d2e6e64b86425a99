/** Host names in certificates: their syntax, and the subtrees that name constraints make of them. */

/** A label as hosts have them; underscores are seen in practice, though RFC 1034's preferred syntax has none. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const STRICT_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const MAX_NAME_BYTES = 253;

/** Labels with dots between them; no wildcard. */
export const isHostName = (text: string): boolean => isLabels(text, LABEL);

/**
 * RFC 5280 section 4.2.1.6: "preferred name syntax" of RFC 1034 section 3.5 as RFC 1123 has it, therefore no
 * underscore and no IPv4 address in disguise; a wildcard may stand for the first of at least two labels.
 */
export function isPreferredHostName(text: string): boolean {
  const host = text.startsWith("*.") ? text.slice(2) : text;
  return isLabels(host, STRICT_LABEL) && !/(^|\.)\d+$/.test(host);
}

const isLabels = (text: string, label: RegExp): boolean =>
  text.length <= MAX_NAME_BYTES && text.split(".").every((each) => label.test(each));

/**
 * Whether the subtree at `base` (which may be empty: all hosts) holds the host; null when it is no host name. A
 * wildcard is permitted only when all the hosts that it stands for are, and excluded as soon as one of them is.
 */
export function coversHost(base: string, name: string, side: "permitted" | "excluded"): boolean | null {
  const wildcard = name.startsWith("*.");
  const host = (wildcard ? name.slice(2) : name).toLowerCase();
  if (!isHostName(host)) return null;
  const root = base.toLowerCase();
  if (root === "" || host === root || host.endsWith(`.${root}`)) return true;
  return wildcard && side === "excluded" && root.slice(root.indexOf(".") + 1) === host;
}
