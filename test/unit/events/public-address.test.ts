import { expect, test } from "vitest";
import { isAddress, isPublicAddress } from "../../../src/events/webhook-target.ts";

test.each([
  ["8.8.8.8", true],
  ["1.1.1.1", true],
  ["172.15.255.255", true],
  ["172.32.0.0", true],
  ["100.63.255.255", true],
  ["100.128.0.0", true],
  ["223.255.255.255", true],
  ["2606:4700:4700::1111", true],
  ["2a00:1450:4001::", true],
  // RFC 1918, 6598, 3927, 5737, 2544, 5771, 1112, 919
  ...["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255", "127.0.0.1"].map(no),
  ...["169.254.169.254", "0.0.0.0", "192.0.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1"].map(no),
  ...["198.19.255.255", "192.88.99.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"].map(no),
  // loopback, unspecified, unique local, link-local, multicast, mapped, translated, 6to4, Teredo, documentation
  ...["::1", "::", "fc00::1", "fd12:3456::1", "fe80::1", "ff02::1", "::ffff:8.8.8.8", "::ffff:10.0.0.1"].map(no),
  ...["64:ff9b::808:808", "2002:a00:1::1", "2001::1", "2001:db8::1", "3fff::1", "::8.8.8.8", "100::1"].map(no),
  // no addresses
  ...[
    "",
    "localhost",
    "8.8.8",
    "8.8.8.8.8",
    "08.8.8.8",
    "256.1.1.1",
    "1::2::3",
    "12345::",
    "2606:4700",
    "fe80::1%eth0",
  ].map(no),
  ["::ffff:1.2.3", false],
])("%s is public: %s", (text, isPublic) => {
  expect(isPublicAddress(text)).toBe(isPublic);
});

function no(text: string): [string, boolean] {
  return [text, false];
}

test("what is no address is a name", () => {
  for (const text of ["127.0.0.1", "::1", "::ffff:10.0.0.1"]) expect(isAddress(text)).toBe(true);
  for (const text of ["bank.example", "1.2.3", "[::1]", ":::", ""]) expect(isAddress(text)).toBe(false);
});
