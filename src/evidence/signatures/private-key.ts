/** The private part of a signing key, as node:crypto takes it: imported once. */
import { createPrivateKey, type KeyObject } from "node:crypto";
import type { SigningKeys } from "./signing-keys.ts";

export type Signer = NonNullable<SigningKeys["signer"]>;

const keys = new WeakMap<Signer, KeyObject>();

export function importKey(key: Signer): KeyObject {
  const known = keys.get(key);
  if (known) return known;
  const { d, x } = key;
  const imported = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" });
  keys.set(key, imported);
  return imported;
}
