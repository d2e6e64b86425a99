/**
 * Files that share a process load our modules anew: they are evaluated again, but not compiled again. What vitest compiles of a
 * module is a function that keeps nothing between two calls, so each call is a module of its own.
 */
import vm from "node:vm";

type Compile = typeof vm.runInThisContext;

/** By its file, as it was compiled last: of a module that is replaced by a test there are two. */
type Compiled = Map<string, { readonly code: string; readonly module: unknown }>;

/** Of the process: this module is loaded anew, too. */
const kept = globalThis as { compiledModules?: Compiled };

/** Runs before each file. */
export function keepCompiledModules(): void {
  if (kept.compiledModules) return;
  const compiled: Compiled = new Map();
  kept.compiledModules = compiled;
  const compile: Compile = vm.runInThisContext;
  vm.runInThisContext = (code, options) => {
    const file = (typeof options === "string" ? options : options?.filename) ?? "";
    const last = compiled.get(file);
    if (last?.code === code) return last.module;
    const module = compile(code, options);
    // another script has its effect when it runs
    if (typeof module === "function") compiled.set(file, { code, module });
    return module;
  };
}
