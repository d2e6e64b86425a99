/** A team of Cloudflare Access: its keys, and assertions as it makes them. */
import { toBase64Url } from "../../src/platform/encoding.ts";

export const TEAM = "https://bank.cloudflareaccess.com";
export const AUDIENCE = "a".repeat(64);
const ALGORITHM = {
  ...{ name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
  ...{ modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) },
};

export type Pair = { readonly privateKey: CryptoKey; readonly jwk: object };
export const makeKey = async (kid: string): Promise<Pair> => {
  const pair = (await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"])) as CryptoKeyPair;
  const jwk = (await crypto.subtle.exportKey("jwk", pair.publicKey)) as object;
  return { privateKey: pair.privateKey, jwk: { ...jwk, kid, alg: "RS256", use: "sig" } };
};

export const encode = (value: unknown): string => toBase64Url(new TextEncoder().encode(JSON.stringify(value)));

/** An assertion as Access makes it, but for what is given. */
export async function assertBy(key: Pair, claims: object = {}, header: object = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const whole = { aud: [AUDIENCE], email: "ops@bank.example", iss: TEAM, iat: now, nbf: now, exp: now + 600, sub: "1" };
  const text = `${encode({ alg: "RS256", kid: "first", typ: "JWT", ...header })}.${encode({ ...whole, ...claims })}`;
  const signature = await crypto.subtle.sign(ALGORITHM.name, key.privateKey, new TextEncoder().encode(text));
  return `${text}.${toBase64Url(new Uint8Array(signature))}`;
}
