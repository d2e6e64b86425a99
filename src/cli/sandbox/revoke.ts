/** `sandbox revoke`: a certificate of `sandbox certificate`, or of the console's page, is revoked by its CA from now on. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { clock } from "../../platform/clock.ts";
import { fail } from "../fail.ts";
import { print } from "../output.ts";
import { withStores } from "../stores.ts";
import { type Common, commandsOf } from "../target.ts";
import { openCa } from "./ca-key.ts";
import { letStartForget, requireSandbox } from "./psp.ts";

const AFTER = `
npm start sees it at once, a deployed staging when it reads the CRL anew. A check that sees it makes the event
psp.certificate_revoked for who has tokens or consents of the PSP.
Nothing lifts it: sandbox certificate makes another one.

Example:
  sandbox revoke .wrangler/sandbox/PSDXX-TEST-001001/certificate.pem`;

export function addSandboxRevoke(sandbox: Command): void {
  commandsOf(sandbox)("revoke", "revoke a certificate that sandbox certificate has made")
    .argument("<file>", "certificate.pem")
    .addHelpText("after", AFTER)
    .action(revoke);
}

async function revoke(file: string, options: Common): Promise<void> {
  const target = requireSandbox(options);
  const text = await readFile(file, "latin1").catch(() => fail(`${file} cannot be read`));
  const [, base64 = ""] = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END/.exec(text) ?? [];
  if (base64 === "") fail(`${file} is no certificate as sandbox certificate writes it (PEM)`);
  const { revokeCertificate } = await import("../../sandbox/issue-certificate.ts");
  const { loadCrl } = await import("../../sandbox/sandbox-load.ts");
  const revoked = await revokeCertificate(
    await openCa(target),
    new Uint8Array(Buffer.from(base64, "base64")),
    clock.now(),
  ).catch(() => fail(`${file} is no certificate that can be read`));
  if (!revoked) fail(`${file} was not issued by this sandbox's CA: no other CA's certificates can be revoked here`);
  await withStores(target, ({ env }) => loadCrl(env.KV, revoked, clock.now()));
  await letStartForget(target);
  print({ certificate: file, crl: revoked.crl.url }, options, (style) => `${style.good("revoked")} ${file}`);
}
