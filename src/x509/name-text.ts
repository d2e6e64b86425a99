import { toHex } from "../platform/encoding.ts";
import { type Attribute, AttributeType, type Name } from "./name.ts";

/** Short names from RFC 4514 section 3, X.520 and RFC 4519, for the attributes found in QTSP and PSP certificates. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  [AttributeType.commonName]: "CN",
  "2.5.4.4": "SN",
  "2.5.4.5": "serialNumber",
  [AttributeType.countryName]: "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "STREET",
  [AttributeType.organizationName]: "O",
  "2.5.4.11": "OU",
  "2.5.4.15": "businessCategory",
  "2.5.4.17": "postalCode",
  "2.5.4.42": "GN",
  [AttributeType.organizationIdentifier]: "organizationIdentifier",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
};

export const writeName = ({ rdns }: Name): string =>
  rdns
    .toReversed()
    .map((rdn) => rdn.map(writeAttribute).join("+"))
    .join(",");

/** RFC 4514 section 2.4: an attribute without a short name, or whose value is not a string, is written in hex DER. */
function writeAttribute({ oid, value, der }: Attribute): string {
  const type = SHORT_NAMES[oid];
  return type === undefined || value === null ? `${type ?? oid}=#${toHex(der.raw)}` : `${type}=${escapeValue(value)}`;
}

/** RFC 4514 section 2.4. Control and format characters are escaped too: they make one name look like another. */
const escapeValue = (value: string): string =>
  value
    .replaceAll(/[\\"+,;<>]|^[ #]|(?<=.) $/g, "\\$&")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      Array.from(new TextEncoder().encode(character), (byte) => `\\${toHex(Uint8Array.of(byte))}`).join(""),
    );
