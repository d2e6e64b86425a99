/**
 * Where a webhook may lead: https, to a host all of whose addresses are public. It is asked when one is added and before
 * each delivery, since a name may come to lead elsewhere.
 *
 * Between this question and the connection the name may still change. On Cloudflare's network that leads nowhere: a Worker
 * reaches no private network but those that are bound to it, and by `global_fetch_strictly_public` (wrangler.toml) no origin
 * of its own zone past what guards it.
 */
import { isAddress, isPublicAddress } from "./public-address.ts";

type TargetFault = { readonly ok: false; readonly message: string };
export type TargetCheck = { readonly ok: true } | TargetFault;

/** The addresses of a host name, IPv4 and IPv6. Throws if it has none, or nobody answers. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** `any`: also http, and hosts of private networks. For tests only; no deployment sets it. */
export type WebhookTargets = "public" | "any";

export const readTargets = ({ WEBHOOK_TARGETS }: Partial<Pick<Env, "WEBHOOK_TARGETS">>): WebhookTargets =>
  WEBHOOK_TARGETS === "any" ? "any" : "public";

const MAX_URL_CHARACTERS = 2048;

/** Does not throw. `message` is a phrase that follows the address. */
export async function checkTarget(text: string, targets: WebhookTargets, resolve: Resolve): Promise<TargetCheck> {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null;
  if (!url) return refuse(`is not an address, or is longer than ${MAX_URL_CHARACTERS} characters`);
  if (url.username || url.password) return refuse("holds credentials, which are not sent");
  if (url.hash) return refuse("has a fragment, which is never sent");
  if (targets === "any") return /^https?:$/.test(url.protocol) ? { ok: true } : refuse("is neither http nor https");
  if (url.protocol !== "https:") return refuse("is not https");
  // an IPv6 address stands in brackets
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isAddress(host)) return refuse(isPublicAddress(host) ? NAMELESS : PRIVATE);
  let addresses: readonly string[];
  try {
    addresses = await resolve(host);
  } catch {
    return refuse("has a host whose address cannot be found");
  }
  if (addresses.length === 0) return refuse("has a host without an address");
  return addresses.every(isPublicAddress) ? { ok: true } : refuse(PRIVATE);
}

/** https://developers.cloudflare.com/workers/platform/known-issues/#fetch-to-ip-addresses: it would answer with status 403. */
const NAMELESS = "names its host by an IP address, and the platform asks hosts by their names only";
const PRIVATE = "leads to a private network, or to an address that is not on the public internet";

const refuse = (message: string): TargetFault => ({ ok: false, message });

/** Asks DNS: on Cloudflare's network 1.1.1.1, on Node the machine's servers. */
export async function resolveHost(host: string): Promise<string[]> {
  const { resolve4, resolve6 } = await import("node:dns/promises");
  const answers = await Promise.allSettled([resolve4(host), resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}
