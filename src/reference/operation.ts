/** What the reference says of a resource, as data: it stands beside the resource's route. Not a part of the Worker. */
import type * as z from "zod";
import type { ErrorCode } from "../http/errors/every-code.ts";
import type { FieldTexts } from "./field-texts.ts";
import type { OpenApiHeader } from "./open-api.ts";

export interface Resource {
  /** By method and path, as in its rows of endpoints. */
  readonly operations: Readonly<Record<string, Operation>>;
  /** The bodies that are sent, by their names in the document: what the routes validate by. */
  readonly requests?: Readonly<Record<string, z.ZodType>>;
  /** The answers, by their names in the document. One that ends in `Latest` is that of version `latest`. */
  readonly answers?: Readonly<Record<string, z.ZodType>>;
  /** The texts of the fields of both. The form of version `latest` has those of version 1, too. */
  readonly texts?: Readonly<Record<string, FieldTexts>>;
  /** Headers that only its answers have. */
  readonly headers?: Readonly<Record<string, OpenApiHeader>>;
}

export interface Operation {
  readonly id: string;
  readonly tag:
    | "Core flow"
    | "Open-banking flow"
    | "PSP check"
    | "Introspection"
    | "Permissions"
    | "Audit"
    | "Events"
    | "Operation";
  readonly summary: string;
  readonly description: string;
  /**
   * Who is authenticated besides the bank: the PSP by the header `eidas` or `ccg_token`. `subject`: the certificate is
   * what is asked about; `optional`: it may be sent; `bearer`: a gateway forwards it with the token.
   */
  readonly psp?: "eidas" | "ccg_token" | "subject" | "optional" | "bearer";
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Texts of parameters of path and query, by name; of a path also those of parameters.ts. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The name of a request. */
  readonly body?: string;
  /** What the whole body is refused by, if its elements are judged one by one. */
  readonly whole?: z.ZodType;
  /** Names of answers, one for each form; none: the answer has no body, or it is no JSON. */
  readonly answers: readonly string[];
  /** What the answer is that does what was asked. */
  readonly success: string;
  /** What the handler refuses besides what it says of its parameters and its caller (error-codes.ts). */
  readonly refuses?: Readonly<Partial<Record<400 | 401 | 403 | 404, readonly ErrorCode[]>>>;
  /** The 403 of an authorization request, which is a redirect record, too. */
  readonly refusedRedirect?: true;
  /** The answer is a document as it was, of any type. */
  readonly bytes?: true;
  /** What the answer says in headers. */
  readonly headers?: readonly string[];
  /** The answer of a page that is not the last one has the header Link. */
  readonly links?: true;
}
