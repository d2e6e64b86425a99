/**
 * Parses the bytes of a list. Refused are document types (so that only XML's five entities exist), other encodings than
 * UTF-8, characters outside XML 1.0, and nesting that would exhaust the stack.
 */
import { DOMParser, type Document, type Element, onWarningStopParsing } from "@xmldom/xmldom";
import { isElement, isNamed, ListRefused, Namespace } from "./elements.ts";

/** workerd's heap grows by 9.3 MB per MB of list, its limit is 128 MB. Published lists have up to 3 MB. */
export const MAX_LIST_BYTES = 10 * 1024 * 1024;
/** From the root to any element. For each declaration canonicalisation searches the element's content. */
const MAX_NAMESPACES_IN_SCOPE = 64;

const MARKUP_DECLARATION = /<!(?!--|\[CDATA\[)/;
const XML_DECLARATION =
  /^<\?xml\s+version\s*=\s*(["'])1\.0\1(?:\s+encoding\s*=\s*(["'])utf-8\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>/i;
// XML 1.0 section 2.2. Surrogates are always paired, because the text comes from a strict decoder.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
const FORBIDDEN_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

export function readDocument(bytes: Uint8Array): Element {
  if (bytes.length === 0) throw new ListRefused("empty", "the file is empty");
  if (bytes.length > MAX_LIST_BYTES)
    throw new ListRefused("too large", `${bytes.length} bytes; at most ${MAX_LIST_BYTES} are allowed`);
  const text = decode(bytes);
  if (text.startsWith("<?xml") && !XML_DECLARATION.test(text))
    throw new ListRefused("not UTF-8", "the XML declaration names another version or encoding");
  return parseXml(text);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new ListRefused("not UTF-8", "the bytes are not UTF-8");
  }
}

/** The parser reads a bare "&" as text. That is harmless: what is used is parsed again from the signed text. */
export function parseXml(text: string): Element {
  if (MARKUP_DECLARATION.test(text))
    throw new ListRefused("document type", "a document type or entity declaration, which is not allowed in a list");
  if (FORBIDDEN_CHARACTER.test(text)) throw new ListRefused("not well-formed", "a character that XML forbids");
  boundNesting(text);
  const { documentElement } = parse(text);
  if (!documentElement) throw new ListRefused("not well-formed", "no element");
  return documentElement;
}

function parse(text: string): Document {
  const parser = new DOMParser({
    locator: false,
    // Line ends of XML 1.0. The library's default is that of XML 1.1, which would change the signed text.
    normalizeLineEndings: (source) => source.replace(/\r\n?/g, "\n"),
    // even the library's lowest warning level reports input that is not well-formed XML
    onError: onWarningStopParsing,
  });
  try {
    return parser.parseFromString(text, "text/xml");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ListRefused("not well-formed", message.slice(0, 240));
  }
}

export interface Survey {
  readonly signatures: readonly Element[];
  readonly ids: ReadonlyMap<string, number>;
}

// xml:id is defined by a W3C recommendation; the others are used by XML-DSig, XAdES or by convention
const ID_ATTRIBUTES = ["Id", "ID", "id", "xml:id"];

/** Walks the whole document once, without recursion. Throws {@link ListRefused}. */
export function surveyDocument(root: Element): Survey {
  const signatures: Element[] = [];
  const ids = new Map<string, number>();
  const pending = [{ element: root, inScope: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { element } = next;
    const inScope = next.inScope + countNamespaces(element);
    if (inScope > MAX_NAMESPACES_IN_SCOPE)
      throw new ListRefused("too deep", `more than ${MAX_NAMESPACES_IN_SCOPE} namespaces declared in one place`);
    if (isNamed(element, "Signature", Namespace.signature)) signatures.push(element);
    for (const name of ID_ATTRIBUTES) {
      const id = element.getAttribute(name);
      if (id !== null) ids.set(id, (ids.get(id) ?? 0) + 1);
    }
    for (let node = element.firstChild; node; node = node.nextSibling)
      if (isElement(node)) pending.push({ element: node, inScope });
  }
  return { signatures, ids };
}

function countNamespaces({ attributes }: Element): number {
  let count = 0;
  for (let i = 0; i < attributes.length; i++) if (attributes.item(i)?.name.startsWith("xmlns")) count++;
  return count;
}

/** Maximum depth of elements. Published lists reach 16. */
const MAX_DEPTH = 64;

/** Markup that may contain markup characters as plain text. */
const OPAQUE = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** The rest of a tag after its "<". Quoted attribute values may contain ">". */
const TAG = /[^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*>/y;

/** The parser's time grows with the square of the depth, and canonicalisation is recursive. Throws {@link ListRefused}. */
function boundNesting(text: string): void {
  let depth = 0;
  for (let at = text.indexOf("<"); at >= 0; ) {
    const end = endOfMarkup(text, at);
    if (text[at + 1] === "/") depth--;
    else if (isStartTag(text, at, end)) depth++;
    if (depth > MAX_DEPTH) throw new ListRefused("too deep", `elements nested deeper than ${MAX_DEPTH}`);
    at = text.indexOf("<", end);
  }
}

const isStartTag = (text: string, at: number, end: number): boolean =>
  text[at + 1] !== "!" && text[at + 1] !== "?" && text[end - 2] !== "/";

function endOfMarkup(text: string, at: number): number {
  const opaque = OPAQUE.find(([start]) => text.startsWith(start, at));
  if (opaque) {
    const [start, stop] = opaque;
    const found = text.indexOf(stop, at + start.length);
    if (found >= 0) return found + stop.length;
  } else {
    TAG.lastIndex = at + 1;
    if (TAG.test(text)) return TAG.lastIndex;
  }
  throw new ListRefused("not well-formed", `unterminated markup at character ${at}`);
}
