/** The version of this service, as in package.json (test/unit/version.test.ts), which is not part of the Worker. */
export const VERSION = "0.11.0";
