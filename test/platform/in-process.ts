/**
 * Commands and deployments that run in this process use one wrangler, which is kept until the tests of a file have run: as a
 * process for each it takes most of the processor time. Import it before src/cli.
 */
import { afterAll, vi } from "vitest";

vi.mock("../../src/cli/wrangler.ts", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  wrangler: async (args: readonly string[], options?: { readonly input?: string }) =>
    (await import("./kept-wrangler.ts")).keptWrangler(args, options),
}));

afterAll(async () => (await import("./kept-wrangler.ts")).endWrangler());
