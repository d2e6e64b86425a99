/** A check as a command that asks the API the same. The secret is left to the shell. */

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export interface CurlCommand {
  /** Of the service, without a slash at its end. */
  readonly base: string;
  readonly jurisdiction: string;
  /** Null: the reader is an operator, who has no credentials. */
  readonly caller: { readonly clientId: string; readonly fiReferenceId: string } | null;
  /** The header `eidas`. */
  readonly header: string;
}

/** Needs CLIENT_SECRET in the environment; of an operator also CLIENT_ID and FI_REFERENCE_ID. */
export function writeCurl({ base, jurisdiction, caller, header }: CurlCommand): string {
  const user = caller ? `${quote(`${caller.clientId}:`)}"$CLIENT_SECRET"` : '"$CLIENT_ID:$CLIENT_SECRET"';
  const reference = caller ? quote(`fi_reference_id: ${caller.fiReferenceId}`) : '"fi_reference_id: $FI_REFERENCE_ID"';
  return [
    `curl ${quote(`${base}/v1/psp/eidas?jurisdiction=${jurisdiction}`)}`,
    `--user ${user}`,
    `--header ${reference}`,
    "--header 'version: latest'",
    `--header ${quote(`eidas: ${header}`)}`,
  ].join(" \\\n  ");
}
