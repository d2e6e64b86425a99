/** The version of this service, as in package.json (test/unit/platform/version.test.ts), which is not part of the Worker. */
export const VERSION = "0.12.0";

/** What a caller asks for in the header `version`: `latest`, or the major version (interface, "Versioning"). */
export type Version = "latest" | "1";
