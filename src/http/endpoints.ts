/** All endpoints: the rows of each resource are beside its route. */
import { once } from "../platform/memory.ts";
import { ACCOUNTS } from "../routes/accounts/endpoints.ts";
import { AUDIT, EVENTS, METRICS, OPERATION, SITE, TOKENS_SHOWN } from "../routes/endpoints.ts";
import { CORE_FLOW } from "../routes/oauth2/endpoints.ts";
import { OPEN_BANKING_FLOW } from "../routes/obie/endpoints.ts";
import { PSP_CHECKS } from "../routes/psp/endpoints.ts";
import { FORMS_OF_1_6 } from "../routes/v1_6/endpoints.ts";
import { acts, type Endpoint, type RecordedEndpoint } from "./endpoint.ts";

export const ENDPOINTS: readonly Endpoint[] = [
  ...CORE_FLOW,
  ...OPEN_BANKING_FLOW,
  ...PSP_CHECKS,
  ...TOKENS_SHOWN,
  ...ACCOUNTS,
  ...AUDIT,
  ...EVENTS,
];

/** With those of version 1.6, which exist only where LEGACY_1_6 is "true". Their records outlast that. */
export const EVERY_ENDPOINT: readonly Endpoint[] = [...ENDPOINTS, ...FORMS_OF_1_6];

/** What decides which endpoints there are. */
export type EndpointSettings = Pick<Env, "LEGACY_1_6">;

/** Those of the interface and those beside it, as this service is configured. */
export const listEndpoints = ({ LEGACY_1_6 }: EndpointSettings): readonly Endpoint[] =>
  LEGACY_1_6 === "true" ? EVERY_ENDPOINT : ENDPOINTS;

/** The forms of the console whose answers leave records, as those of the API do (console/forms.ts). */
export const CONSOLE_FORMS = {
  check: acts("POST", "/console/check", "psp.checked", 303),
  checkAgain: acts("POST", "/console/check/{id}", "psp.checked", 303),
  withdrawal: acts("POST", "/console/permissions/withdraw", "consent.revocation", 303),
  block: acts("POST", "/console/permissions/block", "block.change", 303),
  unblock: acts("POST", "/console/permissions/unblock", "block.change", 303),
  watch: acts("POST", "/console/psps/watch", "watch.change", 303),
  unwatch: acts("POST", "/console/psps/unwatch", "watch.change", 303),
  // their answers show a secret, once
  webhookAddition: acts("POST", "/console/webhooks", "webhook.change", 200),
  webhookRotation: acts("POST", "/console/webhooks/rotate", "webhook.change", 200),
  webhookRemoval: acts("POST", "/console/webhooks/remove", "webhook.change", 303),
  acknowledgement: acts("POST", "/console/events/acknowledge", "event.acknowledgement", 303),
  status: acts("POST", "/console/institutions/status", "institution.change", 303),
  endOfSessions: acts("POST", "/console/people/end-sessions", "session.end", 303),
  nameErasure: acts("POST", "/console/people/erase", "person.erasure", 303),
} as const satisfies Readonly<Record<string, RecordedEndpoint>>;

/** Turns a path such as `/v1/obie/tokens/{token}` into an anchored pattern. */
const pattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);

/** Endpoints by path, so that a request looks once. No two paths of the table match the same request. A pattern is made when it is asked. */
interface PathTable {
  readonly fixed: ReadonlyMap<string, readonly Endpoint[]>;
  readonly withParameter: readonly { readonly pattern: () => RegExp; readonly endpoints: readonly Endpoint[] }[];
}

function tabulate(endpoints: readonly Endpoint[]): PathTable {
  const paths = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint]);
  const withParameter = [...paths].filter(([path]) => path.includes("{"));
  return {
    fixed: new Map([...paths].filter(([path]) => !path.includes("{"))),
    withParameter: withParameter.map(([path, endpoints]) => ({ pattern: once(() => pattern(path)), endpoints })),
  };
}

// a tenth of a start, and only one of the two is ever asked
const present = once(() => tabulate([...ENDPOINTS, ...OPERATION, ...METRICS, ...SITE]));
const withOlder = once(() => tabulate([...EVERY_ENDPOINT, ...OPERATION, ...METRICS, ...SITE]));

const NONE: readonly Endpoint[] = [];

/** The endpoints at a request's path, one for each method; empty if the path is unknown. */
export function findEndpoints(path: string, { LEGACY_1_6 }: Partial<EndpointSettings> = {}): readonly Endpoint[] {
  const { fixed, withParameter } = LEGACY_1_6 === "true" ? withOlder() : present();
  return fixed.get(path) ?? withParameter.find(({ pattern }) => pattern().test(path))?.endpoints ?? NONE;
}
