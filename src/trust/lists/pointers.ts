/** Reads pointers to other lists (TS 119 612 section 5.3.13): where a list is published and who may sign it. */
import type { Element } from "@xmldom/xmldom";
import { fromBase64, toBase64 } from "../../platform/encoding.ts";
import { childrenNamed, childText, findChild, Namespace, preferEnglish, textOf } from "./elements.ts";

export interface Pointer {
  /** As spelled in the list of lists: "EL", "UK", "EU". */
  readonly territoryOnList: string;
  readonly location: string;
  readonly mimeType: string;
  /** Base64 DER of the certificates whose keys may sign that list. */
  readonly signers: readonly string[];
  readonly operatorName: string | null;
}

/** MIME type of the XML form of a list. There are also pointers to PDF versions. */
export const LIST_MIME_TYPE = "application/vnd.etsi.tsl+xml";

export function readPointer(pointer: Element): Pointer {
  const facts = additionalInformation(pointer);
  return {
    territoryOnList: textOrEmpty(facts("SchemeTerritory", Namespace.list)),
    location: childText(pointer, "TSLLocation"),
    mimeType: textOrEmpty(facts("MimeType", Namespace.additionalTypes)),
    signers: readSigners(pointer),
    operatorName: preferEnglish(facts("SchemeOperatorName", Namespace.list), "Name"),
  };
}

const textOrEmpty = (element: Element | null): string => (element ? textOf(element) : "");

/** Each value is in its own OtherInformation element. */
function additionalInformation(pointer: Element) {
  const information = findChild(pointer, "AdditionalInformation");
  const facts = information ? childrenNamed(information, "OtherInformation") : [];
  return (name: string, namespace: string): Element | null =>
    facts.map((fact) => findChild(fact, name, namespace)).find((found) => found !== null) ?? null;
}

function readSigners(pointer: Element): string[] {
  const identities = findChild(pointer, "ServiceDigitalIdentities");
  if (!identities) return [];
  return childrenNamed(identities, "ServiceDigitalIdentity").flatMap(readCertificates);
}

/** The certificates of a digital identity (TS 119 612 section 5.5.3), base64 DER. Other identities are ignored. */
export function readCertificates(identity: Element): string[] {
  const found: string[] = [];
  for (const digitalId of childrenNamed(identity, "DigitalId"))
    for (const certificate of childrenNamed(digitalId, "X509Certificate")) {
      const der = fromBase64(textOf(certificate));
      if (der) found.push(toBase64(der));
    }
  return found;
}

/** Returns the certificates (DER) that may sign the XML form of the territory's list. */
export const signersFor = (pointers: readonly Pointer[], territoryOnList: string): Uint8Array[] =>
  pointers
    .filter((pointer) => pointer.territoryOnList === territoryOnList && pointer.mimeType === LIST_MIME_TYPE)
    .flatMap((pointer) => pointer.signers)
    .map(fromBase64)
    .filter((der) => der !== null);
