/**
 * Returns only what the signer signed: parsed again from the exact text whose digest is signed, so that nothing can
 * differ between what is verified and what is read.
 */
import type { Document, Element } from "@xmldom/xmldom";
import { XmlCanonicalizer } from "xmldsigjs";
import { sameBytes } from "../../platform/encoding.ts";
import type { Certificate } from "../../x509/certificate.ts";
import { parseXml, readDocument, surveyDocument } from "./document.ts";
import { childrenNamed, elementsIn, isElement, ListRefused, Namespace } from "./elements.ts";
import {
  type CoveredDigest,
  onlySignature,
  ownSignedProperties,
  type SignatureForm,
  signatureForm,
  twoReferences,
  uniqueIds,
  wholeDocument,
} from "./signature-form.ts";
import {
  type Canonicalisation,
  canonicalisation,
  digestOf,
  permittedSigner,
  type SignatureAlgorithm,
  signatureAlgorithm,
  validAtSigning,
  verifiesBy,
} from "./signer.ts";

export interface VerifiedList {
  readonly root: Element;
  readonly signer: Certificate;
  readonly signatureAlgorithm: SignatureAlgorithm;
}

/** Returns the certificates (DER) that may sign the list. Called with the root before it is verified, and with what was signed. */
export type SignersOf = (root: Element) => Promise<readonly Uint8Array[]> | readonly Uint8Array[];

/** Cheap rules first: a list is canonicalised only once its signature has verified. Throws {@link ListRefused}. */
export async function verifyList(bytes: Uint8Array, signersOf: SignersOf): Promise<VerifiedList> {
  const { text, properties, ...verified } = await verifySignature(readDocument(bytes), signersOf);
  const root = listRoot(parseXml(text));
  // the canonical form may read as another country's list: xmldsigjs does not escape the names of namespaces
  permittedSigner(properties, await signersOf(root));
  return { root, ...verified };
}

async function verifySignature(parsed: Element, signersOf: SignersOf) {
  const root = listRoot(parsed);
  const survey = surveyDocument(root);
  const signature = onlySignature(root, survey);
  uniqueIds(survey);
  const form = signatureForm(signature);
  const signed = readSignedInfo(form.signedInfo);
  const [listReference, propertiesReference] = twoReferences(signed.info);
  const list = wholeDocument(listReference, root);
  const properties = readSignedProperties(form, ownSignedProperties(propertiesReference, form.signedProperties));
  const signer = permittedSigner(properties, await signersOf(root));
  validAtSigning(signer, properties);
  await verifiesBy(signer, signed.algorithm, signed.text, form.signatureValue);
  root.removeChild(signature);
  const text = canonicalForm(root.ownerDocument as Document, list.canonicalisation);
  requireDigest(text, list, "list");
  return { text, properties, signer, signatureAlgorithm: signed.algorithm };
}

function listRoot(root: Element): Element {
  if (root.localName !== "TrustServiceStatusList" || root.namespaceURI !== Namespace.list)
    throw new ListRefused("not a trusted list", `the root is ${root.localName}`);
  return root;
}

function readSignedInfo(element: Element) {
  const text = canonicalElement(element, canonicalisation(methodOf(element, "CanonicalizationMethod")));
  const info = parseXml(text);
  return { text, info, algorithm: signatureAlgorithm(methodOf(info, "SignatureMethod")) };
}

function methodOf(signedInfo: Element, name: string): string {
  const [method, ...more] = childrenNamed(signedInfo, name, Namespace.signature);
  if (!method || more.length > 0) throw new ListRefused("signature form", `SignedInfo needs one ${name}`);
  // such as a prefix list, or an HMAC output length
  if (elementsIn(method).length > 0) throw new ListRefused("algorithm", `${name} with parameters`);
  return method.getAttribute("Algorithm") ?? "";
}

function readSignedProperties({ signedProperties }: SignatureForm, covered: CoveredDigest): Element {
  const text = canonicalElement(signedProperties, covered.canonicalisation);
  requireDigest(text, covered, "signed properties");
  return parseXml(text);
}

/** Rule: the signed digest equals the digest of the canonical text. */
function requireDigest(text: string, { hash, digest }: CoveredDigest, what: string): void {
  if (!sameBytes(digestOf(text, hash), digest)) throw new ListRefused("digest", `the digest of the ${what} differs`);
}

const XMLNS = "http://www.w3.org/2000/xmlns/";

/** Without comments, by xmldsigjs' canonicaliser alone: its verification accepts lists with a wrapped signature. */
const canonicalForm = (node: Document | Element, { exclusive }: Canonicalisation): string =>
  new XmlCanonicalizer(false, exclusive).Canonicalize(node);

const canonicalElement = (element: Element, form: Canonicalisation): string =>
  canonicalForm(form.exclusive ? element : withInheritedContext(element), form);

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
