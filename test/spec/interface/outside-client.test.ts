/** A client by a stranger: types generated from the served document, a program compiled with them, and run. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeWireTypes } from "../../../src/client/package/generate.ts";
import { installFolder } from "../../install-folder.ts";
import { ROOT } from "../service.ts";
import { BASE_URL, eidasHeader } from "./bank.ts";

const CLIENT = join(ROOT, "test/outside-client");
const GENERATOR = join(CLIENT, "node_modules/openapi-typescript/bin/cli.js");
const COMPILER = join(CLIENT, "node_modules/typescript/bin/tsc");

const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [...args], { maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );

/** Of the program, and what stands there in its copy: one of each kind. */
const MISSPELLED = [
  ["path", 'const first = must(await GET("/v1/psp/eidas"', 'const first = must(await GET("/v1/psp/eIDAS"'],
  ["field", "client_request_query_parameters: { response_type", "client_request_query_params: { response_type"],
  ["inner field", "data: { permissions: [", "data: { permission: ["],
  ["field of the answer", "record.data.active", "record.data.is_active"],
  ["parameter of the path", "path: { account_id } } }),", "path: { accountId: account_id } } }),"],
  ["header", "{ params: { header: bank }, body: { eIDAS", "{ params: { header: {} }, body: { eIDAS"],
  ["value", '{ scopes: ["accounts"] }', '{ scopes: ["account"] }'],
] as const;

/** The client's own types, made by this repository, and the stranger's are of the same schemas: each can stand for the other. */
const SAME = `
import type { components as Theirs } from "./openapi.ts";
import type { components as Ours } from "./wire-types.ts";
type Frozen<T> = T extends readonly (infer E)[] ? readonly Frozen<E>[]
  : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
type Schemas = Frozen<Pick<Theirs["schemas"], keyof Ours["schemas"]>>;
export const ours = (given: Schemas): Ours["schemas"] => given;
export const theirs = (given: Ours["schemas"]): Frozen<Theirs["schemas"]> => given;
`;

let project = "";
let program = "";
/** What the compiler wrote: `file(line,column): error ...`, and more of the error in lines that are set in. */
let compiled = "";

beforeAll(async () => {
  await installFolder(CLIENT);
  project = await mkdtemp(join(tmpdir(), "psp-gate-outside-"));
  const inside = (name: string) => join(project, name);
  await symlink(join(CLIENT, "node_modules"), inside("node_modules"));
  await writeFile(inside("package.json"), JSON.stringify({ type: "module" }));
  program = await readFile(join(CLIENT, "flows.ts"), "utf8");
  await writeFile(inside("flows.ts"), program);
  await writeFile(
    inside("misspelled.ts"),
    MISSPELLED.reduce((text, [, right, wrong]) => text.replace(right, () => wrong), program),
  );
  const compilerOptions = {
    // the declarations of the platform and of packages are not ours, and are half of the work; the generated file is a module
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: true },
    ...{ target: "es2022", lib: ["es2022", "dom"], module: "nodenext" },
    ...{ types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] },
    ...{ rewriteRelativeImportExtensions: true, outDir: "js" },
  };
  await writeFile(
    inside("tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["flows.ts", "misspelled.ts", "openapi.ts", "same.ts"] }),
  );
  await writeWireTypes(project);
  await writeFile(inside("same.ts"), SAME);
  await run(GENERATOR, `${BASE_URL}/openapi.json`, "-o", inside("openapi.ts"));
  compiled = (await run(COMPILER, "-p", project, "--pretty", "false")).stdout;
});

afterAll(() => rm(project, { recursive: true, force: true }));

test("types are generated from the served document, a program for both flows compiles strictly with them, and the client's own are the same", () => {
  const lines = compiled.split("\n").filter((line) => line !== "" && !/^(?:.*\/)?misspelled\.ts|^\s/.test(line));
  expect(lines).toEqual([]);
});

test.each(MISSPELLED)("a misspelled %s does not compile", (_, right, wrong) => {
  expect(program.split(right)).toHaveLength(2);
  expect(wrong).not.toBe(right);
  const line = program.slice(0, program.indexOf(right)).split("\n").length;
  expect(compiled).toMatch(new RegExp(`^(.*/)?misspelled\\.ts\\(${line},\\d+\\): error `, "m"));
});

test("the program runs both flows against the sandbox", async () => {
  const { stdout, stderr } = await run(
    join(project, "js/flows.js"),
    BASE_URL,
    await eidasHeader("scenario-1"),
    await eidasHeader("accounts-only"),
  );
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    check: { valid: true, payments: false, accounts: true },
    core: { state: "s-1", ofAccount: true, active: true, tokens: 1, deleted: 204, replay: "code_used" },
    openBanking: { created: "AwaitingAuthorisation", active: true, gone: 404, consumed: "Consumed" },
    refusal: { status: 403, base: "https://psp.example/callback", error: "invalid_scope" },
    block: { scopes: ["accounts"], lifted: 204 },
  });
});
