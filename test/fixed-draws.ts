/** Runs before each test file: a property draws the same values in every run, so that none fails by chance. `npm run fuzz` draws others. */
import fc from "fast-check";

fc.configureGlobal({ seed: 20260101 });
