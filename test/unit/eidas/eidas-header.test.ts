import { createHash, generateKeyPairSync } from "node:crypto";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { describe, expect, test } from "vitest";
import { keys, makeCertificate, P256 } from "../../../fixtures/makers/certificate-maker.ts";
import { parseEidasHeader } from "../../../src/eidas/eidas-header.ts";
import { toBase64, toBase64Url } from "../../../src/platform/encoding.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";

const octets = (length: number) => new Uint8Array(length).fill(0x5a);
/** Of a length that leaves `remainder` bytes over a group of three: where base64 is padded, and where it is not. */
const certificateOfRemainder = async (remainder: number): Promise<Uint8Array<ArrayBuffer>> => {
  for (let length = 0; ; length++) {
    const der = await makeCertificate({ extensions: [new x509.Extension("1.2.3.4", false, octets(length + 1))] });
    // its key and signature are chance, and so is whether its base64 holds a +
    if (der.length % 3 === remainder && toBase64(der).includes("+")) return der;
  }
};

const [unpadded, twoPadded, onePadded] = await Promise.all([0, 1, 2].map(certificateOfRemainder));
if (!unpadded || !twoPadded || !onePadded) throw new Error("no certificates");
const leaf = onePadded;
const base64 = toBase64(leaf);
const pem = (der: Uint8Array, label = "CERTIFICATE") =>
  `-----BEGIN ${label}-----\n${toBase64(der).replaceAll(/.{64}/g, "$&\n")}\n-----END ${label}-----\n`;
const fingerprint = (der: Uint8Array) => createHash("sha256").update(der).digest("hex");

/** Fingerprints of what was read, leaf first, or the reason. */
function read(value: string): string[] | string {
  const header = parseEidasHeader(value);
  return header.ok ? [header.leaf, ...header.issuers].map((certificate) => certificate.fingerprint) : header.reason;
}

