/** GET /v1/psp/eidas, for a certificate seen before and for new ones (issue: "Speed"). */
import type { Group } from "./comparison.ts";
import type { Route } from "./load.ts";
import type { Setting } from "./setting.ts";

const CHECK = "/v1/psp/eidas?jurisdiction=xx";

export function pspGroup({ identity, eidas, leaves }: Setting): Group {
  const get = (name: string, path: string, certificates: readonly string[]): Route => ({
    name,
    method: "GET",
    status: 200,
    calls: certificates.map((certificate) => ({ path, headers: { ...identity, eidas: certificate } })),
  });
  const unlogged = get("bare JSON route without a log line", "/bare/unlogged", [eidas]);
  const bare = get("bare JSON route", "/bare/json", [eidas]);
  const seen = get("PSP check, certificate seen before", CHECK, [eidas]);
  const verify = get("bare parse and two signatures", "/bare/verify", leaves);
  const fresh = get("PSP check, new certificate", CHECK, leaves);
  return {
    title: "PSP check",
    routes: [unlogged, bare, seen, verify, fresh],
    comparisons: [
      { of: seen, to: bare, target: { atLeast: 0.8 } },
      { of: seen, to: unlogged, target: null },
      { of: fresh, to: verify, target: { atLeast: 0.5 } },
    ],
    notes: [
      "All get the same headers and, but for the first, write the same log line: the way to the Worker and wrangler's handling of its output cost the same, and only its work differs.",
      "Bare parse: the leaf, its issuer and the CRL, and the signatures of leaf and CRL. The check verifies a CRL once per isolate.",
    ],
  };
}
