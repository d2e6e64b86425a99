/** What the load generator knows of the service's data: enough to compute every answer. Plain data, sent as JSON. */
import type { MadePki } from "./certificates.ts";

export interface World extends Pick<MadePki, "certificates" | "unlistedName" | "crl" | "revokedAt" | "expiredAt"> {
  readonly issuer: Omit<MadePki["issuer"], "base64">;
  /** As the evidence of a check names them. */
  readonly trust: {
    readonly source: string;
    readonly jurisdiction: string;
    readonly service: string;
    readonly status: string;
    readonly since: string;
    readonly listSequenceNumber: number;
    readonly listIssuedAt: string;
    readonly listNextUpdate: string;
  };
  readonly registers: readonly {
    readonly country: string;
    readonly source: string;
    readonly snapshot: string;
    readonly published: string;
    readonly fetchedAt: string;
  }[];
}
