/** Under which key the requests of an address are counted. Pure. */

/** The IPv4 address, or the /64 prefix of an IPv6 address, because one subscriber has a whole /64. */
export function sourceKey(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail?.split(":").filter(Boolean) ?? [];
  // an IPv4-mapped address (::ffff:192.0.2.1) counts as the IPv4 address
  const last = right.at(-1) ?? left.at(-1) ?? "";
  if (last.includes(".")) return last;
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right];
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(":")}::/64`;
}
