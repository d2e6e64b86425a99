/** One step's work without stores, for a process whose heap is bounded: `list FILE` or `eba FILE`. */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { clock } from "../../src/platform/clock.ts";
import { readEbaFile } from "../../src/registers/import/eba-file.ts";
import { registerEntries } from "../../src/registers/register.ts";
import { acceptTrustedList } from "../../src/trust/lists/accept.ts";

const [kind, path = ""] = process.argv.slice(2);

const take = async (file: string, pointers: Parameters<typeof acceptTrustedList>[0]["pointers"]) => {
  const taken = await acceptTrustedList({ bytes: await readFile(file), pointers, loaded: new Map(), now: clock.now() });
  if (!taken.ok) throw new Error(taken.message);
  return taken.list;
};

if (kind === "list") {
  const { pointers } = await take(join(dirname(path), "EU-LOTL.xml"), null);
  await take(path, pointers);
} else {
  const file = await readEbaFile(createReadStream(path), { sha256: null, published: null });
  if (!file.ok) throw new Error(file.reason);
  for (const register of file.registers.registers(file.published)) for (const _ of registerEntries(register));
}