describe("one certificate is read", () => {
  const lines = base64.replaceAll(/.{64}/g, "$&\n");
  test.each([
    ["as base64", base64],
    ["without padding", base64.replace("=", "")],
    ["in the URL-safe alphabet", toBase64Url(leaf)],
    ["in the URL-safe alphabet with padding", base64.replaceAll("+", "-").replaceAll("/", "_")],
    ["in lines", lines],
    ["in lines of CR LF", lines.replaceAll("\n", "\r\n")],
    ["with blanks for line breaks", lines.replaceAll("\n", " ")],
    ["with tabs and blanks around", `\t ${base64} `],
    ["as PEM", pem(leaf)],
    ["as PEM with blanks for line breaks", pem(leaf).replaceAll("\n", " ")],
    ["as PEM on one line", pem(leaf).replaceAll("\n", "")],
    ["as PEM without any blank", pem(leaf).replaceAll(/\s/g, "")],
    ["as PEM with text before it", `Bag Attributes\n  friendlyName: psp\n${pem(leaf)}`],
    ["as PEM with a comma in the text before it", `subject=C = FI, CN = psp\n${pem(leaf)}`],
    ["as PEM with a comma in the text after it", `${pem(leaf)}subject=C = FI, CN = psp\n`],
    ["as PEM of the old label", pem(leaf, "X509 CERTIFICATE")],
    ["percent-encoded", encodeURIComponent(base64)],
    ["as PEM, percent-encoded", encodeURIComponent(pem(leaf))],
    ["as PEM, percent-encoded in lower case", encodeURIComponent(pem(leaf)).replaceAll(/%../g, (x) => x.toLowerCase())],
    ["as PEM, form-encoded", new URLSearchParams({ c: pem(leaf) }).toString().slice(2)],
    ["as a whole PEM file in base64", btoa(pem(leaf))],
    ["as a whole PEM file in base64, in lines", btoa(pem(leaf)).replaceAll(/.{76}/g, "$&\n")],
    ["as a whole PEM file in URL-safe base64", toBase64Url(new TextEncoder().encode(pem(leaf)))],
    ["as a PEM file with text before it in base64", btoa(`Bag Attributes\n${pem(leaf)}`)],
    ["as PEM with line breaks written \\n", pem(leaf).replaceAll("\n", "\\n")],
    ["as PEM with line breaks written \\r\\n", pem(leaf).replaceAll("\n", "\\r\\n")],
    ["as PEM with line breaks written \\\\n", pem(leaf).replaceAll("\n", "\\\\n")],
    ["in lines with breaks written \\n", lines.replaceAll("\n", "\\n")],
    ["as a byte sequence (RFC 9440)", `:${base64}:`],
    ["as a byte sequence with blanks around", ` :${base64}: `],
    ["as a byte sequence without padding", `:${base64.replace("=", "")}:`],
    ["as a byte sequence, percent-encoded", encodeURIComponent(`:${base64}:`)],
    ["as PEM of nginx, $ssl_client_escaped_cert", encodeURIComponent(pem(leaf))],
    [
      "as two elements of Envoys in a row, of which the second has no certificate",
      `Hash=00;Cert="${encodeURIComponent(pem(leaf))}";Subject="CN=psp,O=Amber\\, Ltd",By=spiffe://bank;Hash=01;Subject=""`,
    ],
    [
      "as PEM of openssl s_client, with text that has commas after it",
      `${pem(leaf)}subject=C = FI, O = "Amber, Ltd"\n---\nNew, TLSv1.3, Cipher is TLS_AES_256_GCM_SHA384\n`,
    ],
    [
      "as an element of Envoy's with a comma in a name",
      `Cert="${encodeURIComponent(pem(leaf))}";Subject="O=Amber\\, Ltd"`,
    ],
    ["as an element of Envoy's x-forwarded-client-cert", `Hash=00;Cert="${encodeURIComponent(pem(leaf))}"`],
    ["with its + turned into blanks by a form decoder", base64.replaceAll("+", " ")],
    ["as PEM with its + turned into blanks", pem(leaf).replaceAll("+", " ")],
  ])("%s", (_, value) => {
    expect(read(value)).toEqual([fingerprint(leaf)]);
  });

  test("the + that becomes a blank is in the sample", () => expect(base64).toContain("+"));
});

describe("every + of the base64 may have become a blank", () => {
  // the end of the signature, which is not looked at here
  const endingIn = (...bytes: number[]): Uint8Array => {
    const der = Uint8Array.from(unpadded);
    der.set(bytes, der.length - bytes.length);
    return der;
  };
  test.each([
    ["A+++", endingIn(0x03, 0xef, 0xbe)],
    ["AA++", endingIn(0x00, 0x0f, 0xbe)],
    ["AAA+", endingIn(0x00, 0x00, 0x3e)],
  ])("the last, too, which HTTP cuts off: %s", (end, der) => {
    const text = toBase64(der);
    expect(text.slice(-4)).toBe(end);
    expect(read(text.replaceAll("+", " ").trim())).toEqual([fingerprint(der)]);
  });

  test("two side by side, and no other", () => {
    const der = endingIn(0xfb, 0xe0, 0x00);
    const text = toBase64(der).replaceAll(/(?<!\+)\+(?!\+)/g, "-");
    expect(text).toContain("++");
    expect(read(text.replaceAll("+", " "))).toEqual([fingerprint(der)]);
  });
});

