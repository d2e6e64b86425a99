import type { Element } from "@xmldom/xmldom";
import { describe, expect, test } from "vitest";
import { parseXml } from "../../../../src/trust/lists/document.ts";
import { Namespace } from "../../../../src/trust/lists/elements.ts";
import { LIST_MIME_TYPE, type Pointer, readPointer, signersFor } from "../../../../src/trust/lists/scheme.ts";

function element(content: string): Element {
  return parseXml(
    `<OtherTSLPointer xmlns="${Namespace.list}" xmlns:t="${Namespace.additionalTypes}">${content}</OtherTSLPointer>`,
  );
}
const digitalId = (...base64: string[]) =>
  `<DigitalId>${base64.map((each) => `<X509Certificate>${each}</X509Certificate>`).join("")}</DigitalId>`;
const identity = (...ids: string[]) => `<ServiceDigitalIdentity>${ids.join("")}</ServiceDigitalIdentity>`;
const identities = (...all: string[]) => `<ServiceDigitalIdentities>${all.join("")}</ServiceDigitalIdentities>`;
const information = (...facts: string[]) =>
  `<AdditionalInformation>${facts.map((fact) => `<OtherInformation>${fact}</OtherInformation>`).join("")}</AdditionalInformation>`;
const location = "<TSLLocation> http://list.test/list.xml </TSLLocation>";

describe("a pointer", () => {
  test("names territory, place, form, operator and signers", () => {
    const facts = information(
      "<TSLType>x</TSLType>",
      "<SchemeTerritory>EL</SchemeTerritory>",
      '<SchemeOperatorName><Name xml:lang="el">b</Name><Name xml:lang="en">a</Name></SchemeOperatorName>',
      `<t:MimeType>${LIST_MIME_TYPE}</t:MimeType>`,
    );
    const signers = identities(
      identity(digitalId("MA\nAB"), "<DigitalId><X509SKI>AAAA</X509SKI></DigitalId>"),
      identity(digitalId("MAAC", "?", "MAAD")),
    );
    const skipped: string[] = [];
    expect(readPointer(element(signers + location + facts), skipped)).toEqual({
      territoryOnList: "EL",
      location: "http://list.test/list.xml",
      mimeType: LIST_MIME_TYPE,
      signers: ["MAAB", "MAAC", "MAAD"],
      operatorName: "a",
    });
    expect(skipped).toEqual(["pointer to the list of EL: certificate left out: it is not base64"]);
  });

  test("may lack all but the place", () => {
    const bare = {
      territoryOnList: "",
      location: "http://list.test/list.xml",
      mimeType: "",
      signers: [],
      operatorName: null,
    };
    expect(readPointer(element(location))).toEqual(bare);
    expect(readPointer(element(identities() + location + information()))).toEqual(bare);
    expect(() => readPointer(element(information()))).toThrow("OtherTSLPointer has no TSLLocation");
  });

  test("has its form in the namespace of additional types only", () => {
    const facts = information("<MimeType>other</MimeType>", "<t:SchemeTerritory>XX</t:SchemeTerritory>");
    expect(readPointer(element(location + facts))).toMatchObject({ mimeType: "", territoryOnList: "" });
  });
});

test("a territory's signers are those of all pointers to its XML form", () => {
  const pointer = (territoryOnList: string, mimeType: string, ...signers: string[]): Pointer => ({
    ...{ territoryOnList, mimeType, signers, location: "", operatorName: null },
  });
  const pointers = [
    pointer("EL", LIST_MIME_TYPE, "AQ==", "?", "Ag=="),
    pointer("EL", "application/pdf", "Aw=="),
    pointer("DE", LIST_MIME_TYPE, "BA=="),
    pointer("EL", LIST_MIME_TYPE, "BQ=="),
  ];
  expect(signersFor(pointers, "EL").map((der) => [...der])).toEqual([[1], [2], [5]]);
  expect(signersFor(pointers, "FR")).toEqual([]);
});
