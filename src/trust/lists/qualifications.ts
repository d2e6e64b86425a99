import type { Element } from "@xmldom/xmldom";
import type { Criterion, Qualification } from "../anchors.ts";
import { childrenNamed, elementsIn, findChild, isNamed, ListRefused, Namespace, textOf } from "./elements.ts";

/** Maximum per service entry. The lists of 2026 have at most a few dozen. */
const MAX_QUALIFICATIONS = 500;

/** The URIs of TS 119 612 section 5.5.9.2.3, and those of ETSI TS 102 231, which came before the EU trusted lists. */
const VOCABULARIES = [
  "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/",
  "http://uri.etsi.org/TrstSvc/eSigDir-1999-93-EC-TrustedList/SvcInfoExt/",
];

/** TS 119 612 sections 5.5.9.1 to 5.5.9.4. */
const EXTENSIONS = [
  ["ExpiredCertsRevocationInfo", Namespace.list],
  ["Qualifications", Namespace.qualifications],
  ["TakenOverBy", Namespace.additionalTypes],
  ["AdditionalServiceInformation", Namespace.list],
] as const;

/** A critical extension of an unknown kind must be understood (section 5.5.9): it becomes an unknown criterion. */
export function readQualifications(extensions: Element): Qualification[] {
  const found: Qualification[] = [];
  for (const extension of childrenNamed(extensions, "Extension")) {
    const stranger = isCritical(extension) ? findStranger(extension) : null;
    if (stranger) found.push({ qualifiers: [], criteria: { unknown: nameOf(stranger) }, critical: true });
    for (const qualifications of childrenNamed(extension, "Qualifications", Namespace.qualifications))
      for (const element of childrenNamed(qualifications, "QualificationElement", Namespace.qualifications)) {
        if (found.length === MAX_QUALIFICATIONS)
          throw new ListRefused("content", `a service with more than ${MAX_QUALIFICATIONS} qualifications`);
        found.push(readElement(element, isCritical(extension)));
      }
  }
  return found;
}

const nameOf = ({ localName }: Element): string => `the extension ${(localName ?? "").slice(0, 100)}`;

const findStranger = (extension: Element): Element | undefined =>
  elementsIn(extension).find((each) => !EXTENSIONS.some(([name, namespace]) => isNamed(each, name, namespace)));

/** The schema requires the attribute. A missing or unknown value is treated as critical, the stricter case. */
const isCritical = (extension: Element): boolean => !["false", "0"].includes(extension.getAttribute("Critical") ?? "");

function readElement(element: Element, critical: boolean): Qualification {
  const qualifiers = findChild(element, "Qualifiers", Namespace.qualifications);
  const uris = childrenNamed(qualifiers, "Qualifier", Namespace.qualifications);
  const criteria = findChild(element, "CriteriaList", Namespace.qualifications);
  return {
    qualifiers: uris.map((qualifier) => shorten(qualifier.getAttribute("uri")?.trim() ?? "")),
    criteria: criteria ? readCriteriaList(criteria) : { unknown: "no criteria list" },
    ...(critical && { critical }),
  };
}

const shorten = (uri: string): string => {
  const vocabulary = VOCABULARIES.find((each) => uri.startsWith(each));
  return vocabulary === undefined ? uri.slice(0, 200) : uri.slice(vocabulary.length);
};

/** Published lists use two levels. */
const MAX_NESTING = 8;

/** Names of the key usage bits, by bit number (RFC 5280 section 4.2.1.3). The schema spells crlSign with a small c. */
const KEY_USAGE_BITS = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "crlSign",
  "encipherOnly",
  "decipherOnly",
];

/** Criteria that are not understood are kept as `unknown`: the evaluation takes them into account. */
function readCriteriaList(list: Element, nesting = 1): Criterion {
  if (nesting > MAX_NESTING) return { unknown: `criteria lists nested deeper than ${MAX_NESTING}` };
  const criteria = elementsIn(list).flatMap((element) => readCriterion(element, nesting));
  // an empty list would match every certificate or none, so its meaning is unclear
  if (criteria.length === 0) return { unknown: "an empty criteria list" };
  const assertion = list.getAttribute("assert");
  switch (assertion) {
    case "all":
      return { all: criteria };
    case "atLeastOne":
      return { atLeastOne: criteria };
    case "none":
      return { none: criteria };
    default:
      return { unknown: `a criteria list of the kind ${assertion}` };
  }
}

function readCriterion(element: Element, nesting: number): Criterion[] {
  if (element.namespaceURI === Namespace.qualifications)
    switch (element.localName) {
      case "KeyUsage":
        return [readKeyUsage(element)];
      case "PolicySet":
        return [ofIdentifiers(childrenNamed(element, "PolicyIdentifier", Namespace.qualifications), "policies")];
      case "CriteriaList":
        return [readCriteriaList(element, nesting + 1)];
      case "otherCriteriaList":
        // TS 119 612 section 5.5.9.2.2.3: criteria added after the first version of the schema
        return elementsIn(element).map(readOther);
      case "Description":
        return [];
    }
  return [unknown(element)];
}

function readOther(element: Element): Criterion {
  if (element.namespaceURI === Namespace.additionalTypes)
    switch (element.localName) {
      case "ExtendedKeyUsage":
        return ofIdentifiers(childrenNamed(element, "KeyPurposeId", Namespace.additionalTypes), "purposes");
      case "CertSubjectDNAttribute":
        return ofIdentifiers(childrenNamed(element, "AttributeOID", Namespace.additionalTypes), "subject");
    }
  return unknown(element);
}

function readKeyUsage(element: Element): Criterion {
  const wanted = { set: 0, clear: 0 };
  for (const bit of childrenNamed(element, "KeyUsageBit", Namespace.qualifications)) {
    const name = bit.getAttribute("name") ?? "";
    const n = KEY_USAGE_BITS.indexOf(name);
    const value = textOf(bit);
    const state = BOOLEANS.get(value);
    if (n < 0 || !state) return { unknown: `the key usage ${name} ${value}`.slice(0, MAX_NAME) };
    wanted[state] |= 1 << n;
  }
  return wanted.set + wanted.clear > 0 ? { keyUsage: wanted } : { unknown: "a key usage without bits" };
}

/** The lexical forms of xsd:boolean. */
const BOOLEANS: ReadonlyMap<string, "set" | "clear"> = new Map([
  ["true", "set"],
  ["1", "set"],
  ["false", "clear"],
  ["0", "clear"],
]);

/** Identifiers in XAdES (EN 319 132-1 section 5.1.2): a plain OID, or a urn:oid: URN (RFC 3061). Italy's list had `oid:`. */
const IDENTIFIER = /^(?:(?:urn:)?oid:)?(\d+(?:\.\d+)+)$/i;

function ofIdentifiers(elements: readonly Element[], kind: "policies" | "purposes" | "subject"): Criterion {
  const found: string[] = [];
  for (const element of elements) {
    const identifier = findChild(element, "Identifier", Namespace.xades);
    const text = identifier ? textOf(identifier) : "";
    const oid = IDENTIFIER.exec(text)?.[1];
    if (oid === undefined) return { unknown: `${element.localName} ${text}`.slice(0, MAX_NAME) };
    found.push(oid);
  }
  if (found.length === 0) return { unknown: `no identifiers of ${kind}` };
  return kind === "policies" ? { policies: found } : kind === "purposes" ? { purposes: found } : { subject: found };
}

const MAX_NAME = 100;

const unknown = (element: Element): Criterion => ({ unknown: (element.localName ?? "").slice(0, MAX_NAME) });
