import { describe, expect, test } from "vitest";
import {
  NCA,
  PLACE,
  psd2,
  qcCompliance,
  qcType,
  readMade,
  readStatement,
  role,
  roleOf,
  sequence,
  utf8,
} from "../../../fixtures/makers/certificate-maker.ts";
import { encodeDer, Tag } from "../../../src/x509/der.ts";
import { sentencesOf } from "./sentences-of.ts";

const number = encodeDer(Tag.integer, Uint8Array.of(1));

const NO_NUMBER = "organizationIdentifier VATXX-1 is not a PSD2 authorisation number: it does not begin with PSD";

describe("ncaName and ncaId", () => {
  const text = (tag: number, value: string) => encodeDer(tag, new TextEncoder().encode(value));
  const roles = sequence(role(3, "PSP_AI"));
  const readAuthority = (...parts: Uint8Array[]) => readStatement(roles, ...parts);

  test.each<[string, Uint8Array[], string | null, string | null, string[]]>([
    ["neither", [], null, null, ["no ncaName", "no ncaId"]],
    ["no ncaId", [utf8("A")], "A", null, ["no ncaId"]],
    [
      "PrintableString",
      [text(Tag.printableString, "A"), text(Tag.printableString, "XX-TEST")],
      "A",
      "XX-TEST",
      [
        "ncaName is of type printableString instead of utf8String",
        "ncaId is of type printableString instead of utf8String",
      ],
    ],
    ["a number", [number, utf8("XX-TEST")], null, "XX-TEST", ["ncaName is not a character string"]],
    [
      "broken UTF-8",
      [encodeDer(Tag.utf8String, Uint8Array.of(0xc3, 0x28)), utf8("XX-TEST")],
      null,
      "XX-TEST",
      ["ncaName is not a character string"],
    ],
    ["an empty ncaName", [utf8(""), utf8("XX-TEST")], null, "XX-TEST", ["ncaName is empty"]],
    ["an ncaName of blanks", [utf8("  "), utf8("XX-TEST")], null, "XX-TEST", ["ncaName is empty"]],
    [
      "an ncaName of 256 characters",
      [utf8("\u{10400}".repeat(256)), utf8("XX-TEST")],
      "\u{10400}".repeat(256),
      "XX-TEST",
      [],
    ],
    [
      "an ncaName of 257 characters",
      [utf8("A".repeat(257)), utf8("XX-TEST")],
      "A".repeat(257),
      "XX-TEST",
      ["ncaName has 257 characters instead of at most 256"],
    ],
    ["a third text", [...NCA, utf8("more")], "Test Authority", "XX-TEST", ["more than roles, ncaName and ncaId"]],
  ])("%s", async (_, parts, ncaName, ncaId, warnings) => {
    const psp = await readAuthority(...parts);
    expect(psp).toMatchObject({ ncaName, ncaId, roles: [roleOf(3, "PSP_AI")] });
    expect(sentencesOf(psp)).toEqual(warnings.map((warning) => PLACE + warning));
  });

  test("an empty ncaName is a missing one", async () => {
    const { warnings } = await readAuthority(utf8(""), utf8("XX-TEST"));
    expect(warnings.map(({ code }) => code)).toEqual(["nca_missing"]);
  });

  test.each([
    ["XX-TEST", "PSDXX-TEST-000001", []],
    ["XX-OB", "PSDXX-OB-TEST-000001", []],
    [
      "XX-OTHER",
      "PSDXX-TEST-000001",
      ["ncaId XX-OTHER is another NCA than the one in PSDXX-TEST-000001; the number counts"],
    ],
    ["XX-TE", "PSDXX-TEST-000001", ["ncaId XX-TE is another NCA than the one in PSDXX-TEST-000001; the number counts"]],
    [
      "XY-TEST",
      "PSDXX-TEST-000001",
      ["ncaId XY-TEST is of another country than the authorisation number (XX); the number counts"],
    ],
    ["XXTEST", "PSDXX-TEST-000001", ["ncaId XXTEST should be XX-TEST"]],
    ["XX_TEST", "PSDXX-TEST-000001", ["ncaId XX_TEST should be XX-TEST"]],
    ["xx-test", "PSDXX-TEST-000001", ["ncaId xx-test should be XX-TEST"]],
    ["XX-TE-ST", "PSDXX-TEST-000001", ["ncaId XX-TE-ST should be XX-TEST"]],
    ["TEST", "PSDXX-TEST-000001", ["ncaId TEST is not a country, a dash and 2 to 8 capitals"]],
    ["", "PSDXX-TEST-000001", ['ncaId "" is not a country, a dash and 2 to 8 capitals']],
    // there is nothing to compare with
    ["XX-TEST", "VATXX-1", [NO_NUMBER]],
    ["XXTEST", "VATXX-1", [NO_NUMBER, "ncaId XXTEST is not a country, a dash and 2 to 8 capitals"]],
    ["EL-BOG", "PSDGR-BOG-1", []],
    ["HR-CNB", "PSDHR-HNB-1", []],
    // the Open Banking Directory is no authority, so it contradicts none
    ["GB-OB", "PSDGB-OB-1", []],
    ["GB-FCA", "PSDGB-OB-1", []],
    ["GB-OB", "PSDGB-FCA-1", []],
    [
      "GB-OB",
      "PSDIE-CBI-1",
      ["ncaId GB-OB is of another country than the authorisation number (IE); the number counts"],
    ],
    [
      "IE-CBI",
      "PSDGB-OB-1",
      ["ncaId IE-CBI is of another country than the authorisation number (GB); the number counts"],
    ],
    ["IE-CBI", "PSDIE-OB-1", ["ncaId IE-CBI is another NCA than the one in PSDIE-OB-1; the number counts"]],
    ["GB-FCA", "PSDUK-FCA-1", ["organizationIdentifier PSDUK-FCA-1: the country UK is read as GB"]],
  ])("%s beside %s", async (ncaId, authNumber, remarks) => {
    const qcStatements = sequence(qcCompliance(), qcType(3), psd2(roles, utf8("A"), utf8(ncaId)));
    const psp = await readMade({ qcStatements, subject: `2.5.4.97=${authNumber}, O=Some PSP` });
    expect(psp.ncaId).toBe(ncaId);
    expect(sentencesOf(psp).map((warning) => warning.replace(PLACE, ""))).toEqual(remarks);
  });
});
