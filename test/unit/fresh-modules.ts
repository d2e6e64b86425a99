/**
 * Runs before each test file. Files share a process, because starting one for each is a third of the processor time; each
 * begins with modules loaded anew, so that no test depends on what another made a module remember.
 */
import { vi } from "vitest";

vi.resetModules();
// a `fetch` that another file has replaced: by a stub, or by a spy on a stub, which outlives both
vi.unstubAllGlobals();
const first = globalThis as { fetchOfTheProcess?: typeof fetch };
first.fetchOfTheProcess ??= globalThis.fetch;
globalThis.fetch = first.fetchOfTheProcess;
