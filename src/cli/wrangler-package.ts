/**
 * The package wrangler, required: an import reads its file of ten megabytes twice more, for the form of the module and for
 * the names that it exports, which is a tenth of a command's processor time.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Half a second and more: only commands that need it call this. */
export const loadWrangler = (): typeof import("wrangler") => require("wrangler");

/** As far as it is used. */
interface MiniflarePackage {
  readonly Miniflare: new (
    options: object,
  ) => {
    readonly getBindings: () => Promise<Record<string, unknown>>;
    readonly dispose: () => Promise<void>;
  };
  readonly convertV4MiniflareOptions: (options: object) => object;
}

/** wrangler's own copy: what `npm start` writes, the commands have to read. */
export const loadMiniflare = (): MiniflarePackage => createRequire(require.resolve("wrangler"))("miniflare");
