/** The Qualifications extension of a service's entry (TS 119 612 section 5.5.9.2), read; what it means is for eidas/ to say. */
import type { Element } from "@xmldom/xmldom";
import type { Qualification } from "../trust/qualification.ts";
import { readCriteriaList } from "./criteria.ts";
import { childrenNamed, findChild, Namespace } from "./elements.ts";
import { ListRefused } from "./refusal.ts";

/** Of one entry: the lists of 2026 have at most a few dozen. */
const MAX_QUALIFICATIONS = 500;

/** Section 5.5.9.2.3, and what ETSI TS 102 231 wrote before there were trusted lists of the Union. */
const VOCABULARIES = [
  "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/",
  "http://uri.etsi.org/TrstSvc/eSigDir-1999-93-EC-TrustedList/SvcInfoExt/",
];

/** Those of all the extensions (ServiceInformationExtensions), in order. Throws ListRefused. */
export function readQualifications(extensions: Element): Qualification[] {
  const found: Qualification[] = [];
  for (const extension of childrenNamed(extensions, "Extension"))
    for (const qualifications of childrenNamed(extension, "Qualifications", Namespace.qualifications))
      for (const element of childrenNamed(qualifications, "QualificationElement", Namespace.qualifications)) {
        if (found.length === MAX_QUALIFICATIONS)
          throw new ListRefused("content", `a service with more than ${MAX_QUALIFICATIONS} qualifications`);
        found.push(readElement(element, isCritical(extension)));
      }
  return found;
}

/** The schema demands the attribute: what lacks it, or has another value, is taken for the stricter. */
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
