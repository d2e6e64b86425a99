/**
 * Imported first: for the commands that may read the EBA's register, V8 is told to use its memory again before it asks
 * for more. Without it 217 MB of short-lived records grow the heap by three hundred megabytes, with it by seventy; the
 * other commands are a third faster without.
 */
import { setFlagsFromString } from "node:v8";

if (["eba", "refresh"].some((word) => process.argv.includes(word))) setFlagsFromString("--optimize-for-size");
