/** Reads what a list says about itself (TS 119 612 section 5.3). */
import type { Element } from "@xmldom/xmldom";
import { fromBase64, toBase64 } from "../../platform/encoding.ts";
import {
  childrenNamed,
  childText,
  findChild,
  ListRefused,
  Namespace,
  preferEnglish,
  readCount,
  readInstant,
  requireChild,
  textOf,
} from "./elements.ts";

const TYPES: Readonly<Record<string, Scheme["kind"]>> = {
  "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUlistofthelists": "list of lists",
  "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric": "national",
};

export interface Scheme {
  readonly kind: "list of lists" | "national";
  readonly territoryOnList: string;
  readonly version: 5 | 6;
  readonly sequenceNumber: number;
  /** ISO instants in UTC. `nextUpdate` is null on a closed list (TS 119 612 section 5.3.15). */
  readonly issued: string;
  readonly nextUpdate: string | null;
  readonly pointers: readonly Pointer[];
  /** URLs of the pivots that a list of lists names, in its order: newest first. */
  readonly pivots: readonly string[];
  /** Address of the newest notice of the Official Journal that a list of lists names; null if it names none. */
  readonly journal: string | null;
  /** What cannot be read of it, one sentence each. */
  readonly skipped: readonly string[];
}

const schemeInformation = (root: Element): Element => requireChild(root, "SchemeInformation");

export function readTerritory(root: Element): string {
  const territory = childText(schemeInformation(root), "SchemeTerritory");
  if (!/^[A-Z]{2}$/.test(territory)) throw new ListRefused("content", `not a territory: ${territory.slice(0, 20)}`);
  return territory;
}

export function readScheme(root: Element): Scheme {
  const scheme = schemeInformation(root);
  const territoryOnList = readTerritory(root);
  const nextUpdate = findChild(requireChild(scheme, "NextUpdate"), "dateTime");
  const skipped: string[] = [];
  const addresses = childrenNamed(findChild(scheme, "SchemeInformationURI"), "URI").map(textOf);
  return {
    kind: readKind(scheme, territoryOnList),
    territoryOnList,
    version: readVersion(scheme),
    sequenceNumber: readCount(requireChild(scheme, "TSLSequenceNumber")),
    issued: readInstant(requireChild(scheme, "ListIssueDateTime")),
    nextUpdate: nextUpdate && readInstant(nextUpdate),
    pointers: childrenNamed(findChild(scheme, "PointersToOtherTSL"), "OtherTSLPointer").map((pointer) =>
      readPointer(pointer, skipped),
    ),
    pivots: addresses.filter((uri) => PIVOT.test(uri)),
    journal: addresses.find((uri) => uri.startsWith(JOURNALS)) ?? null,
    skipped,
  };
}

function readKind(scheme: Element, territory: string): Scheme["kind"] {
  const type = childText(scheme, "TSLType");
  const kind = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!kind || (kind === "list of lists") !== (territory === "EU"))
    throw new ListRefused("content", `a list for ${territory} of the type ${type.slice(0, 100)}`);
  return kind;
}

function readVersion(scheme: Element): 5 | 6 {
  const version = readCount(requireChild(scheme, "TSLVersionIdentifier"));
  if (version !== 5 && version !== 6)
    throw new ListRefused("content", `version ${version}; only 5 and 6 are supported`);
  return version;
}

/** Where the Official Journal is published. */
const JOURNALS = "https://eur-lex.europa.eu/";

const PIVOT = /\/[\w.-]*pivot-\d+[\w-]*\.xml$/;

export interface Pointer {
  /** As spelled in the list of lists: "EL", "UK", "EU". */
  readonly territoryOnList: string;
  readonly location: string;
  readonly mimeType: string;
  readonly signers: readonly string[];
  readonly operatorName: string | null;
}

/** MIME type of the XML form of a list. There are also pointers to PDF versions. */
export const LIST_MIME_TYPE = "application/vnd.etsi.tsl+xml";

/** `skipped` gets a sentence on each signer that cannot be read. */
export function readPointer(pointer: Element, skipped: string[] = []): Pointer {
  const facts = additionalInformation(pointer);
  const territoryOnList = textOrEmpty(facts("SchemeTerritory", Namespace.list));
  return {
    territoryOnList,
    location: childText(pointer, "TSLLocation"),
    mimeType: textOrEmpty(facts("MimeType", Namespace.additionalTypes)),
    signers: childrenNamed(findChild(pointer, "ServiceDigitalIdentities"), "ServiceDigitalIdentity").flatMap(
      (identity) => readCertificates(identity, `pointer to the list of ${territoryOnList}`, skipped),
    ),
    operatorName: preferEnglish(facts("SchemeOperatorName", Namespace.list), "Name"),
  };
}

const textOrEmpty = (element: Element | null): string => (element ? textOf(element) : "");

/** Each value is in its own OtherInformation element. */
function additionalInformation(pointer: Element) {
  const facts = childrenNamed(findChild(pointer, "AdditionalInformation"), "OtherInformation");
  return (name: string, namespace: string): Element | null =>
    facts.map((fact) => findChild(fact, name, namespace)).find((found) => found !== null) ?? null;
}

/**
 * The certificates of a digital identity (TS 119 612 section 5.5.3), base64 DER. Other identities are ignored. `skipped` gets
 * a sentence on each that is no base64, which begins with `where`.
 */
export const readCertificates = (identity: Element, where: string, skipped: string[]): string[] =>
  childrenNamed(identity, "DigitalId")
    .flatMap((digitalId) => childrenNamed(digitalId, "X509Certificate"))
    .flatMap((certificate) => {
      const der = fromBase64(textOf(certificate));
      if (!der) skipped.push(`${where}: certificate left out: it is not base64`);
      return der ? [toBase64(der)] : [];
    });

export const signersFor = (pointers: readonly Pointer[], territoryOnList: string): Uint8Array[] =>
  pointers
    .filter((pointer) => pointer.territoryOnList === territoryOnList && pointer.mimeType === LIST_MIME_TYPE)
    .flatMap((pointer) => pointer.signers)
    .map(fromBase64)
    .filter((der) => der !== null);
