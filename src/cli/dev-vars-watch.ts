/**
 * Makes a running `wrangler dev` read the local secrets again when they change. wrangler watches its configuration, not
 * the file of `--env-file`; and when the configuration's time changes, it reads both again and reloads the Worker.
 */
import { type FSWatcher, watch } from "node:fs";
import { utimes } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { clock } from "../platform/clock.ts";

/** Editors write a file in several steps. */
const SETTLED_MS = 200;

/** `configuration`: the file that wrangler was started with. Close the watcher to end. */
export function watchDevVars(devVars: string, configuration: string): FSWatcher {
  let timer: NodeJS.Timeout | undefined;
  // the folder, because a file that is replaced is not the watched one any more
  return watch(dirname(devVars), { persistent: false }, (_, file) => {
    if (file !== basename(devVars)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const touched = clock.now() / 1000;
      utimes(configuration, touched, touched).catch(() => {});
    }, SETTLED_MS);
  });
}
