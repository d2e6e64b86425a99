/** Which of a Worker's modules a start evaluates, by what esbuild says of its build. Pure. */
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { ROOT } from "../../src/cli/configuration.ts";

interface BuiltModule {
  readonly file: string;
  /** The source that `import()` names, or the Worker's own; null for what several share. */
  readonly entry: string | null;
  /** Reached from the Worker's entry without an `import()`. */
  readonly atStart: boolean;
  /** The sources of its code. */
  readonly inputs: readonly string[];
}

/** All modules. Throws if `entry` is not among their sources. */
export function findStartModules({ outputs }: Pick<Metafile, "outputs">, entry: string): BuiltModule[] {
  const built = new Map(Object.entries(outputs).filter(([path]) => path.endsWith(".js")));
  const atStart = new Set<string>();
  const evaluate = (path: string): void => {
    if (atStart.has(path)) return;
    atStart.add(path);
    for (const { kind, path: imported } of built.get(path)?.imports ?? [])
      if (kind === "import-statement" && built.has(imported)) evaluate(imported);
  };
  const first = [...built].find(([, { entryPoint }]) => entryPoint === entry);
  if (!first) throw new Error(`the build has no entry ${entry}`);
  evaluate(first[0]);
  return [...built].map(([path, { entryPoint = null, inputs }]) => ({
    file: join(ROOT, path),
    entry: entryPoint,
    atStart: atStart.has(path),
    inputs: Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
  }));
}

/** The PSP check; the rows of endpoints; the error itself, without the texts of what is answered and of the error reference. */
const OF_START = /src\/(routes\/psp\/eidas|routes\/(\w+\/)?endpoints|http\/errors\/errors)\.ts$/;
const LATER = [
  ...["@xmldom/xmldom", "csv-parse", "fflate", "xmldsigjs", "xml-core", "@peculiar/x509", "asn1js", "zod"].map(
    (name) => `node_modules/${name}/`,
  ),
  ...["@hono/zod-validator", "jose", "fastest-levenshtein"].map((name) => `node_modules/${name}/`),
  ...["console", "http/errors", "refresh", "registers/import", "routes", "sandbox", "trust/lists"].map(
    (folder) => `src/${folder}/`,
  ),
];

/** Whether a start may evaluate the source. */
export const isOfStart = (input: string): boolean =>
  OF_START.test(input) || !LATER.some((folder) => input.includes(folder));
