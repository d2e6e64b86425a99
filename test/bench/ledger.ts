/**
 * The PSP check of a seen certificate by one institution, with its record in the ledger and without (LEDGER_RECORDS), and of
 * new ones, whose documents are kept, beside a bare check that writes as much to R2.
 */
import type { Group } from "./group.ts";
import type { Route } from "./load.ts";
import type { Setting } from "./setting.ts";

const CHECK = "/v1/psp/eidas?jurisdiction=xx";

export function ledgerGroup({ service, unrecorded, bare, identity, eidas, leaves }: Setting): Group {
  const get = (name: string, url: string, path: string, certificates: readonly string[]): Route => ({
    ...{ name, url },
    method: "GET",
    status: 200,
    calls: certificates.map((certificate) => ({ path, headers: { ...identity, eidas: certificate } })),
  });
  let kept = "";
  const readHead = async () => {
    const answer = await fetch(`${service}/v1/audit/head`, { headers: identity });
    const { data } = (await answer.json()) as { data: { seq: number } };
    kept = `The institution's ledger held ${data.seq} records before the last turn.`;
  };
  const recorded = { ...get("seen certificate, recorded", service, CHECK, [eidas]), before: readHead };
  const plain = get("seen certificate, LEDGER_RECORDS = off", unrecorded, CHECK, [eidas]);
  const written = get("bare: parse, the same two signatures, one object of R2", bare, "/bare/kept", leaves);
  const fresh = get("new certificate, its documents written to R2", service, CHECK, leaves);
  return {
    title: "Ledger",
    steps: [
      [plain, recorded],
      [written, fresh],
    ],
    comparisons: [
      { of: recorded, to: plain, goal: { atLeast: 0.9 } },
      { of: fresh, to: written, goal: null },
    ],
    get notes() {
      return [
        "One institution: its records a second are the requests a second. Local R2 is JavaScript and files in the same process.",
        kept,
      ];
    },
  };
}
