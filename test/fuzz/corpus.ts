/** Where the fuzzer begins: corpus.json, and what lies in fixtures/ and, for longer runs, in the shared data. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicSigningKey } from "../../src/evidence/signatures/signing-keys.ts";
import type { TokenKey, TokenKeys } from "../../src/grants/token-keys.ts";
import type { AccessKey } from "../../src/http/access.ts";
import { sharedData } from "../shared-data.ts";

/** For whom a QTSP answers, and when that holds. */
export interface Circumstances {
  readonly issuer: string;
  readonly certificate: string | null;
  readonly verifyTime: string;
}

export interface KnownAnswers extends Circumstances {
  readonly answers: readonly string[];
}

/** Bytes in base64. */
export interface Corpus {
  readonly certificates: readonly string[];
  readonly statements: readonly string[];
  readonly ocsp: KnownAnswers;
  readonly crls: KnownAnswers;
  /** The list of lists first. */
  readonly lists: readonly string[];
  readonly pivots: readonly string[];
  /** Of who signs the list of lists. */
  readonly pinned: readonly string[];
  readonly archive: string;
  readonly proven: string;
  readonly archiveKeys: readonly PublicSigningKey[];
  readonly exchange: { readonly text: string; readonly keys: readonly PublicSigningKey[] };
  readonly access: { readonly assertion: string; readonly key: AccessKey };
  readonly tokens: readonly string[];
}

export const CORPUS_FILE = join(import.meta.dirname, "corpus.json");
export const readCorpus = (): Corpus => JSON.parse(readFileSync(CORPUS_FILE, "utf8"));

export const decode = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));

/** Files of a folder of the shared data, small ones; none where it is not there. */
export function readSharedFiles(folder: string, extension: string, maxBytes = 64 * 1024): Uint8Array[] {
  if (sharedData === null) return [];
  return readdirSync(join(sharedData, folder))
    .filter((file) => file.endsWith(extension))
    .map((file) => new Uint8Array(readFileSync(join(sharedData ?? "", folder, file))))
    .filter(({ length }) => length <= maxBytes);
}

export const FI_ID = 7;
const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const newest: TokenKey = {
  ...{
    kid: "20260101T000000Z",
    accessTokens: key(1),
    ccgTokens: key(2),
    codes: key(3),
    console: key(4),
    webhooks: key(5),
  },
};
export const TOKEN_KEYS: TokenKeys = { newest, byKid: new Map([[newest.kid, newest]]) };
