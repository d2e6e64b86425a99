/** A certificate file, as the `eidas` header would be read: PEM or base64, a leaf or a chain; or plain DER. */
import { parseEidasHeader } from "../eidas/eidas-header.ts";
import type { Chain } from "../psp-check/check-budget.ts";
import { EXIT, fail } from "./fail.ts";
import { readInput } from "./input-file.ts";

export async function readChain(path: string): Promise<Chain> {
  const bytes = await readInput(path);
  const text = bytes[0] === 0x30 ? bytes.toString("base64") : bytes.toString("latin1");
  const chain = parseEidasHeader(text);
  return chain.ok ? chain : fail(`${path} is no certificate that can be read: ${chain.message}`, EXIT.unknown);
}
