import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { children, DerError, encodeDer, encodeOid, readDer, readDerAt, Tag } from "../../../src/x509/der.ts";
import {
  readBitString,
  readBoolean,
  readInteger,
  readOid,
  readSmallInteger,
  readString,
  readTime,
} from "../../../src/x509/der-values.ts";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
const value = (hex: string) => readDer(bytes(hex), "value");
const ascii = (tag: number, text: string) => readDer(encodeDer(tag, new TextEncoder().encode(text)), "value");

describe("a value is read whole or refused", () => {
  test.each([
    ["05 00", 0],
    ["04 01 aa", 1],
    [`04 7f ${"aa".repeat(127)}`, 127],
    [`04 81 80 ${"aa".repeat(128)}`, 128],
    [`04 82 01 00 ${"aa".repeat(256)}`, 256],
  ])("%.20s has %d bytes of contents", (hex, length) => {
    expect(value(hex).content).toHaveLength(length);
  });

  test.each([
    ["nothing", "", "value: truncated"],
    ["a tag alone", "30", "value: truncated"],
    ["contents that end early", "04 02 aa", "value: truncated"],
    ["a length that ends early", "04 82 01", "value: truncated"],
    ["the greatest length", "04 84 ff ff ff ff", "value: truncated"],
    ["a byte after it", "05 00 00", "value: 1 bytes after its end"],
    ["an indefinite length", "30 80 00 00", "value: indefinite length"],
    ["the reserved length", "04 ff 00", "value: length of 127 bytes"],
    ["a length of five bytes", "04 85 00 00 00 00 01 aa", "value: length of 5 bytes"],
    ["a long form where the short one fits", `04 81 7f ${"aa".repeat(127)}`, "value: length not minimal"],
    ["a length with a leading zero", `04 82 00 80 ${"aa".repeat(128)}`, "value: length not minimal"],
    ["a multi-byte tag", "1f 81 00 00", "value: multi-byte tag"],
  ])("%s is refused", (_, hex, message) => {
    expect(() => value(hex)).toThrow(message);
  });

  test("only bytes that end early count as truncated", () => {
    const truncated = (hex: string) => {
      try {
        value(hex);
      } catch (error) {
        return error instanceof DerError && error.truncated;
      }
      return null;
    };
    expect(truncated("04 02 aa")).toBe(true);
    for (const hex of ["04", "04 82 01", "04 82 01 00"]) expect(truncated(hex)).toBe(true);
    expect(truncated("04 80")).toBe(false);
    expect(truncated("05 00")).toBeNull();
  });

  test("children must fill their parent", () => {
    expect(children(value("30 05 05 00 04 01 aa"), "list").map(({ tag }) => tag)).toEqual([Tag.null, Tag.octetString]);
    expect(() => children(value("30 03 04 02 aa"), "list")).toThrow("list: truncated");
    expect(() => children(value("04 02 05 00"), "list")).toThrow("list: not constructed");
  });
});

