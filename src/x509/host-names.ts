/** Host names in certificates: their syntax, and matching against name constraint subtrees. */

/** Underscores occur in practice, although RFC 1034's preferred syntax excludes them. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
const STRICT_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const MAX_NAME_BYTES = 253;

/** Whether `text` is labels separated by dots, without a wildcard. */
export const isHostName = (text: string): boolean => isLabels(text, LABEL);

/**
 * The "preferred name syntax" of RFC 5280 section 4.2.1.6: no underscore, no last label of digits. "*." may stand
 * first.
 */
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
