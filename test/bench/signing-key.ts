/** A key that signs answers, as a secret. */
import { generateKeyPairSync } from "node:crypto";

export function makeSigningKey(): Record<string, string> {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  return { [`SIGNING_KEY_20260101T000000Z_${Buffer.from(x, "base64url").toString("hex")}`]: d };
}
