/** `certificate show`: what the service reads from a certificate. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { describeCertificate } from "../eidas/certificate-description.ts";
import { parseEidasHeader } from "../eidas/eidas-header.ts";
import type { Chain } from "../psp-check/chain.ts";
import { fail } from "./fail.ts";

/** Reads a certificate file: the forms of the `eidas` header (PEM or base64, a leaf or a chain), or DER. */
export async function readChain(path: string): Promise<Chain> {
  const bytes = await readFile(path).catch((error: Error) => fail(error.message));
  const text = bytes[0] === 0x30 ? bytes.toString("base64") : bytes.toString("latin1");
  const chain = parseEidasHeader(text);
  return chain.ok ? chain : fail(`${path}: ${chain.message}`);
}

export function addCertificateCommands(program: Command): void {
  program
    .command("certificate")
    .description("eIDAS certificates")
    .command("show <file>")
    .description("print as JSON what the service reads from a certificate")
    .action(async (path: string) => {
      const { leaf } = await readChain(path);
      console.log(JSON.stringify(describeCertificate(leaf), null, 2));
    });
}
