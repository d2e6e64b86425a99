/** The text forms by themselves: what eidas-header.test.ts cannot tell apart, because a second reading repairs it. */
import { describe, expect, test } from "vitest";
import { type Blanks, decodeCertificateText } from "../../../src/eidas/certificate-text.ts";
import { toBase64 } from "../../../src/platform/encoding.ts";

/** A SEQUENCE of four bytes; its base64 ends with four plus signs. */
const DER = Uint8Array.of(0x30, 0x04, 0x01, 0xfb, 0xef, 0xbe);
const BASE64 = toBase64(DER);
const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";
const PEM = `${BEGIN}\n${BASE64}\n${END}\n`;

/** The bytes as hex, or the reason and its message. */
const decode = (text: string, blanks?: Blanks) => {
  const read = decodeCertificateText(text, blanks);
  return read.ok ? Buffer.from(read.bytes).toString("hex") : `${read.reason}: ${read.message}`;
};
const HEX = Buffer.from(DER).toString("hex");

test("nothing, and nothing but blanks, is empty", () => {
  for (const text of ["", " ", "\r\n\t", "%20", "\\n"]) expect(decode(text)).toBe("empty: empty");
});

test.each([
  "(null)",
  "(null) (null)",
  "(null)(null) ",
  "{http.request.tls.client.certificate_der_base64}",
  ":{tls_x}:",
])("%s is what a proxy writes when the client shows no certificate", (text) => {
  const message = `${JSON.stringify(text.trim())}, which a proxy writes when the client shows no certificate`;
  expect(decode(text)).toBe(`empty: ${message}`);
});

test.each([BASE64, `:${BASE64}:`, PEM, encodeURIComponent(PEM)])(
  "in quotes, as HAProxy's format Q writes them: $0",
  (text) => {
    expect(decode(`"${text}"`)).toBe(HEX);
    expect(decode(` %22${text}%22 `)).toBe(HEX);
  },
);

test("quotes of no certificate are empty; of two quoted values neither is taken, be one of them empty", () => {
  for (const none of ['""', '" "', ' ""\n', '"(null)"']) expect(decode(none)).toMatch(/^empty: /);
  for (const two of [`"${BASE64}","${BASE64}"`, `"","${BASE64}"`, `"${BASE64}",""`])
    expect(decode(two)).toBe("several-values: two values joined by a comma: send it once");
  expect(decode(`"${BASE64}`)).toBe('not-base64: not base64: character "\\""');
});

test("64 KiB of text are read, a character more is not", () => {
  expect(decode(BASE64.padEnd(65_536))).toBe(HEX);
  expect(decode(BASE64.padEnd(65_537))).toBe("too-large: 65537 characters; at most 65536 are read");
});

describe("a blank inside base64", () => {
  const spoiled = BASE64.replace("+", " ");
  test("is a former line break, unless it is to be a plus", () => {
    expect(BASE64).toContain("+");
    expect(decode(`${BASE64.slice(0, 2)} ${BASE64.slice(2)}`)).toBe(HEX);
    expect(decode(spoiled)).not.toBe(HEX);
    expect(decode(spoiled, "plus")).toBe(HEX);
    expect(decode(` ${spoiled} `, "plus")).toBe(HEX);
  });

  test("was a plus, also where the text ended with up to three and HTTP has cut them off", () => {
    const der = Uint8Array.of(0x30, 0x04, 0x01, 0x03, 0xef, 0xbe);
    const text = toBase64(der);
    expect(text.endsWith("A+++")).toBe(true);
    const cut = text.replaceAll("+", " ").trim();
    const hex = Buffer.from(der).toString("hex");
    expect(decode(cut, "plus")).not.toBe(hex);
    expect(decode(cut, "plus, also at the end")).toBe(hex);
    expect(decode(PEM.replace(BASE64, text.replaceAll("+", " ")), "plus, also at the end")).toBe(hex);
  });

  test("is a former line break in a PEM file that is in base64 itself, whatever it is outside", () => {
    const file = btoa(PEM.replace(BASE64, `${BASE64.slice(0, 4)} ${BASE64.slice(4)}`));
    expect(decode(file)).toBe(HEX);
    expect(decode(file, "plus")).toBe(HEX);
  });
});

test("DER that has a PEM line in one of its texts is DER", () => {
  const text = new TextEncoder().encode(PEM);
  const der = Uint8Array.of(0x30, text.length + 2, 0x0c, text.length, ...text);
  expect(decode(toBase64(der))).toBe(Buffer.from(der).toString("hex"));
});

test("only a list of several byte sequences counts as joined", () => {
  const joined = (text: string) => {
    const read = decodeCertificateText(text);
    return read.ok && read.joined;
  };
  expect([`:${BASE64}:`, `:${BASE64}:, :${BASE64}:`, BASE64, PEM + PEM].map(joined)).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

describe("PEM", () => {
  test.each([
    ["a comma before the first block", `subject=C = FI, CN = psp\n${PEM}`, HEX],
    ["a comma before the first of two", `subject=C = FI, CN = psp\n${PEM}${PEM}`, HEX + HEX],
    ["a comma between two", `${PEM},${PEM}`, "several-values: two values joined by a comma: send it once"],
    ["a comma in a name behind the last", `${PEM}${PEM}subject=C = FI, CN = psp`, HEX + HEX],
    [
      "a comma and a word behind the last",
      `${PEM}${PEM}, subject`,
      "several-values: two values joined by a comma: send it once",
    ],
    ["text between two", `${PEM}issuer=CN = ca\n${PEM}`, HEX + HEX],
  ])("with %s", (_, text, expected) => {
    expect(decode(text)).toBe(expected);
  });

  test("whose BEGIN and END lines share their dashes has no END line", () => {
    expect(decode("-----BEGIN CERTIFICATE-----END CERTIFICATE-----")).toBe(
      "truncated: truncated: a PEM block without its END line",
    );
  });

  test("of another type is named without the blanks around it", () => {
    expect(decode(PEM.replaceAll("CERTIFICATE", "  PKCS7 "))).toMatch(/^not-a-certificate: .+ type \W?PKCS7\W?, not/);
  });
});
