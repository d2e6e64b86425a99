/**
 * The package wrangler, required: an import reads its file of ten megabytes twice more, for the form of the module and for
 * the names that it exports, which is a tenth of a command's processor time.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Half a second and more: only commands that need it call this. */
export const loadWrangler = (): typeof import("wrangler") => require("wrangler");
