/**
 * The programs of guides in Python, Java and TypeScript, as they are printed: all blocks of a guide in one language are one
 * program. With standard libraries only, but for the client in TypeScript.
 */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleClient } from "../../src/client/package/pack.ts";
import { findTool } from "../tools.ts";
import { ROOT } from "./service.ts";

export const LANGUAGES = ["python", "java", "ts"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What runs a language's programs; null where the machine has none. */
const PROGRAMS: Readonly<Record<Language, string | null>> = {
  python: findTool("python"),
  java: findTool("java"),
  ts: process.execPath,
};
export const canRun = (language: Language): boolean => PROGRAMS[language] !== null;

/** Between the outputs of two blocks. */
const MARK = "--- end of a block ---";
const SAY_MARK: Readonly<Record<Language, string>> = {
  python: `print("${MARK}", flush=True)`,
  java: `System.out.println("${MARK}");`,
  ts: `console.log("${MARK}");`,
};

const writeProgram = (language: Language, blocks: readonly string[]): string =>
  blocks.map((block) => `${block}\n${SAY_MARK[language]}\n`).join("");

/**
 * By guide the outputs of its blocks. `programs`: by guide the blocks of the language. `folder` is empty, and its owner
 * deletes it. One JVM compiles and runs those of all guides: to start it costs more than its work.
 */
export async function runPrograms(
  language: Language,
  programs: ReadonlyMap<string, readonly string[]>,
  folder: string,
): Promise<Map<string, string[]>> {
  if (language === "java") return await runJava(programs, folder);
  if (language === "ts") await installClient(folder);
  const ending = language === "python" ? "py" : "mts";
  const outputs = new Map<string, string[]>();
  for (const [name, blocks] of programs) {
    const file = join(folder, `${name}.${ending}`);
    await writeFile(file, writeProgram(language, blocks));
    outputs.set(name, split(await run(language, [file])));
  }
  return outputs;
}

/** Where a module in the folder looks for packages. */
async function installClient(folder: string): Promise<void> {
  const place = join(folder, "node_modules/psp-gate-client");
  await mkdir(place, { recursive: true });
  await bundleClient(join(place, "index.js"));
  await writeFile(join(place, "package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
}

const END_OF_GUIDE = "--- end of a guide ---";

/** Each guide's blocks are the body of a method, as they would be lines of jshell; what they import stands above all. */
async function runJava(
  programs: ReadonlyMap<string, readonly string[]>,
  folder: string,
): Promise<Map<string, string[]>> {
  const IMPORT = /^import .*;$/gm;
  const methods = [...programs.values()].map((blocks) => writeProgram("java", blocks));
  const imports = new Set(methods.flatMap((text) => text.match(IMPORT) ?? []));
  const source = [
    ...imports,
    "class Guides {",
    ...methods.map((text, i) => `static void guide${i}() throws Exception {\n${text.replaceAll(IMPORT, "")}}`),
    "public static void main(String[] arguments) throws Exception {",
    ...methods.map((_, i) => `guide${i}(); System.out.println("${END_OF_GUIDE}");`),
    "} }",
  ].join("\n");
  const file = join(folder, "Guides.java");
  await writeFile(file, source);
  // for a second's work the compilers of hot code only cost
  const outputs = (await run("java", ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", file])).split(END_OF_GUIDE);
  return new Map([...programs.keys()].map((name, i) => [name, split(outputs[i] ?? "")]));
}

const split = (output: string): string[] => output.split(MARK).slice(0, -1);

async function run(language: Language, argv: readonly string[]): Promise<string> {
  return (await promisify(execFile)(PROGRAMS[language] ?? "", argv, { cwd: ROOT })).stdout;
}
