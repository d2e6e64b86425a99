/**
 * Imported first: for the commands that may read the EBA's register, V8 is told to use its memory again before it asks
 * for more. With the collections of frugal-memory.ts a full-size import peaks 59 to 75 MB above a tiny one; with either
 * of the two alone it was seen above the allowed 100 (test/bench/eba.ts). The other commands are a third faster without.
 */
import { setFlagsFromString } from "node:v8";

if (["eba", "refresh"].some((word) => process.argv.includes(word))) setFlagsFromString("--optimize-for-size");
