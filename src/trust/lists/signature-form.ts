/**
 * Position and structure of the signature: the profile of TS 119 612 annex B (XAdES baseline, EN 319 132-1, enveloped).
 * Each function is one rule and throws {@link ListRefused}.
 */
import type { Element } from "@xmldom/xmldom";
import type { Survey } from "./document.ts";
import { childrenNamed, Namespace } from "./elements.ts";
import { ListRefused } from "./refusal.ts";

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
