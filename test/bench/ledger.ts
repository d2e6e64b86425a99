/** The PSP check of a seen certificate by one institution, with its record in the ledger and without (LEDGER_RECORDS). */
import type { Group } from "./group.ts";
import type { Route } from "./load.ts";
import type { Setting } from "./setting.ts";

/** A segment of the ledger is closed every two seconds or so: of shorter turns each has none of it, one or two. */
const SECONDS_PER_TURN = 8;
/**
 * What closes a segment runs once in two seconds, so V8 takes most of a minute until it has compiled it for good: in the first
 * turns of a new process it spends 38,000 instructions for each recorded request on that, a third of all that a record takes.
 */
const WARMING_SECONDS = 40;
const CHECK = "/v1/psp/eidas?jurisdiction=xx";

export function ledgerGroup({ service, unrecorded, withoutR2, identity, eidas }: Setting): Group {
  const check = (name: string, url: string): Route => ({
    ...{ name, url },
    method: "GET",
    status: 200,
    calls: [{ path: CHECK, headers: { ...identity, eidas } }],
  });
  let kept = "";
  const readHead = async () => {
    const answer = await fetch(`${service}/v1/audit/head`, { headers: identity });
    const { data } = (await answer.json()) as { data: { seq: number } };
    kept = `The institution's ledger held ${data.seq} records before the last turn.`;
  };
  const recorded = { ...check("seen certificate, recorded", service), before: readHead };
  const plain = check("seen certificate, LEDGER_RECORDS = off", unrecorded);
  const alone = check("seen certificate, recorded, without R2", withoutR2);
  const goal = { atMost: 1.1 };
  return {
    title: "Ledger",
    secondsPerTurn: SECONDS_PER_TURN,
    warmingSeconds: WARMING_SECONDS,
    steps: [[plain, recorded, alone]],
    comparisons: [
      { of: recorded, to: plain, goal },
      { of: alone, to: plain, goal },
    ],
    get notes() {
      return [
        "One institution: its records a second are the requests a second. Its object works on the thread of the checks, as",
        "R2 does, which locally is JavaScript and files in the same process; deployed, both are elsewhere.",
        kept,
      ];
    },
  };
}
