/** An answer that is to be signed, with its request; and what is signed of it. */
import type { SignatureRequest } from "./accept-signature.ts";

export interface Exchange {
  readonly request: Request;
  /** The content of the request; undefined where it was not read. */
  readonly sent?: Uint8Array | undefined;
  readonly status: number;
  /** Of the answer, without those that the signature adds. */
  readonly headers: Headers;
  /** The whole content of the answer; empty if it has none. */
  readonly content: Uint8Array;
}

export interface Signing {
  readonly asked: SignatureRequest;
  readonly covered: readonly Covered[];
  /** Seconds since 1970. */
  readonly created: number;
  readonly keyid: string;
  readonly sign: (base: Uint8Array) => Uint8Array;
}

/** A component of a signature (RFC 9421 section 2) with its value. */
export interface Covered {
  readonly name: string;
  readonly ofTheRequest: boolean;
  /** As it is written in the signature: `"@path";req`. */
  readonly id: string;
  readonly value: string;
}
