declare namespace Cloudflare {
  interface Env {
    // all defined in vitest.config.ts
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    TEST_SANDBOX: import("../../src/admin/sandbox-files.ts").Sandbox;
    /** fixtures/certificates: name -> PEM. */
    TEST_CERTIFICATES: Record<string, string>;
    /** fixtures/answers: file name -> text. */
    TEST_ANSWERS: Record<string, string>;
  }
}
