/**
 * Property: whatever is done to a certificate, reading it throws CertificateError or nothing, and what it says of a PSP
 * throws nothing. Mutates certificates made here, and the real ones of shared/data where they are.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeCertificate, oid, psd2, role, sequence, utf8 } from "../../../fixtures/makers/certificate-maker.ts";
import { makeOdd } from "../../../fixtures/suites/certificates/odd-certificate.ts";
import { ODD_STATEMENTS } from "../../../fixtures/suites/certificates/odd-statements.ts";
import { ODD_SUBJECTS } from "../../../fixtures/suites/certificates/odd-subjects.ts";
import { parseEidasHeader } from "../../../src/eidas/eidas-header.ts";
import { describeCertificate, readPsp } from "../../../src/eidas/psd2.ts";
import { fromBase64, toBase64 } from "../../../src/platform/encoding.ts";
import { type Certificate, CertificateError, parseCertificate } from "../../../src/x509/certificate.ts";
import { readShared, sharedData } from "../../shared-data.ts";
import { anyCharacter } from "../any-character.ts";

const made = [
  await makeCertificate(),
  await makeCertificate({
    qcStatements: psd2(sequence(oid("0.4.0.19495.1.2"), utf8("PSP_PI")), utf8("A"), utf8("XX")),
  }),
  await makeCertificate({ qcStatements: sequence(psd2(sequence(role(1, "PSP_AS"), role(9, "?"))), psd2()) }),
];
const odd = [...ODD_SUBJECTS, ...ODD_STATEMENTS].map((one) => makeOdd(one).certificate.der);
const files: { file: string }[] = sharedData ? JSON.parse(readShared("certificates/index.json")) : [];
const real = files.map(({ file }) => {
  const text = readShared(`certificates/${file}`).replaceAll(/-----[^-]+-----|\s/g, "");
  return fromBase64(text) ?? new Uint8Array();
});
const originals: readonly Uint8Array[] = [...made, ...odd, ...real];

/** The bytes at which DER's structure turns: tags and lengths of all kinds. */
const meaningful = fc.constantFrom(...Buffer.from("000102030405060c13171c1e1f30317f80818284a0a3ff", "hex"));
const byte = fc.oneof(meaningful, fc.nat(255));
/** Where in the certificate, of all: 0 to 1, even, where fast-check would favour the beginning. */
const place = fc.noBias(fc.nat(999_999)).map((millionths) => millionths / 1_000_000);

/** Changes `bytes` from index `at` on. */
type Mutation = (bytes: Uint8Array, at: number) => Uint8Array;

/** Puts `piece` in place of the `count` bytes from `at` on, or of as many as there are. */
const replace = (bytes: Uint8Array, at: number, count: number, piece: Uint8Array): Uint8Array =>
  Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + count)]);
const NOTHING = new Uint8Array();

const overwritten = byte.map(
  (to): Mutation =>
    (bytes, at) =>
      bytes.with(at, to),
);
const flipped = fc.nat(7).map(
  (bit): Mutation =>
    (bytes, at) =>
      bytes.with(at, (bytes[at] ?? 0) ^ (1 << bit)),
);
const inserted = fc.array(byte, { minLength: 1, maxLength: 8 }).map((more): Mutation => {
  const piece = Uint8Array.from(more);
  return (bytes, at) => replace(bytes, at, 0, piece);
});
const removed = fc.integer({ min: 1, max: 40 }).map(
  (count): Mutation =>
    (bytes, at) =>
      replace(bytes, at, count, NOTHING),
);
const truncated = fc.constant<Mutation>((bytes, at) => bytes.subarray(0, at));
/** A piece of another certificate, or of itself, in place of as much. */
const spliced = fc.tuple(fc.constantFrom(...originals), place, fc.nat(200)).map(([other, from, length]): Mutation => {
  const start = Math.floor(from * other.length);
  const piece = other.subarray(start, start + length);
  return (bytes, at) => replace(bytes, at, piece.length, piece);
});

const mutations = fc.array(fc.tuple(fc.oneof(overwritten, flipped, inserted, removed, truncated, spliced), place), {
  minLength: 1,
  maxLength: 4,
});

const mutate = (original: Uint8Array, changes: readonly (readonly [Mutation, number])[]): Uint8Array => {
  let bytes = original;
  for (const [change, where] of changes) if (bytes.length > 0) bytes = change(bytes, Math.floor(where * bytes.length));
  return Uint8Array.from(bytes);
};

const mutated = fc
  .tuple(fc.constantFrom(...originals), mutations)
  .map(([original, changes]) => mutate(original, changes));

/** The certificate, or null when it is refused as it may be. Anything else thrown fails the property. */
function parse(der: Uint8Array): Certificate | null {
  try {
    return parseCertificate(der);
  } catch (error) {
    if (error instanceof CertificateError) return null;
    throw error;
  }
}

const runs = { numRuns: 8_000 };

describe("a mutated certificate", () => {
  test("is refused with a CertificateError, or read, and its PSP, too", () => {
    let read = 0;
    fc.assert(
      fc.property(mutated, (der) => {
        const certificate = parse(der);
        if (!certificate) return;
        read++;
        const psp = readPsp(certificate);
        expect(psp.warnings.length).toBeLessThanOrEqual(32);
        expect(psp.paymentServices.every((service) => service >= 1 && service <= 8)).toBe(true);
        expect(psp.authNumber === null).toBe(psp.homeCountry === null);
        JSON.stringify(describeCertificate(certificate));
      }),
      runs,
    );
    // else the mutations would be too coarse to say anything about what stands behind the parser
    expect(read).toBeGreaterThan(runs.numRuns / 20);
  });

  test("in a header is read whole, or refused with a reason", () => {
    fc.assert(
      fc.property(mutated, (der) => {
        const header = parseEidasHeader(toBase64(der));
        if (header.ok) expect(header.leaf.der.length).toBeLessThanOrEqual(der.length);
        else expect(header.message).not.toBe("");
        // byte by byte, as expect does it, is most of the property's time
        if (header.ok && header.issuers.length === 0) expect(Buffer.compare(header.leaf.der, der)).toBe(0);
      }),
      runs,
    );
  });
});

describe("QCStatements of any bytes", () => {
  const certificate = parseCertificate(made[0] ?? new Uint8Array());
  const readWith = (value: Uint8Array) =>
    readPsp({ ...certificate, extensions: [{ oid: "1.3.6.1.5.5.7.1.3", critical: false, value }] });
  const statements =
    certificate.extensions.find(({ oid: id }) => id === "1.3.6.1.5.5.7.1.3")?.value ?? new Uint8Array();

  test("are read, or become warnings", () => {
    const changed = mutations.map((changes) => mutate(statements, changes));
    fc.assert(
      fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 200 })), (value) => {
        const psp = readWith(value);
        if (psp.ncaId === null) expect(psp.warnings).not.toEqual([]);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe("a header of any text", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc.base64String({ maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          "-----BEGIN ",
          "-----END ",
          "CERTIFICATE-----",
          "-----",
          "MIIB",
          "=",
          "%2B",
          "%",
          " ",
          "\n",
          ",",
        ),
        {
          maxLength: 40,
        },
      )
      .map((pieces) => pieces.join("")),
  );

  test("is read, or refused with a reason", () => {
    fc.assert(
      fc.property(text, (value) => {
        const header = parseEidasHeader(value);
        if (!header.ok) expect(header.reason).not.toBe("");
      }),
      { numRuns: 10_000 },
    );
  });
});
