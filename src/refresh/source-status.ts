/** What `status` says of a source: what is loaded, and how its refresh goes. */
export interface SourceStatus {
  readonly source: string;
  /** ISO 3166 country, or "EU"; null for a source of many countries if none is loaded. */
  readonly jurisdiction: string | null;
  readonly loaded: boolean;
  /** This and the next two: ISO 8601; null if the source does not state it, or nothing is loaded. */
  readonly published: string | null;
  readonly fetchedAt: string | null;
  readonly nextUpdate: string | null;
  /** Older than its publisher or the configuration allows: answers that use it contain a warning. */
  readonly stale: boolean;
  readonly refresh: RefreshStatus | null;
}

export interface RefreshStatus {
  /** ISO 8601: when the loaded data was last found to be the source's current data. */
  readonly checkedAt: string | null;
  /** ISO 8601. */
  readonly nextCheck: string;
  /** Number of consecutive failures. */
  readonly failures: number;
  readonly lastError: { readonly at: string; readonly message: string } | null;
  /** The operator's last import, if it was refused; null after a success of whatever kind. */
  readonly refusedImport: { readonly at: string; readonly message: string } | null;
}

/** Before how long ago the last one was. */
export const describeFailures = (failures: number): string =>
  failures === 1 ? "1 refresh failed" : `${failures} refreshes in a row failed, the last`;
