/**
 * Position and structure of the signature: the profile of TS 119 612 annex B (XAdES baseline, EN 319 132-1, enveloped).
 * Each function is one rule and throws {@link ListRefused}.
 */
import type { Element } from "@xmldom/xmldom";
import { fromBase64 } from "../../platform/encoding.ts";
import type { Survey } from "./document.ts";
import { childrenNamed, elementsIn, ListRefused, Namespace, textOf } from "./elements.ts";
import { type Canonicalisation, canonicalisation, digestAlgorithm, type Hash, INCLUSIVE_C14N } from "./signer.ts";

/** Rule: the document contains exactly one Signature, and it is a child of the root. */
export function onlySignature(root: Element, { signatures }: Survey): Element {
  const [signature, ...more] = signatures;
  if (!signature) throw new ListRefused("no signature", "the list is not signed");
  if (more.length > 0) throw new ListRefused("several signatures", `${signatures.length} signatures instead of one`);
  if (signature.parentNode !== root)
    throw new ListRefused("misplaced signature", "the signature is not a child of the list");
  return signature;
}

/** Rule: no identifier occurs twice, so that a reference can mean only one element. */
export function uniqueIds({ ids }: Survey): void {
  for (const [id, count] of ids)
    if (count > 1) throw new ListRefused("duplicate Id", `the identifier ${id.slice(0, 80)} is given ${count} times`);
}

function only(parent: Element, name: string, namespace: string): Element {
  const [child, ...more] = childrenNamed(parent, name, namespace);
  if (!child || more.length > 0)
    throw new ListRefused("signature form", `${parent.localName} has ${child ? "several" : "no"} ${name}`);
  return child;
}

export interface SignatureForm {
  readonly signedInfo: Element;
  readonly signatureValue: Element;
  readonly signedProperties: Element;
}

/** Rule: one SignedInfo, SignatureValue and Object. KeyInfo is never read: a list must not choose its own signer. */
export function signatureForm(signature: Element): SignatureForm {
  const qualifying = only(only(signature, "Object", Namespace.signature), "QualifyingProperties", Namespace.xades);
  const id = signature.getAttribute("Id");
  if (!id || qualifying.getAttribute("Target") !== `#${id}`)
    throw new ListRefused("signature form", "the qualifying properties are another signature's");
  return {
    signedInfo: only(signature, "SignedInfo", Namespace.signature),
    signatureValue: only(signature, "SignatureValue", Namespace.signature),
    signedProperties: only(qualifying, "SignedProperties", Namespace.xades),
  };
}

const ENVELOPED_SIGNATURE = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const SIGNED_PROPERTIES_TYPE = "http://uri.etsi.org/01903#SignedProperties";

export interface CoveredDigest {
  readonly canonicalisation: Canonicalisation;
  readonly hash: Hash;
  readonly digest: Uint8Array;
}

/** Rule: there are exactly two references, to the list and to the signed properties, in this order. */
export function twoReferences(signedInfo: Element): readonly [Element, Element] {
  const [list, properties, ...more] = childrenNamed(signedInfo, "Reference", Namespace.signature);
  if (!list || !properties || more.length > 0)
    throw new ListRefused(
      "references",
      "the signature must reference the list and its signed properties, and nothing else",
    );
  return [list, properties];
}

/** Rule: the first reference is the whole document, by "" or by the root's Id (another rule makes it unique). */
export function wholeDocument(reference: Element, root: Element): CoveredDigest {
  const uri = reference.getAttribute("URI");
  const id = root.getAttribute("Id");
  if (uri !== "" && (!id || uri !== `#${id}`))
    throw new ListRefused("references", `the first reference is not the whole list: ${uri?.slice(0, 80) ?? "no URI"}`);
  const [enveloped, form, ...more] = transforms(reference);
  if (enveloped !== ENVELOPED_SIGNATURE || more.length > 0)
    throw new ListRefused("transforms", "only the enveloped-signature transform and canonicalisation are allowed");
  // XML-DSig section 4.4.3.2: without a transform that produces octets, Canonical XML 1.0 applies
  return covered(reference, form ?? INCLUSIVE_C14N);
}

/** Rule: the second reference is this signature's own signed properties, and its Type says so. */
export function ownSignedProperties(reference: Element, signedProperties: Element): CoveredDigest {
  const id = signedProperties.getAttribute("Id");
  if (!id || reference.getAttribute("URI") !== `#${id}` || reference.getAttribute("Type") !== SIGNED_PROPERTIES_TYPE)
    throw new ListRefused("references", "the second reference is not this signature's signed properties");
  const [form, ...more] = transforms(reference);
  if (more.length > 0)
    throw new ListRefused("transforms", "only canonicalisation is allowed for the signed properties");
  return covered(reference, form ?? INCLUSIVE_C14N);
}

/** Rule: transforms have no child elements: no XPath, no stylesheet, no prefix list. */
function transforms(reference: Element): string[] {
  const lists = childrenNamed(reference, "Transforms", Namespace.signature);
  const all = lists.flatMap((list) => childrenNamed(list, "Transform", Namespace.signature));
  if (all.some((transform) => elementsIn(transform).length > 0))
    throw new ListRefused("transforms", "a transform with parameters");
  return all.map((transform) => transform.getAttribute("Algorithm") ?? "");
}

function covered(reference: Element, form: string): CoveredDigest {
  const [method] = childrenNamed(reference, "DigestMethod", Namespace.signature);
  const [value] = childrenNamed(reference, "DigestValue", Namespace.signature);
  const digest = value ? fromBase64(textOf(value)) : null;
  if (!digest) throw new ListRefused("signature form", "a reference without a digest");
  return {
    canonicalisation: canonicalisation(form),
    hash: digestAlgorithm(method?.getAttribute("Algorithm") ?? ""),
    digest,
  };
}
