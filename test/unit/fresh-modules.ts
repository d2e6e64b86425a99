/**
 * Runs before each test file. Files share a process, because starting one for each is a third of the processor time; each
 * begins with modules loaded anew and the globals of a new process, so that no test depends on what another left.
 */
import { vi } from "vitest";
import { keepCompiledModules } from "../compiled-modules.ts";

/** As the process began. */
interface Beginning {
  readonly fetch: typeof fetch;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}
const kept = globalThis as { beginning?: Beginning };
kept.beginning ??= { fetch: globalThis.fetch, env: { ...process.env } };
const { fetch: firstFetch, env } = kept.beginning;

keepCompiledModules();
vi.resetModules();
vi.restoreAllMocks();
vi.useRealTimers();
vi.unstubAllGlobals();
// another file's `fetch`: a stub, or a spy on a stub, which outlives both
globalThis.fetch = firstFetch;
// such as STATE_DIR; vitest's own are of the file that runs
for (const name of Object.keys(process.env)) if (!(name in env) && !name.startsWith("VITEST")) delete process.env[name];
for (const [name, value] of Object.entries(env)) if (!name.startsWith("VITEST")) process.env[name] = value;
