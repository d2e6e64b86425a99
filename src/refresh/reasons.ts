/** Why the service is degraded: each reason with a stable code and a sentence. Pure. */
import type { SourceStatus } from "./source-status.ts";

type ReasonCode =
  | "no_trusted_list"
  | "no_register"
  | "trusted_list_stale"
  | "register_stale"
  | "trusted_list_failing"
  | "register_failing";

export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
  /** Null if nothing is loaded. */
  readonly source: string | null;
  readonly jurisdiction: string | null;
}

/** The number of consecutive failures from which a source counts; fewer are expected to recover by a retry. */
const REPEATED_FAILURES = 5;

/** Empty if nothing is wrong. The order is that of the sources. The list of lists alone has no anchor. */
export function findReasons(
  lists: readonly (SourceStatus & { readonly anchors: number })[],
  registers: readonly SourceStatus[],
): Reason[] {
  return [
    ...(lists.some(({ loaded, anchors }) => loaded && anchors > 0)
      ? []
      : [nothing("no_trusted_list", "no trusted list is loaded: no certificate has a QTSP")]),
    ...(registers.some(({ loaded }) => loaded)
      ? []
      : [nothing("no_register", "no register is loaded: no PSP is authorised")]),
    ...lists.flatMap((list) => reasonsOf("trusted_list", `the trusted list ${nameOf(list)}`, list)),
    ...registers.flatMap((register) => reasonsOf("register", `the register ${nameOf(register)}`, register)),
  ];
}

const nothing = (code: ReasonCode, message: string): Reason => ({ code, message, source: null, jurisdiction: null });

const nameOf = ({ source, jurisdiction }: SourceStatus): string => [source, jurisdiction].filter(Boolean).join(" ");

function reasonsOf(kind: "trusted_list" | "register", name: string, status: SourceStatus): Reason[] {
  const { source, jurisdiction, stale, nextUpdate, published, loaded, refresh } = status;
  const about = { source, jurisdiction };
  const age =
    nextUpdate === null ? `older than it may be: published ${published}` : `past its nextUpdate of ${nextUpdate}`;
  const failing = refresh !== null && refresh.failures >= REPEATED_FAILURES ? refresh : null;
  return [
    ...(stale ? [{ code: `${kind}_stale`, message: `${name} is ${age}`, ...about } as const] : []),
    ...(failing
      ? [
          {
            code: `${kind}_failing`,
            message: `${name} could not be refreshed ${failing.failures} times${loaded ? "" : " and is not loaded"}: ${failing.lastError?.message ?? "the reason is not known"}`,
            ...about,
          } as const,
        ]
      : []),
  ];
}
