/** `certificate show`: what the service reads from a certificate. */
import type { Command } from "commander";
import { describeFields } from "./fields.ts";
import { addOutputOptions, type OutputOptions, print } from "./output.ts";

export function addCertificateCommands(program: Command): void {
  addOutputOptions(
    program
      .command("certificate")
      .description("eIDAS certificates")
      .command("show <file>")
      .description("print what the service reads from a certificate"),
  )
    .addHelpText("after", "\nExample:\n  certificate show fixtures/certificates/scenario-1.pem")
    .action(async (path: string, options: OutputOptions) => {
      const { readChain } = await import("./chain-file.ts");
      const { describeCertificate } = await import("../eidas/psd2.ts");
      const { leaf } = await readChain(path);
      const description = describeCertificate(leaf);
      print(description, options, (style) => describeFields(description, style));
    });
}
