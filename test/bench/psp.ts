/** GET /v1/psp/eidas, for a certificate seen before and for new ones, and with a signed answer (RFC 9421). */
import type { Group } from "./group.ts";
import type { Route } from "./load.ts";
import type { Setting } from "./setting.ts";

const CHECK = "/v1/psp/eidas?jurisdiction=xx";

export function pspGroup({ service, bare, identity, eidas, leaves }: Setting): Group {
  const get = (name: string, url: string, path: string, certificates: readonly string[]): Route => ({
    ...{ name, url },
    method: "GET",
    status: 200,
    calls: certificates.map((certificate) => ({ path, headers: { ...identity, eidas: certificate } })),
  });
  const json = get("bare: a JSON route", bare, "/bare/json", [eidas]);
  const seen = get("seen certificate", service, CHECK, [eidas]);
  const verify = get("bare: parse, and the same two signatures", bare, "/bare/verify", leaves);
  const kept = get("bare: the same, and one object of R2", bare, "/bare/kept", leaves);
  const fresh = get("new certificate, revocation cached", service, CHECK, leaves);
  const signed: Route = {
    ...get("seen certificate, signed", service, CHECK, []),
    calls: [{ path: CHECK, headers: { ...identity, eidas, "Accept-Signature": 'bank=("@status");nonce="n"' } }],
  };
  return {
    title: "PSP check",
    steps: [
      [json, seen, signed],
      [verify, kept, fresh],
    ],
    comparisons: [
      { of: seen, to: json, goal: { atMost: 2.2 } },
      { of: fresh, to: verify, goal: null },
      { of: fresh, to: kept, goal: { atMost: 1.3 } },
      { of: signed, to: seen, goal: { atMost: 1.25 } },
    ],
    notes: [
      "The check writes its log line, the bare routes none. Bare parse: the leaf, its issuer and the CRL, and the",
      "signatures of leaf and CRL. The check verifies a CRL once per isolate. It also keeps what it is based on, in one object of",
      "R2, which locally is JavaScript and files in the same process.",
    ],
  };
}
