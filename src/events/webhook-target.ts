/**
 * Where a webhook may lead: https, to a host all of whose addresses are public. It is asked when one is added and before
 * each delivery, since a name may come to lead elsewhere.
 *
 * Between this question and the connection the name may still change. On Cloudflare's network that leads nowhere: a Worker
 * reaches no private network but those that are bound to it, and by `global_fetch_strictly_public` (wrangler.toml) no origin
 * of its own zone past what guards it.
 */

type TargetFault = { readonly ok: false; readonly message: string };
export type TargetCheck = { readonly ok: true } | TargetFault;

/** The addresses of a host name, IPv4 and IPv6. Throws if it has none, or nobody answers. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * `loopback`: also http and https to the machine itself, which `npm start` sets. `any`: also http, and hosts of private
 * networks, for tests only. No deployment sets either.
 */
export type WebhookTargets = "public" | "loopback" | "any";

export const readTargets = ({ WEBHOOK_TARGETS: set }: Partial<Pick<Env, "WEBHOOK_TARGETS">>): WebhookTargets =>
  set === "any" || set === "loopback" ? set : "public";

const MAX_URL_CHARACTERS = 2048;

/** Does not throw. `message` is a phrase that follows the address. */
export async function checkTarget(text: string, targets: WebhookTargets, resolve: Resolve): Promise<TargetCheck> {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null;
  if (!url) return refuse(`is not an address, or is longer than ${MAX_URL_CHARACTERS} characters`);
  if (url.username || url.password) return refuse("holds credentials, which are not sent");
  if (url.hash) return refuse("has a fragment, which is never sent");
  if (targets === "any") return /^https?:$/.test(url.protocol) ? { ok: true } : refuse("is neither http nor https");
  // an IPv6 address stands in brackets
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (targets === "loopback" && /^https?:$/.test(url.protocol) && isLoopback(host)) return { ok: true };
  if (url.protocol !== "https:") return refuse("is not https");
  if (isAddress(host)) return refuse(isPublicAddress(host) ? NAMELESS : PRIVATE);
  let addresses: readonly string[];
  try {
    addresses = await resolve(host);
  } catch {
    return refuse("has a host whose address cannot be found");
  }
  if (addresses.length === 0) return refuse("has a host without an address");
  return addresses.every(isPublicAddress) ? { ok: true } : refuse(PRIVATE);
}

/** https://developers.cloudflare.com/workers/platform/known-issues/#fetch-to-ip-addresses: it would answer with status 403. */
const NAMELESS = "names its host by an IP address, and the platform asks hosts by their names only";
const PRIVATE = "leads to a private network, or to an address that is not on the public internet";

const refuse = (message: string): TargetFault => ({ ok: false, message });

/** Asks DNS: on Cloudflare's network 1.1.1.1, on Node the machine's servers. */
export async function resolveHost(host: string): Promise<string[]> {
  const { resolve4, resolve6 } = await import("node:dns/promises");
  const answers = await Promise.allSettled([resolve4(host), resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}

/** First address and prefix length. */
const REFUSED_V4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/**
 * Of IPv6 only global unicast is taken, 2000::/3 (RFC 4291 section 2.4), so neither unique local nor link-local addresses
 * nor IPv4-mapped and translated ones (::ffff:0:0/96, 64:ff9b::/96). In it these reach another network or none.
 */
const GLOBAL_V6: readonly [string, number] = ["2000::", 3];
const REFUSED_V6: readonly (readonly [string, number])[] = [
  // Teredo, benchmarks and further special ones
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4: an IPv4 address in it decides where it leads
  ["2002::", 16],
  ["3fff::", 20],
];

/** Whether an address, as DNS or a URL writes it, is one of the public internet. False for a text that is none. */
export function isPublicAddress(text: string): boolean {
  const v4 = parseV4(text);
  if (v4 !== null) return !REFUSED_V4.some(([first, length]) => sharesPrefix(v4, parseV4(first) ?? [], length));
  const v6 = parseV6(text);
  if (v6 === null) return false;
  const isIn = ([first, length]: readonly [string, number]) => sharesPrefix(v6, parseV6(first) ?? [], length);
  return isIn(GLOBAL_V6) && !REFUSED_V6.some(isIn);
}

/** As a URL's parser writes it. Another name that leads here is not asked for: DNS may change its mind. */
const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || parseV4(host)?.[0] === 127;

export const isAddress = (text: string): boolean => parseV4(text) !== null || parseV6(text) !== null;

/** Four bytes; null for anything but four decimal numbers. A URL's host has been brought to this form by its parser. */
function parseV4(text: string): number[] | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return null;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : null;
}

/** Sixteen bytes (RFC 4291 section 2.2); null for anything else, also with a zone. */
function parseV6(text: string): number[] | null {
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const v4 = tail && parseV4(tail[2] ?? "");
  if (tail && !v4) return null;
  const plain = v4 ? `${tail?.[1]}${hex(v4[0], v4[1])}:${hex(v4[2], v4[3])}` : text;
  const halves = plain.split("::");
  if (halves.length > 2) return null;
  const [head = [], end = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - end.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array<string>(missing).fill("0"), ...end];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
}

const hex = (high = 0, low = 0): string => ((high << 8) | low).toString(16);

/** Whether the first `length` bits are the same. */
const sharesPrefix = (a: readonly number[], b: readonly number[], length: number): boolean =>
  a.every((byte, i) => {
    const bits = Math.min(8, Math.max(0, length - 8 * i));
    const mask = (0xff << (8 - bits)) & 0xff;
    return (byte & mask) === ((b[i] ?? 0) & mask);
  });
