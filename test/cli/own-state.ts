/** Stores of a test's own, through the same binding proxy as the operator's commands. Import it before src/cli. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** STATE_DIR of this test file; src/cli/stores.ts reads the variable when it is loaded. */
export const STATE_DIR = mkdtempSync(join(tmpdir(), "psp-gate-admin-"));
process.env["STATE_DIR"] = STATE_DIR;

afterAll(() => rmSync(STATE_DIR, { recursive: true, force: true }));
