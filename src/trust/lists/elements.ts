/** Reads elements of a trusted list by exact name and namespace, from parent to child, never by a search. */
import type { Element, Node } from "@xmldom/xmldom";
import { boundedInstant } from "../../platform/instant.ts";

export const Namespace = {
  /** ETSI TS 119 612 annex C. Versions 5 and 6 use the same namespace. */
  list: "http://uri.etsi.org/02231/v2#",
  additionalTypes: "http://uri.etsi.org/02231/v2/additionaltypes#",
  qualifications: "http://uri.etsi.org/TrstSvc/SvcInfoExt/eSigDir-1999-93-EC-TrustedList/#",
  signature: "http://www.w3.org/2000/09/xmldsig#",
  xades: "http://uri.etsi.org/01903/v1.3.2#",
} as const;

export const isElement = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE;

export const isNamed = (node: Node, name: string, namespace: string): node is Element =>
  isElement(node) && node.localName === name && node.namespaceURI === namespace;

/** The child elements, in document order. */
export function elementsIn(parent: Element): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node; node = node.nextSibling) if (isElement(node)) found.push(node);
  return found;
}

/** None where there is no parent. */
export const childrenNamed = (parent: Element | null, name: string, namespace: string = Namespace.list): Element[] =>
  (parent ? elementsIn(parent) : []).filter((element) => isNamed(element, name, namespace));

/** Returns the child with this name, or null. Two are refused, so that all readers of the list use the same one. */
export function findChild(parent: Element, name: string, namespace: string = Namespace.list): Element | null {
  const [first, second] = childrenNamed(parent, name, namespace);
  if (second) throw new ListRefused("content", `${parent.localName} has two ${name}`);
  return first ?? null;
}

export function requireChild(parent: Element, name: string, namespace: string = Namespace.list): Element {
  const child = findChild(parent, name, namespace);
  if (!child) throw new ListRefused("content", `${parent.localName} has no ${name}`);
  return child;
}

/** The text, trimmed, joined around comments and CDATA. Child elements are refused: readers disagree on them. */
export function textOf(element: Element): string {
  let text = "";
  for (let node = element.firstChild; node; node = node.nextSibling) {
    if (node.nodeType === node.TEXT_NODE || node.nodeType === node.CDATA_SECTION_NODE) text += node.nodeValue ?? "";
    else if (node.nodeType !== node.COMMENT_NODE)
      throw new ListRefused("content", `${element.localName} contains more than text`);
  }
  return text.trim();
}

export const childText = (parent: Element, name: string, namespace: string = Namespace.list): string =>
  textOf(requireChild(parent, name, namespace));

/** The English text (TS 119 612 section 5.1.4), otherwise the first; null if there is none. */
export function preferEnglish(parent: Element | null, name: string): string | null {
  const all = childrenNamed(parent, name);
  const chosen = all.find((one) => one.getAttribute("xml:lang")?.toLowerCase() === "en") ?? all[0];
  return chosen ? textOf(chosen) : null;
}

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/** Reads an xsd:dateTime with a time zone. Returns an ISO instant in UTC, without the milliseconds if they are zero. */
export function readInstant(element: Element): string {
  const text = textOf(element);
  const time = DATE_TIME.test(text) ? boundedInstant(Date.parse(text)) : null;
  if (time === null)
    throw new ListRefused("content", `${element.localName}: not a date and time: ${text.slice(0, 40)}`);
  return new Date(time).toISOString().replace(".000Z", "Z");
}

/** Reads a non-negative integer of at most 15 digits, which a number holds exactly. */
export function readCount(element: Element): number {
  const text = textOf(element);
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw new ListRefused("content", `${element.localName}: not a number: ${text.slice(0, 40)}`);
  return value;
}

export type RefusalReason =
  | "empty"
  | "too large"
  | "not UTF-8"
  | "document type"
  | "not well-formed"
  | "too deep"
  | "not a trusted list"
  | "no signature"
  | "several signatures"
  | "misplaced signature"
  | "duplicate Id"
  | "signature form"
  | "references"
  | "transforms"
  | "algorithm"
  | "unknown signer"
  | "signer not valid"
  | "digest"
  | "signature value"
  | "content"
  | "no list of lists"
  | "unknown territory"
  | "pivots"
  | "older than loaded";

export interface Refusal {
  readonly ok: false;
  readonly reason: RefusalReason;
  /** One sentence for the operator: what is wrong, and where. */
  readonly message: string;
}

export class ListRefused extends Error {
  override readonly name = "ListRefused";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Runs the rules and returns a refusal for the first violated one. Any other error is a bug and is thrown again. */
export async function answerRefusals<T>(rules: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await rules();
  } catch (error) {
    if (error instanceof ListRefused) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}
