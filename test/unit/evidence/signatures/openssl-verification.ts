/** OpenSSL's own opinion of an Ed25519 signature (RFC 8032), over bytes that the test has put together itself. */
import { spawnSync } from "node:child_process";
import type { KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `openssl`: its path. False if the signature is not the key's over these bytes. Throws what OpenSSL says of anything else. */
export function verifiesByOpenssl(openssl: string, key: KeyObject, signed: string, signature: Uint8Array): boolean {
  const folder = mkdtempSync(join(tmpdir(), "psp-gate-signature-"));
  try {
    const file = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const { status, stdout, stderr } = spawnSync(
      openssl,
      [
        ...["pkeyutl", "-verify", "-pubin", "-inkey", file("key.pem", key.export({ type: "spki", format: "pem" }))],
        ...["-rawin", "-sigfile", file("signature", signature), "-in", file("signed", signed)],
      ],
      { encoding: "utf8" },
    );
    if (status === 0 && stdout.includes("Verified Successfully")) return true;
    if (stdout.includes("Signature Verification Failure")) return false;
    throw new Error(`openssl pkeyutl ended with ${status}: ${stdout}${stderr}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
