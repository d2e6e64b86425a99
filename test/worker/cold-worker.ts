/**
 * Runs before each test file. Starting a runtime costs two seconds of processor time, so the files share a few: each begins
 * with empty stores and with modules loaded anew, which is a cold isolate.
 */
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";

vi.resetModules();
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
