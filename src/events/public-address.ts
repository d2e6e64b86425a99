/**
 * Which IP addresses a webhook may have: those of the public internet. Pure. The special-purpose registries of IANA
 * (RFC 6890) name the others: private networks (RFC 1918), loopback, link-local, shared address space (RFC 6598),
 * documentation, benchmarks, multicast, and what is reserved.
 */

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
