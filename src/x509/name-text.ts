/** Distinguished names as text: RFC 4514, the most specific attribute first. For people and logs; names are compared by names.ts. */
import { toHex } from "../encoding.ts";
import type { Attribute, Name } from "./name.ts";

/** The short names of RFC 4514 section 3 and, of X.520 and RFC 4519, those that certificates of QTSPs and PSPs hold. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.4": "SN",
  "2.5.4.5": "serialNumber",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "STREET",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.15": "businessCategory",
  "2.5.4.17": "postalCode",
  "2.5.4.42": "GN",
  "2.5.4.97": "organizationIdentifier",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
};

export const writeName = ({ rdns }: Name): string =>
  rdns
    .toReversed()
    .map((rdn) => rdn.map(writeAttribute).join("+"))
    .join(",");

/** A type without a short name is written with its value's encoding (section 2.4), as is a value that is not a string. */
function writeAttribute({ oid, value, der }: Attribute): string {
  const type = SHORT_NAMES[oid];
  return type === undefined || value === null ? `${type ?? oid}=#${toHex(der.raw)}` : `${type}=${escapeValue(value)}`;
}

/** Section 2.4. Control and format characters too, since they could make a name look like another. */
const escapeValue = (value: string): string =>
  value
    .replaceAll(/[\\"+,;<>]|^[ #]|(?<=.) $/g, "\\$&")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
      Array.from(new TextEncoder().encode(character), (byte) => `\\${toHex(Uint8Array.of(byte))}`).join(""),
    );
