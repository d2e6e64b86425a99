/** `sandbox ...`: what one shapes in a sandbox. Production has none. */
import type { Command } from "commander";
import { addSandboxCertificate } from "./sandbox-certificate.ts";
import { addSandboxPspCommands } from "./sandbox-psp.ts";
import { addSandboxRevoke } from "./sandbox-revoke.ts";

export function addSandboxCommands(program: Command): void {
  const sandbox = program.command("sandbox").description("PSPs to try things with; never in production");
  addSandboxPspCommands(sandbox);
  addSandboxCertificate(sandbox);
  addSandboxRevoke(sandbox);
}