describe("OBJECT IDENTIFIER", () => {
  test.each([
    ["06 03 2a 03 04", "1.2.3.4"],
    ["06 01 00", "0.0"],
    ["06 01 27", "0.39"],
    ["06 01 28", "1.0"],
    ["06 01 50", "2.0"],
    ["06 02 81 34", "2.100"],
    ["06 07 04 00 81 98 27 01 02", "0.4.0.19495.1.2"],
    [`06 14 69 83 ${"ff".repeat(17)} 7f`, "2.25.340282366920938463463374607431768211455"],
  ])("%s is %s", (hex, dotted) => {
    expect(readOid(value(hex), "oid")).toBe(dotted);
  });

  test.each([
    ["06 00", "oid: object identifier of 0 bytes"],
    ["06 01 81", "oid: object identifier truncated"],
    ["06 03 2a 80 01", "oid: object identifier not minimal"],
    [`06 41 ${"2a".repeat(65)}`, "oid: object identifier of 65 bytes"],
    ["04 01 2a", "oid: tag 0x4 instead of 0x6"],
  ])("%s is refused", (hex, message) => {
    expect(() => readOid(value(hex), "oid")).toThrow(message);
  });

  test("two encodings never read as one identifier", () => {
    const encoded = fc.uint8Array({ minLength: 1, maxLength: 24 });
    const read = (content: Uint8Array) => {
      try {
        return readOid(readDer(encodeDer(Tag.oid, content), "oid"), "oid");
      } catch {
        return null;
      }
    };
    fc.assert(
      fc.property(encoded, (content) => {
        const dotted = read(content);
        // arcs beyond a number's reach are not for the encoder
        if (dotted === null || dotted.split(".").some((arc) => !Number.isSafeInteger(Number(arc)))) return;
        expect(encodeOid(dotted)).toEqual(encodeDer(Tag.oid, content));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("INTEGER, BOOLEAN, BIT STRING", () => {
  test.each([
    ["02 01 00", 0],
    ["02 01 7f", 127],
    ["02 02 00 80", 128],
    ["02 05 00 ff ff ff ff", 0xffffffff],
  ])("%s is %d", (hex, number) => {
    expect(readSmallInteger(value(hex), "number")).toBe(number);
  });

  test.each([
    ["02 00", "number: empty integer"],
    ["02 02 00 7f", "number: integer not minimal"],
    ["02 02 ff 80", "number: integer not minimal"],
    ["02 01 80", "number: integer out of range"],
    ["02 06 01 00 00 00 00 00", "number: integer out of range"],
    ["0a 01 00", "number: tag 0xa instead of 0x2"],
  ])("%s is refused", (hex, message) => {
    expect(() => readSmallInteger(value(hex), "number")).toThrow(message);
  });

  test("a long INTEGER keeps its bytes", () => {
    expect(readInteger(value("02 03 ff 7f 01"), "serial")).toEqual(bytes("ff 7f 01"));
  });

  test("a BOOLEAN is 00 or ff", () => {
    expect(readBoolean(value("01 01 ff"), "flag")).toBe(true);
    expect(readBoolean(value("01 01 00"), "flag")).toBe(false);
    for (const hex of ["01 01 01", "01 00", "01 02 ff ff"])
      expect(() => readBoolean(value(hex), "flag")).toThrow("flag: not a DER boolean");
  });

  test("unused bits are counted, and are zero", () => {
    expect(readBitString(value("03 02 03 a8"), "bits")).toEqual({ bytes: bytes("a8"), unusedBits: 3 });
    expect(readBitString(value("03 01 00"), "bits")).toEqual({ bytes: bytes(""), unusedBits: 0 });
    expect(readBitString(value("03 02 07 80"), "bits")).toEqual({ bytes: bytes("80"), unusedBits: 7 });
    for (const hex of ["03 00", "03 01 01", "03 02 08 00"])
      expect(() => readBitString(value(hex), "bits")).toThrow("bits: malformed bit string");
    expect(() => readBitString(value("03 02 03 a9"), "bits")).toThrow("bits: unused bits set");
  });
});

describe("a time is exact", () => {
  test.each([
    [Tag.utcTime, "491231235959Z", "2049-12-31T23:59:59.000Z"],
    [Tag.utcTime, "500101000000Z", "1950-01-01T00:00:00.000Z"],
    [Tag.utcTime, "240229120000Z", "2024-02-29T12:00:00.000Z"],
    [Tag.generalizedTime, "99991231235959Z", "9999-12-31T23:59:59.000Z"],
    [Tag.generalizedTime, "00010101000000Z", "0001-01-01T00:00:00.000Z"],
  ])("tag %d: %s is %s", (tag, text, iso) => {
    expect(new Date(readTime(ascii(tag, text), "time")).toISOString()).toBe(iso);
  });

  test.each([
    [Tag.utcTime, "250230000000Z", "time: no such time"],
    [Tag.utcTime, "250229000000Z", "time: no such time"],
    [Tag.utcTime, "251301000000Z", "time: no such time"],
    [Tag.utcTime, "250101240000Z", "time: no such time"],
    [Tag.utcTime, "250101000060Z", "time: no such time"],
    [Tag.utcTime, "2501010000Z", "time: malformed time"],
    [Tag.utcTime, "250101000000+0000", "time: malformed time"],
    [Tag.utcTime, "20250101000000Z", "time: malformed time"],
    [Tag.utcTime, "2501010000 0Z", "time: malformed time"],
    [Tag.utcTime, "250101000000z", "time: malformed time"],
    [Tag.generalizedTime, "250101000000Z", "time: malformed time"],
    [Tag.generalizedTime, "20250101000000.5Z", "time: malformed time"],
    [Tag.generalizedTime, `${"9".repeat(10_000)}Z`, "time: malformed time"],
    [Tag.utf8String, "250101000000Z", "time: not a time"],
  ])("tag %d: %.20s is refused", (tag, text, message) => {
    expect(() => readTime(ascii(tag, text), "time")).toThrow(message);
  });
});

describe("character strings", () => {
  test.each([
    ["0c 03 e2 82 ac", "€"],
    ["0c 00", ""],
    ["1e 04 00 41 20 ac", "A€"],
    ["1e 04 d8 3d de 00", "😀"],
    ["1c 04 00 01 f6 00", "😀"],
    ["1c 0c 00 00 00 41 00 01 f6 00 00 00 00 42", "A😀B"],
    ["13 03 41 62 7a", "Abz"],
    ["14 01 e9", "é"],
    ["16 01 e9", "é"],
  ])("%s is %s", (hex, text) => {
    expect(readString(value(hex))).toBe(text);
  });

  test("a text of more bytes than are read at once is whole", () => {
    const bytes = new Uint8Array(10_000).fill(0xe9);
    expect(readString(readDer(encodeDer(Tag.teletexString, bytes), "value"))).toBe("é".repeat(10_000));
  });

  test.each([
    ["broken UTF-8", "0c 02 c3 28"],
    ["UTF-8 in more bytes than needed", "0c 02 c0 80"],
    ["a surrogate in UTF-8", "0c 03 ed a0 80"],
    ["half a BMPString character", "1e 01 41"],
    ["a lone surrogate", "1e 02 d8 00"],
    ["a UniversalString beyond Unicode", "1c 04 00 11 00 00"],
    ["a piece of a UniversalString", "1c 03 00 00 41"],
    ["a number", "02 01 41"],
  ])("%s is null", (_, hex) => {
    expect(readString(value(hex))).toBeNull();
  });

  test("a very long UniversalString is read like a short one", () => {
    const long = encodeDer(Tag.universalString, new Uint8Array(4 * 500_000));
    expect(readString(readDer(long, "text"))).toHaveLength(500_000);
  });
});

test("any bytes are read or refused with a DerError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(70), (input, offset) => {
      try {
        const der = readDerAt(input, offset, "value");
        expect(der.raw.length).toBeLessThanOrEqual(input.length - offset);
        if (der.tag & 0x20) children(der, "value");
      } catch (error) {
        expect(error).toBeInstanceOf(DerError);
      }
    }),
    { numRuns: 5_000 },
  );
});
