/**
 * Server names, as far as the runner must know them: this service knows its PSPs by authorisation number, and judges no
 * server's name. A case that is refused for its name alone therefore does not apply, and this file tells which those are.
 */
import type { Certificate } from "../../src/x509/certificate.ts";
import { readPathExtensions } from "../../src/x509/extensions.ts";

export interface PeerName {
  readonly kind: "DNS" | "IP" | "RFC822";
  readonly value: string;
}

/** Whether the certificate bears the name, by RFC 9525 section 6: exactly, or by a wildcard for its first label. */
export function bearsName(certificate: Certificate, peer: PeerName): boolean {
  const reading = readPathExtensions(certificate);
  const names = reading.ok ? (reading.extensions.alternativeNames ?? []) : [];
  const wanted = peer.value.toLowerCase();
  return names.some((name) => {
    if (peer.kind === "DNS" && name.form === "dns") {
      const held = name.text.toLowerCase();
      return held === wanted || (held.startsWith("*.") && held.slice(1) === wanted.slice(wanted.indexOf(".")));
    }
    if (peer.kind === "RFC822" && name.form === "email") return name.text === peer.value;
    return (
      peer.kind === "IP" && name.form === "ip" && formatAddress(name.bytes) === formatAddress(parseAddress(wanted))
    );
  });
}

const formatAddress = (bytes: Uint8Array | null): string => bytes?.join(".") ?? "no address";

function parseAddress(text: string): Uint8Array | null {
  if (!text.includes(":")) return Uint8Array.from(text.split("."), Number);
  const [head = "", tail] = text.split("::");
  const words = (part: string) => (part === "" ? [] : part.split(":").map((word) => Number.parseInt(word, 16)));
  const before = words(head);
  const after = tail === undefined ? [] : words(tail);
  const filler = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => 0);
  return Uint8Array.from([...before, ...filler, ...after].flatMap((word) => [word >> 8, word & 0xff]));
}
