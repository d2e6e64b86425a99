declare namespace Cloudflare {
  interface Env {
    // all defined in vitest.config.ts
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    /** A Sandbox (src/cli/sandbox/files.ts) as JSON. */
    TEST_SANDBOX: string;
    /** fixtures/certificates: name -> PEM. */
    TEST_CERTIFICATES: Record<string, string>;
    /** Set if test/contract/record-story.ts runs the test. */
    TEST_RECORD_STORY: string;
    /** fixtures/answers: file name -> text. */
    TEST_ANSWERS: Record<string, string>;
  }
}
