/**
 * Runs before each test file. Files share a process, because starting one for each is a third of the processor time; each
 * begins with modules loaded anew, so that no test depends on what another made a module remember.
 */
import { vi } from "vitest";

vi.resetModules();
// a `fetch` that another file has replaced
vi.unstubAllGlobals();
