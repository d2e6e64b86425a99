/**
 * A preload (`node --import`) of the scripts in package.json: keeps compiled modules, and those without their types, in a
 * folder of the checkout. Else a command spends most of its time on reading the same modules again.
 */
import { enableCompileCache } from "node:module";
import { join } from "node:path";

export const COMPILED = join(import.meta.dirname, "../../node_modules/.cache/compiled");

enableCompileCache(COMPILED);
