import type { Element } from "@xmldom/xmldom";
import type { Qualification } from "../qualification.ts";
import { readCriteriaList } from "./criteria.ts";
import { childrenNamed, findChild, isElement, isNamed, Namespace } from "./elements.ts";
import { ListRefused } from "./refusal.ts";

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

/** The first element that is of no known kind. */
function findStranger(extension: Element): Element | null {
  for (let node = extension.firstChild; node; node = node.nextSibling) {
    const isKnown = EXTENSIONS.some(([name, namespace]) => node && isNamed(node, name, namespace));
    if (isElement(node) && !isKnown) return node;
  }
  return null;
}

/** The schema requires the attribute. A missing or unknown value is treated as critical, the stricter case. */
const isCritical = (extension: Element): boolean => !["false", "0"].includes(extension.getAttribute("Critical") ?? "");

function readElement(element: Element, critical: boolean): Qualification {
  const qualifiers = findChild(element, "Qualifiers", Namespace.qualifications);
  const uris = qualifiers ? childrenNamed(qualifiers, "Qualifier", Namespace.qualifications) : [];
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