describe("a leaf and its issuers are read in order", () => {
  const chain = [twoPadded, unpadded, onePadded, unpadded];
  const expected = chain.map(fingerprint);
  const whole = Uint8Array.from(chain.flatMap((der) => [...der]));
  test.each([
    ["as PEM blocks", chain.map((der) => pem(der)).join("")],
    [
      "as PEM blocks on one line",
      chain
        .map((der) => pem(der))
        .join("")
        .replaceAll("\n", ""),
    ],
    ["as PEM blocks, percent-encoded", encodeURIComponent(chain.map((der) => pem(der)).join(""))],
    ["as base64 texts put together, padding in the middle", chain.map(toBase64).join("")],
    ["as base64 texts with blanks between", chain.map(toBase64).join(" ")],
    ["as base64 of the concatenated DER", toBase64(whole)],
    ["as base64 of the concatenated DER, URL-safe and unpadded", toBase64Url(whole)],
  ])("%s", (_, value) => {
    expect(read(value)).toEqual(expected);
  });

  test.each([
    ["as a list of byte sequences (RFC 9440)", (list: string[]) => list.join(", ")],
    ["as one without blanks", (list: string[]) => list.join(",")],
    ["as one, percent-encoded", (list: string[]) => encodeURIComponent(list.join(", "))],
    ["as base64 texts joined by commas (Traefik 3)", (list: string[]) => list.join(",").replaceAll(":", "")],
    ["as one, percent-encoded (Traefik 2)", (list: string[]) => encodeURIComponent(list.join(",").replaceAll(":", ""))],
  ])("%s", async (_, join) => {
    const issuers = await Promise.all(
      [2, 3].map(() => makeCertificate({ extensions: [new x509.BasicConstraintsExtension(true)] })),
    );
    const chained = [leaf, ...issuers];
    const value = join(chained.map((der) => `:${toBase64(der)}:`));
    expect(read(value)).toEqual(chained.map(fingerprint));
    // each of them may be another sender's: see validity.test.ts
    expect(parseEidasHeader(value)).toMatchObject({ joined: true });
  });

  test("ten are read, eleven are too many", () => {
    expect(read(toBase64(unpadded).repeat(10))).toHaveLength(10);
    expect(read(toBase64(unpadded).repeat(11))).toBe("too-many-certificates");
  });
});

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const request = await x509.Pkcs10CertificateRequestGenerator.create({ name: "CN=psp", keys, signingAlgorithm: P256 });
const crl = await x509.X509CrlGenerator.create({
  issuer: "CN=ca",
  thisUpdate: new Date("2025-01-01"),
  nextUpdate: new Date("2026-01-01"),
  signingAlgorithm: P256,
  signingKey: keys.privateKey,
});
const sign1 = { format: "der", type: "pkcs1" } as const;
const bytes = (buffer: ArrayBuffer | Uint8Array) => new Uint8Array(buffer);

describe("what is not a certificate is named", () => {
  const password = { cipher: "aes-256-cbc", passphrase: "secret" };
  const pkcs8 = { format: "der", type: "pkcs8" } as const;
  test.each([
    ["an RSA key of PKCS#1", bytes(privateKey.export(sign1)), "private-key"],
    ["an RSA key of PKCS#8", bytes(privateKey.export(pkcs8)), "private-key"],
    ["an EC key of PKCS#8", bytes(ec.privateKey.export(pkcs8)), "private-key"],
    ["an EC key of SEC 1", bytes(ec.privateKey.export({ format: "der", type: "sec1" })), "private-key"],
    ["a key under a password", bytes(privateKey.export({ ...pkcs8, ...password })), "private-key"],
    ["a public key", bytes(ec.publicKey.export({ format: "der", type: "spki" })), "public-key"],
    ["a public RSA key of PKCS#1", bytes(publicKey.export(sign1)), "public-key"],
    ["a certificate signing request", bytes(request.rawData), "signing-request"],
    ["a CRL", bytes(crl.rawData), "revocation-list"],
  ])("%s: %s", (_, der, reason) => {
    expect(read(toBase64(der))).toBe(reason);
    // the armour's label does not make a certificate of it
    expect(read(pem(der))).toBe(reason);
  });

  test.each([
    ["PRIVATE KEY", "private-key"],
    ["RSA PRIVATE KEY", "private-key"],
    ["ENCRYPTED PRIVATE KEY", "private-key"],
    ["PUBLIC KEY", "public-key"],
    ["CERTIFICATE REQUEST", "signing-request"],
    ["NEW CERTIFICATE REQUEST", "signing-request"],
    ["X509 CRL", "revocation-list"],
    ["TRUSTED CERTIFICATE", "not-a-certificate"],
    // the end of a label says what the block is
    ["PRIVATE KEY NAME", "not-a-certificate"],
    ["PUBLIC KEY NAME", "not-a-certificate"],
    ["CERTIFICATE REQUEST NAME", "not-a-certificate"],
    ["CRL NAME", "not-a-certificate"],
    ["PKCS7", "not-a-certificate"],
  ])("a PEM block of type %s is refused by its label: %s", (label, reason) => {
    expect(read(pem(leaf, label))).toBe(reason);
    expect(read(pem(leaf) + pem(leaf, label))).toBe(reason);
  });

  test("its message says what it is", () => {
    expect(parseEidasHeader(toBase64(bytes(request.rawData)))).toMatchObject({
      message: "a certificate signing request, not a certificate",
    });
  });
});

