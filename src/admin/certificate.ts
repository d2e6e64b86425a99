/** `certificate show`: what the service reads from a certificate. */
import type { Command } from "commander";

export function addCertificateCommands(program: Command): void {
  program
    .command("certificate")
    .description("eIDAS certificates")
    .command("show <file>")
    .description("print as JSON what the service reads from a certificate")
    .action(async (path: string) => {
      const { readChain } = await import("./chain-file.ts");
      const { describeCertificate } = await import("../eidas/certificate-description.ts");
      const { leaf } = await readChain(path);
      console.log(JSON.stringify(describeCertificate(leaf), null, 2));
    });
}
