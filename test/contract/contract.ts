/** What test/contract/validators-plugin.ts makes of the document. */
import type { OpenApiDocument } from "../../src/reference/open-api.ts";

interface Validator {
  (value: unknown): boolean;
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string; readonly params: unknown }[];
}

export interface Contract {
  /** Without its descriptions. */
  readonly document: OpenApiDocument;
  /** By name. */
  readonly validators: Readonly<Record<string, Validator>>;
  readonly operations: readonly {
    readonly method: string;
    /** With `{name}` for a segment. */
    readonly path: string;
    /** The names of the validators. Without `body` the answer has none, or any content of the type `bytes`. */
    readonly statuses: Readonly<
      Record<
        string,
        { readonly body?: Readonly<Record<string, string>>; readonly bytes?: string; readonly headers: string }
      >
    >;
  }[];
}
