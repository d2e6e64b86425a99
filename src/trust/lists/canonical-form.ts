/** Canonical XML without comments, by xmldsigjs' canonicaliser alone: its verification accepts a wrapped signature. */
import type { Document, Element } from "@xmldom/xmldom";
import { XmlCanonicalizer } from "xmldsigjs";
import type { Canonicalisation } from "./algorithms.ts";
import { isElement } from "./elements.ts";

const XMLNS = "http://www.w3.org/2000/xmlns/";

export function canonicalDocument(document: Document, { exclusive }: Canonicalisation): string {
  return new XmlCanonicalizer(false, exclusive).Canonicalize(document);
}

/** Canonicalises one element in the context of its document. */
export function canonicalElement(element: Element, { exclusive }: Canonicalisation): string {
  return new XmlCanonicalizer(false, exclusive).Canonicalize(exclusive ? element : withInheritedContext(element));
}

/** With what inclusive canonicalisation takes from the ancestors: namespace declarations and xml: attributes. */
function withInheritedContext(element: Element): Element {
  const copy = element.cloneNode(true) as Element;
  for (let node = element.parentNode; node && isElement(node); node = node.parentNode) {
    for (const attribute of Array.from(node.attributes)) {
      const inherited = attribute.namespaceURI === XMLNS || attribute.prefix === "xml";
      if (inherited && !copy.hasAttribute(attribute.name))
        copy.setAttributeNS(attribute.namespaceURI, attribute.name, attribute.value);
    }
  }
  return copy;
}
