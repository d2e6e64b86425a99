/**
 * The rooms of `src/`, from the ground up: a file imports from its own room and from those above it in this list. Who
 * speaks to the platform (`cloudflare:workers`) is listed, too. A file in no room fails.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

export const ROOMS = [
  "platform",
  "x509",
  "institutions",
  "revocation",
  "trust",
  "eidas",
  "registers",
  "psp-check",
  "grants",
  "evidence",
  "events",
  "refresh",
  "sandbox",
  "http",
  "routes",
  "reference",
  "console",
  "client",
  "cli",
];
/** The entry, the pipeline, the generated types of the bindings, and the schema of D1. */
const ABOVE_ALL = ["index.ts", "app.ts", "env.d.ts", "migrations"];
const WITH_BINDINGS = ["grants", "evidence", "events", "http"];
/** A package of its own: it has nothing of the service. What makes the package reads the service, and the list of codes does. */
const isClient = (file: string): boolean => /^client\/(?!package\/|error-codes\.ts$)/.test(file);

/** What lies with a resource in `routes/` and belongs to the room that collects it. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ["http", /^routes\/(.*\.(answer|errors)|(.*\/)?endpoints)\.ts$/],
  ["reference", /^routes\/.*\.(reference\.ts|examples\.json)$/],
];
const roomOf = (file: string): string =>
  PARTS.find(([, pattern]) => pattern.test(file))?.[0] ?? file.split("/")[0] ?? "";

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+|cloudflare:[^"]+)"/g;

/** What is wrong with a file, as sentences. `file` is relative to `src/`. */
export function findFaults(file: string, text: string): string[] {
  const [top = ""] = file.split("/");
  if (ABOVE_ALL.includes(top)) return [];
  const own = roomOf(file);
  const room = ROOMS.indexOf(own);
  if (room < 0) return [`src/${file} is in no room: expected is one of ${ROOMS.join(", ")}`];
  return [...text.matchAll(IMPORT)].flatMap(([, target = ""]) => {
    if (target.startsWith("cloudflare:"))
      return WITH_BINDINGS.includes(top) ? [] : [`src/${file} imports ${target}: only ${WITH_BINDINGS.join(", ")} do`];
    const imported = join(dirname(file), target);
    const other = roomOf(imported);
    if (imported.startsWith("../") || other === own) return [];
    if (ROOMS.slice(0, room).includes(other) && !isClient(file)) return [];
    return [`src/${file} imports ${imported}: ${other} is not above ${own} (test/checks/layers.ts)`];
  });
}

if (import.meta.main) {
  const faults = globSync("src/**/*.{ts,tsx}").flatMap((path) => findFaults(path.slice(4), readFileSync(path, "utf8")));
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
