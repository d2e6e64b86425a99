/** What `status` shows of a service in which nothing is loaded, but for what a test says. */
import type { ShownStatus } from "../../../src/cli/status/text.ts";
import { readRootOfTrust } from "../../../src/refresh/root-of-trust.ts";

export const madeStatus = (now: number, more: Partial<ShownStatus> = {}): ShownStatus => ({
  ...{ status: "up", version: "1.0.0", reasons: [], warnings: [], trustedLists: [], registers: [], holes: [] },
  ...{ databases: [], copyFaults: [], crls: { loaded: 0, nextUpdate: null, refresh: null } },
  deliveries: {
    ...{ queue: true, webhooks: 0, disabled: 0, pending: 0, dead: 0, endedBy410: 0 },
    ...{ failing: [], rotating: [] },
  },
  rootOfTrust: readRootOfTrust(null, now),
  ...more,
});