describe("what cannot be read is refused with its reason", () => {
  const withByte = (at: number, byte: number) => Uint8Array.from(leaf, (old, i) => (i === at ? byte : old));
  const beginning = Buffer.from(leaf).indexOf("250101000000Z");
  test.each<[string, string, string]>([
    ["nothing", "", "empty"],
    ["only blanks", " \r\n\t", "empty"],
    ["only padding", "==", "empty"],
    ["an empty PEM block", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", "empty"],
    ["an odd character", `${base64.slice(0, 40)}!${base64.slice(40)}`, "not-base64"],
    ["an impossible length", base64.slice(0, 41), "not-base64"],
    ["a stray percent sign", `%zz${base64}`, "not-base64"],
    ["letters beyond ASCII", `${base64}é`, "non-ascii"],
    ["letters beyond ASCII, percent-encoded", `${base64}%C3%A9`, "non-ascii"],
    ["raw bytes", String.fromCharCode(...leaf.subarray(0, 99)), "non-ascii"],
    ["an emoji", "🏦", "non-ascii"],
    ["a header sent twice", `${base64}, ${base64}`, "several-values"],
    ["a PEM header sent twice", `${pem(leaf)}, ${pem(leaf)}`, "several-values"],
    ["PEM to which a proxy added base64", `${pem(leaf)}, ${base64}`, "several-values"],
    ["PEM to which base64 in lines was added", `${pem(leaf)}, ${base64.replaceAll(/.{64}/g, "$& ")}`, "several-values"],
    ["PEM to which a byte sequence with a parameter was added", `${pem(leaf)}, :${base64}:;a=1`, "several-values"],
    ["base64 to which PEM was added", `${base64}, ${pem(leaf)}`, "several-values"],
    ["PEM to which byte sequences were added", `${pem(leaf)},:${base64}:, :${base64}:`, "several-values"],
    [
      "PEM, escaped, to which PEM in base64 was added",
      `${encodeURIComponent(pem(leaf))}, ${btoa(pem(leaf))}`,
      "several-values",
    ],
    // what proxies add to a client's header where the client showed no certificate
    ["PEM to which Apache added (null)", `${pem(leaf)}, (null)`, "several-values"],
    ["PEM to which HAProxy added nothing", `${encodeURIComponent(pem(leaf))}, `, "several-values"],
    ["PEM and text to which a proxy added nothing", `${pem(leaf)}subject=C = FI\n,`, "several-values"],
    ["PEM in quotes to which a proxy added nothing", `Cert="${encodeURIComponent(pem(leaf))}",`, "several-values"],
    [
      "PEM to which Caddy added a placeholder",
      `${pem(leaf)}, {http.request.tls.client.certificate_pem}`,
      "several-values",
    ],
    ["PEM to which a proxy added an empty byte sequence", `${pem(leaf)}, ::`, "several-values"],
    ["PEM in base64 to which Apache added (null)", `${btoa(pem(leaf))}, (null)`, "several-values"],
    ["base64 of a CA's certificate to which a proxy added nothing", `${base64},`, "several-values"],
    ["base64 to which Apache added (null)", `${base64}, (null)`, "several-values"],
    ["two PEM files in base64", `${btoa(pem(leaf))}, ${btoa(pem(leaf))}`, "several-values"],
    ["base64 to which a PEM file in base64 was added", `${base64}, ${btoa(pem(leaf))}`, "several-values"],
    ["byte sequences of PEM files", `:${btoa(pem(leaf))}:, :${btoa(pem(leaf))}:`, "not-a-certificate"],
    ["byte sequences of two PSPs", `:${base64}:, :${toBase64(unpadded)}:`, "several-values"],
    ["a byte sequence sent twice", `:${base64}:, :${base64}:`, "several-values"],
    ["eleven byte sequences", Array(11).fill(`:${base64}:`).join(", "), "too-many-certificates"],
    ["half of a byte sequence's certificate", `:${base64.slice(0, 400)}:`, "truncated"],
    ["half of it", toBase64(leaf.subarray(0, leaf.length / 2)), "truncated"],
    ["all but its last byte", toBase64(leaf.subarray(0, -1)), "truncated"],
    ["its first byte", toBase64(leaf.subarray(0, 1)), "truncated"],
    ["half of its issuer", base64 + toBase64(unpadded.subarray(0, 99)), "truncated"],
    ["a PEM block without its end", pem(leaf).slice(0, -30), "truncated"],
    ["a PEM line without its end", "-----BEGIN CERTIFICATE", "truncated"],
    ["a byte after it", toBase64(Uint8Array.of(...leaf, 0)), "trailing-bytes"],
    ["a line break inside the base64 after it", toBase64(Uint8Array.of(...leaf, 10)), "trailing-bytes"],
    ["text", toBase64(new TextEncoder().encode("This is not a certificate.")), "not-a-certificate"],
    ["PEM inside base64 inside base64", btoa(btoa(pem(leaf))), "not-a-certificate"],
    ["a private key's PEM file in base64", btoa(pem(leaf, "RSA PRIVATE KEY")), "private-key"],
    ["a random blob", toBase64(octets(1_000)), "not-a-certificate"],
    ["an empty SEQUENCE", "MAA=", "not-a-certificate"],
    ["an indefinite length", toBase64(Uint8Array.of(0x30, 0x80, 0, 0)), "malformed-certificate"],
    ["a certificate that begins on no date", toBase64(withByte(beginning, 0x41)), "malformed-certificate"],
    ["a SET where a certificate has a SEQUENCE", toBase64(withByte(4, 0x31)), "not-a-certificate"],
  ])("%s", (_, value, reason) => {
    expect(read(value)).toBe(reason);
  });

  test.each([
    [":", "the byte sequence of RFC 9440 does not end with a colon"],
    ["::", "the byte sequence of RFC 9440 is empty"],
    [`:${base64}`, "the byte sequence of RFC 9440 does not end with a colon"],
    [`${base64}:`, "the byte sequence of RFC 9440 does not begin with a colon"],
    [`:${base64}:;a=1`, 'the byte sequence of RFC 9440 is followed by ";a=1"'],
    [`:${base64}::${base64}:`, "the byte sequence of RFC 9440 is followed by another without a comma between them"],
    // HAProxy writes nothing for a certificate that is longer than its buffer
    [`::,:${base64}:`, "byte sequence 1 of the list is empty"],
    [`:${base64}:,`, "byte sequence 2 of the list is missing: the list ends with a comma"],
    [`:${base64}:,,:${base64}:`, "byte sequence 2 of the list is missing: there is nothing but a comma"],
    [`:${base64}:, ${base64}`, "byte sequence 2 of the list does not begin with a colon"],
    [`:${base64}:, :${base64}`, "byte sequence 2 of the list does not end with a colon"],
    [`:${base64.slice(0, 40)}!:`, 'not base64: character "!"'],
  ])("a byte sequence that is not one of RFC 9440 says why: row %#", (value, message) => {
    expect(parseEidasHeader(value)).toMatchObject({ reason: "not-base64", message });
  });

  test("a fault in an issuer says which one it is", () => {
    expect(parseEidasHeader(base64 + toBase64(bytes(crl.rawData)))).toMatchObject({
      reason: "revocation-list",
      message: "certificate 2: a certificate revocation list, not a certificate",
    });
  });
});

describe("sizes", () => {
  const ofSize = async (size: number) => {
    const empty = await makeCertificate({ extensions: [new x509.Extension("1.2.3.4", false, octets(15_000))] });
    let missing = size - empty.length;
    for (;;) {
      const extensions = [new x509.Extension("1.2.3.4", false, octets(15_000 + missing))];
      const der = await makeCertificate({ extensions });
      // an ECDSA signature varies by a few bytes
      if (der.length === size) return der;
      if (Math.abs(der.length - size) > 8) missing += size - der.length;
    }
  };

  test("a certificate of 16 KiB is read, one of a byte more is not", async () => {
    expect(read(toBase64(await ofSize(16_384)))).toHaveLength(1);
    expect(read(toBase64(await ofSize(16_385)))).toBe("too-large");
  });

  test("a value of more than 64 KiB is not looked into", () => {
    expect(read(" ".repeat(65_536) + base64)).toBe("too-large");
    expect(read("A".repeat(10_000_000))).toBe("too-large");
  });

  const SHORT = 2 * 1024;
  const LONG = 64 * 1024;
  /** Of processor time, which others on the machine do not lengthen. */
  const microseconds = (work: () => void): number => {
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    return Math.max(user + system, 1);
  };
  /** Of one long value and of as many characters in short ones: 1 where time is linear, 32 where it is the square. */
  const growth = (long: string, short: string): number =>
    microseconds(() => parseEidasHeader(long)) /
    microseconds(() => {
      for (let i = 0; i < LONG / SHORT; i++) parseEidasHeader(short);
    });
  const repeated = (text: string) => (size: number) => text.repeat(size / text.length);

  test.each<[string, (size: number) => string]>([
    ["backslashes", repeated("\\")],
    ["line breaks written \\n", repeated("\\n")],
    ["PEM beginnings in base64", (size) => btoa(repeated("-----BEGIN")(size * 0.75))],
    ["padding", repeated("=")],
    ["padded pieces", repeated("AA==")],
    ["percent signs", repeated("%")],
    ["colons", repeated(":")],
    ["colons and commas", repeated(":,")],
    ["empty byte sequences", repeated("::, ")],
    ["short byte sequences", repeated(":AA:,")],
    ["blanks", (size) => `A${" ".repeat(size - 6)}A`],
    ["words", repeated("A ")],
    ["PEM beginnings", repeated("-----BEGIN")],
    ["empty PEM blocks", repeated("-----BEGIN CERTIFICATE----------END CERTIFICATE-----")],
    ["dashes", repeated("-")],
    [
      "SEQUENCEs in SEQUENCEs",
      (size) => toBase64(Uint8Array.from({ length: size * 0.75 - 3 }, (_, i) => (i % 2 ? 0x7f : 0x30))),
    ],
    ["more than ten certificates", repeated(toBase64(unpadded))],
  ])("64 KiB of %s are refused, in time that is linear in their length", (_, make) => {
    const [long, short] = [make(LONG), make(SHORT)];
    expect(parseEidasHeader(long).ok).toBe(false);
    // a busy machine spoils a measurement, but not all of them
    let least = growth(long, short);
    for (let i = 0; i < 10 && least >= 12; i++) least = Math.min(least, growth(long, short));
    expect(least).toBeLessThan(12);
  });
});

test("who overwrites what was read changes nothing that is read later", () => {
  const first = parseEidasHeader(base64);
  if (first.ok) first.leaf.der.fill(0);
  const second = parseEidasHeader(base64);
  expect(second.ok && second.leaf).toEqual(parseCertificate(leaf));
});
