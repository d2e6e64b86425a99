/**
 * Must be imported first. For the commands that may read the EBA's register, makes V8 prefer collecting garbage to
 * growing the heap. Together with frugal-memory.ts the peak of a full-size import is 59 to 75 MB above that of a tiny
 * one; with only one of the two it exceeded the limit of 100 MB (test/bench/eba.ts). Not set for the other commands,
 * which are a third faster without.
 */
import { setFlagsFromString } from "node:v8";

if (["register", "refresh"].some((word) => process.argv[2] === word)) setFlagsFromString("--optimize-for-size");
