import { describe, expect, test } from "vitest";
import { at, makeCertificate, sequence } from "../../../fixtures/makers/made-pki.ts";
import { readTrustFile } from "../../../src/trust/trust-file.ts";
import { encodeDer, encodeOid, Tag } from "../../../src/x509/der.ts";

const NOW = at("2026-06-10T12:00:00Z");
const attribute = (oid: string, text: string) =>
  encodeDer(Tag.set, sequence(encodeOid(oid), encodeDer(Tag.utf8String, Buffer.from(text))));
const named = (subject: Uint8Array) => makeCertificate({ subject }).certificate;
const organisation = attribute("2.5.4.10", "Trust Ltd");
const common = attribute("2.5.4.3", "CA 1");
const base64 = ({ der }: { der: Uint8Array }) => Buffer.from(der).toString("base64");
const pem = (text: string) =>
  `-----BEGIN CERTIFICATE-----\n${text.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;

describe("PEM", () => {
  const owner = { source: "OBIE", jurisdiction: "uk" };

  test("is a list of services, each granted from its notBefore for any use", () => {
    const [both, onlyCommon, onlyOrganisation, nothing] = [
      named(sequence(organisation, common)),
      named(sequence(common)),
      named(sequence(organisation)),
      named(sequence()),
    ];
    const certificates = [both, onlyCommon, onlyOrganisation, nothing];
    const read = readTrustFile(`a comment\n${certificates.map((each) => pem(base64(each))).join("\n")}`, owner, NOW);
    const periods = [{ status: "granted", from: "2026-01-01T00:00:00.000Z", uses: null }];
    const names = [
      { qtspName: "Trust Ltd", serviceName: "CA 1" },
      { qtspName: "CA 1", serviceName: "CA 1" },
      { qtspName: "Trust Ltd", serviceName: "Trust Ltd" },
      { qtspName: "", serviceName: "" },
    ];
    expect(read).toEqual({
      ok: true,
      list: {
        source: "OBIE",
        jurisdiction: "GB",
        sequenceNumber: 0,
        issuedAt: "2026-06-10T12:00:00.000Z",
        nextUpdate: null,
        services: 4,
        anchors: certificates.map((each, i) => ({
          certificate: base64(each),
          ...names[i],
          periods,
          source: "OBIE",
          jurisdiction: "GB",
        })),
      },
    });
  });

  test("needs a source and a jurisdiction", () => {
    const text = pem(base64(named(sequence(common))));
    const problems = ["PEM anchors need --source (e.g. OBIE) and --jurisdiction"];
    for (const given of [
      {},
      { source: "OBIE" },
      { jurisdiction: "GB" },
      { source: "O BIE", jurisdiction: "GB" },
      { source: "", jurisdiction: "GB" },
      { source: "a".repeat(33), jurisdiction: "GB" },
      { source: "OBIE", jurisdiction: "GBR" },
      { source: "OBIE", jurisdiction: "1B" },
    ])
      expect(readTrustFile(text, given, NOW)).toEqual({ ok: false, problems });
    expect(readTrustFile(text, { source: "a".repeat(32), jurisdiction: "GB" }, NOW)).toMatchObject({ ok: true });
  });

  test("is refused whole for any certificate that cannot be read, each by its number", () => {
    const text = [pem("?"), pem(base64(named(sequence(common)))), pem("MAA=")].join("");
    const read = readTrustFile(text, owner, NOW);
    expect(read.ok ? [] : read.problems).toEqual([
      "certificate 1: not base64",
      expect.stringMatching(/^certificate 3: .+/),
    ]);
  });
});

describe("JSON", () => {
  const certificate = base64(named(sequence(common)));
  const period = { status: "granted", from: "2017-01-01T00:00:00Z", uses: ["web-authentication", "seal", "signature"] };
  const anchor = { certificate, qtspName: " QTSP ", serviceName: "CA", periods: [period] };
  const file = {
    source: "sandbox",
    jurisdiction: "el",
    sequenceNumber: 0,
    issuedAt: "2026-06-01T02:00:00+02:00",
    nextUpdate: null as string | null,
    anchors: [anchor],
  };
  const read = (value: unknown) => readTrustFile(JSON.stringify(value), {}, NOW);
  const problemsOf = (value: unknown) => {
    const result = read(value);
    return result.ok ? [] : result.problems;
  };

  test("is read into its normal form", () => {
    expect(read(file)).toEqual({
      ok: true,
      list: {
        source: "sandbox",
        jurisdiction: "GR",
        sequenceNumber: 0,
        issuedAt: "2026-06-01T00:00:00.000Z",
        nextUpdate: null,
        services: 1,
        anchors: [
          {
            ...anchor,
            qtspName: "QTSP",
            periods: [{ ...period, from: "2017-01-01T00:00:00.000Z" }],
            source: "sandbox",
            jurisdiction: "GR",
          },
        ],
      },
    });
    expect(read({ ...file, anchors: [] })).toMatchObject({ ok: true, list: { services: 0, anchors: [] } });
    expect(read({ ...file, nextUpdate: "2026-07-01T00:00:00Z" })).toMatchObject({
      list: { nextUpdate: "2026-07-01T00:00:00.000Z" },
    });
  });

  test("has the periods of a service in order of time", () => {
    const later = { status: "withdrawn", from: "2020-01-01T00:00:00Z", uses: null };
    const result = read({ ...file, anchors: [{ ...anchor, periods: [later, period] }] });
    expect(result.ok && result.list.anchors[0]?.periods.map(({ status }) => status)).toEqual(["granted", "withdrawn"]);
  });

  test.each<[string, unknown, RegExp]>([
    ["another field", { ...file, more: 1 }, /^: .*more/],
    ["another field of an anchor", { ...file, anchors: [{ ...anchor, more: 1 }] }, /^anchors\.0: .*more/],
    [
      "another field of a period",
      { ...file, anchors: [{ ...anchor, periods: [{ ...period, more: 1 }] }] },
      /^anchors\.0\.periods\.0: .*more/,
    ],
    ["no periods", { ...file, anchors: [{ ...anchor, periods: [] }] }, /^anchors\.0\.periods: /],
    ["no name", { ...file, anchors: [{ ...anchor, qtspName: " " }] }, /^anchors\.0\.qtspName: /],
    [
      "a name too long",
      { ...file, anchors: [{ ...anchor, serviceName: "a".repeat(513) }] },
      /^anchors\.0\.serviceName: /,
    ],
    [
      "bytes that are no base64",
      { ...file, anchors: [{ ...anchor, certificate: "?" }] },
      /^anchors\.0\.certificate: not base64$/,
    ],
    [
      "bytes that are no certificate",
      { ...file, anchors: [{ ...anchor, certificate: "MAA=" }] },
      /^anchors\.0\.certificate: ./,
    ],
    [
      "a status as a URI",
      { ...file, anchors: [{ ...anchor, periods: [{ ...period, status: "http://x/granted" }] }] },
      /status: the last segment/,
    ],
    [
      "a status in capitals",
      { ...file, anchors: [{ ...anchor, periods: [{ ...period, status: "Granted" }] }] },
      /status: the last segment/,
    ],
    [
      "a status with more after it",
      { ...file, anchors: [{ ...anchor, periods: [{ ...period, status: "granted1" }] }] },
      /status: the last segment/,
    ],
    ["an unknown use", { ...file, anchors: [{ ...anchor, periods: [{ ...period, uses: ["x"] }] }] }, /uses\.0: /],
    ["a negative number", { ...file, sequenceNumber: -1 }, /^sequenceNumber: /],
    ["a date without time", { ...file, issuedAt: "2026-06-01" }, /^issuedAt: /],
    ["a country of three letters", { ...file, jurisdiction: "GRC" }, /^jurisdiction: a two-letter country code$/],
    ["a country of digits", { ...file, jurisdiction: "12" }, /^jurisdiction: a two-letter country code$/],
    ["a source with a blank", { ...file, source: "a b" }, /^source: 1 to 32 letters, digits and dashes$/],
  ])("with %s is refused", (_, value, problem) => {
    expect(problemsOf(value)).toEqual([expect.stringMatching(problem)]);
  });

  test("is not what is neither", () => {
    expect(readTrustFile("<html>", {}, NOW)).toEqual({
      ok: false,
      problems: [expect.stringMatching(/^neither PEM certificates nor JSON: .+/)],
    });
  });
});
