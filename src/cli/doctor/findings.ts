/** What `doctor` says of the readings of `status` and of the token keys. Pure. */

import { retentionStart } from "../../evidence/ledger/ledger-settings.ts";
import { type NamedKey, publishKeys } from "../../evidence/signatures/signing-keys.ts";
import { madeAt, signedUntil } from "../../grants/token-keys.ts";
import { relativeTime } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { type CommandLine, cureOf, writeNotLoaded } from "../../refresh/cures.ts";
import type { Reason, SourceStatus } from "../../refresh/reasons.ts";
import type { RootOfTrust } from "../../refresh/root-of-trust.ts";
import type { Status } from "../../refresh/status.ts";
import { nameSecret } from "../keys/signing-keys.ts";
import { type Finding, good, toDo } from "./finding.ts";

/** One finding for each trusted list and register, and one for the kept CRLs. */
export function findSources(status: Status, command: CommandLine, now: Instant): Finding[] {
  // damaged records are named one by one (settings.ts)
  const nothing = status.reasons.filter(({ source, code }) => source === null && code !== "records_damaged");
  return [
    ...nothing.map((reason) => toDo("sources", reason.message, cureOf(reason, command))),
    ...status.trustedLists.map((list) =>
      judge("trusted_list", list, `trusted list ${nameOf(list)}`, status.reasons, command, now),
    ),
    ...status.registers.map((one) => judge("register", one, `register ${nameOf(one)}`, status.reasons, command, now)),
    ...status.holes.map(({ message }) =>
      toDo("sources", message, `tell which numbers are whose: ${command("register numbers import FILE")}`),
    ),
    judgeCrls(status.crls, command, now),
  ];
}

const nameOf = ({ source, jurisdiction }: SourceStatus): string => [source, jurisdiction].filter(Boolean).join(" ");

function judge(
  kind: "trusted_list" | "register",
  source: SourceStatus,
  name: string,
  reasons: readonly Reason[],
  command: CommandLine,
  now: Instant,
): Finding {
  const own = reasons.filter(
    (reason) =>
      reason.code.startsWith(kind) && reason.source === source.source && reason.jurisdiction === source.jurisdiction,
  );
  const [first] = own;
  if (first) return toDo("sources", own.map(({ message }) => message).join("; "), cureOf(first, command));
  const error = describeError(source, now);
  if (!source.loaded) return toDo("sources", `${name}: not loaded${error}`, writeNotLoaded(command));
  const age = [
    ...(source.published === null || source.dated === "fetch"
      ? []
      : [`published ${relativeTime(source.published, now)}`]),
    ...(source.nextUpdate === null ? [] : [`next update ${relativeTime(source.nextUpdate, now)}`]),
    ...(source.fetchedAt === null
      ? []
      : [`fetched ${relativeTime(source.refresh?.checkedAt ?? source.fetchedAt, now)}`]),
  ];
  return good("sources", `${name}: ${age.join(", ")}${error}`);
}

/** A failed refresh is shown, but gives the operator nothing to do: the next attempt may succeed. */
function describeError({ refresh }: Pick<SourceStatus, "refresh">, now: Instant): string {
  const { lastError = null, refusedImport = null, nextCheck = null } = refresh ?? {};
  const last =
    lastError &&
    `; the last refresh failed ${relativeTime(lastError.at, now)}: ${lastError.message}; next ${relativeTime(nextCheck, now)}`;
  const refused =
    refusedImport && `; an import by hand was refused ${relativeTime(refusedImport.at, now)}: ${refusedImport.message}`;
  return `${last ?? ""}${refused ?? ""}`;
}

function judgeCrls({ loaded, nextUpdate, refresh }: Status["crls"], command: CommandLine, now: Instant): Finding {
  const error = describeError({ refresh }, now);
  const ended = nextUpdate !== null && Date.parse(nextUpdate) < now;
  const end = nextUpdate === null ? "" : `, the first ${ended ? "ended" : "ends"} ${relativeTime(nextUpdate, now)}`;
  const message = `kept CRLs: ${loaded}${end}${error}`;
  return ended ? toDo("sources", message, `fetch them: ${command("refresh --only crl")}`) : good("sources", message);
}

/** After a year a key has made enough tokens. */
const OLD_KEY_MS = 366 * 86_400_000;

/** `kids`: the one that signs last. `liveTokens`: by key. `ccgTokenSeconds`: lifetime of CCG tokens, which nobody counts. */
export function findKeys(
  kids: readonly string[],
  liveTokens: ReadonlyMap<string, number>,
  ccgTokenSeconds: number,
  command: CommandLine,
  now: Instant,
): Finding[] {
  if (kids.length === 0)
    return [toDo("token keys", "there is no token key: no token can be made", `make one: ${command("key rotate")}`)];
  const lost = [...liveTokens.keys()].filter((kid) => !kids.includes(kid));
  return [
    ...kids.map((kid) => judgeKey(kid, kids, liveTokens.get(kid) ?? 0, ccgTokenSeconds, command, now)),
    ...lost.map((kid) =>
      toDo(
        "token keys",
        `${kid}: live tokens need this key, and it is gone: they are refused`,
        `put its secret back (TOKEN_KEY_${kid}); else PSPs need new tokens`,
      ),
    ),
  ];
}

/**
 * Whether each key has a sealed file on this machine. `names`: of the deployed keys' secrets that are needed; `sealed`: of all files;
 * `recipient`: whether one is set. A machine without the folder may be one that only deploys: `hasFolder`.
 */
export function findCustody(
  names: readonly string[],
  sealed: readonly string[],
  { recipient, hasFolder }: { readonly recipient: boolean; readonly hasFolder: boolean },
  command: CommandLine,
): Finding[] {
  const without = names.filter((name) => !sealed.includes(name));
  if (without.length === 0) return names.length === 0 ? [] : [good("token keys", "each key has a sealed file here")];
  if (recipient && !hasFolder) return [good("token keys", "keys are sealed, on another machine than this one")];
  const rotate = `${command("key rotate")}, and signing-key rotate`;
  const todo = recipient
    ? `copy its sealed file here, or make a key that has one: ${rotate}`
    : `set KEY_RECIPIENT in wrangler.toml to a public key of age (age-keygen), then ${rotate}`;
  const which = `${without.join(", ")}: no sealed file is here, so nobody can put the key back if the Worker is lost`;
  return [toDo("token keys", which, todo)];
}

function judgeKey(
  kid: string,
  kids: readonly string[],
  tokens: number,
  ccgTokenSeconds: number,
  command: CommandLine,
  now: Instant,
): Finding {
  const made = madeAt(kid);
  const age = Number.isNaN(made) ? "made nobody knows when" : `made ${relativeTime(made, now)}`;
  const use = `${tokens} live access ${tokens === 1 ? "token" : "tokens"}`;
  if (kid !== kids.at(-1)) {
    const over = tokens === 0 && now >= signedUntil(kids, kid, now) + ccgTokenSeconds * 1000;
    return good(
      "token keys",
      `${kid} verifies, ${age}, ${use}${over ? `; nothing needs it (${command(`key remove ${kid}`)})` : ""}`,
    );
  }
  const message = `${kid} signs, ${age}, ${use}`;
  if (made > now)
    return toDo("token keys", message, "its time lies ahead: look at the clock of the machine that made it");
  if (now - made > OLD_KEY_MS)
    return toDo("token keys", message, `it is more than a year old: ${command("key rotate")}; its tokens stay valid`);
  return good("token keys", message);
}

/** The pinned signers of the list of lists, and what the loaded list of lists announces. */
export function findRoot({ signers, listOfLists, advice }: RootOfTrust, now: Instant): Finding[] {
  const valid = signers.filter(({ validUntil }) => Date.parse(validUntil) >= now);
  const ends = valid.map(({ validUntil }) => validUntil.slice(0, 10)).sort();
  const pinned = `${valid.length} of ${signers.length} pinned signers are valid, until ${ends.join(", ") || "no day"}`;
  const list = listOfLists === null ? "no list of lists is loaded" : `list of lists number ${listOfLists}`;
  const message = `${list}; ${pinned}`;
  return [advice === null ? good("root of trust", message) : toDo("root of trust", message, advice)];
}

/** Variables and secrets together: https://developers.cloudflare.com/workers/platform/limits/#environment-variables */
const MAX_VARIABLES = 128;
/** Leaves a year of monthly rotations of both kinds of keys. */
const ALARMING = MAX_VARIABLES - 24;

/**
 * A retired signing key is published for as long as there are records that it signed: then its secret may go. `others`: how
 * many variables and secrets there are beside signing keys; `retentionDays`: of the ledgers.
 */
export function findRoom(
  others: number,
  signingKeys: readonly NamedKey[],
  retentionDays: unknown,
  now: Instant,
): Finding[] {
  const used = others + signingKeys.length;
  if (used < ALARMING) return [];
  const message = `the Worker has ${used} variables and secrets of at most ${MAX_VARIABLES}: beyond them no key can be rotated`;
  const start = retentionStart(retentionDays, now);
  const ended = publishKeys(signingKeys).filter(({ exp }) => exp !== undefined && exp * 1000 < start);
  const names = ended.map(nameSecret);
  const todo =
    names.length > 0
      ? `all records that these keys signed are deleted. Keep what /.well-known/jwks.json answers for signed answers that banks have saved, then: npx wrangler secret delete ${names.join(", ")}`
      : "remove token keys that nothing needs (key remove), and rotate more seldom: a retired signing key is needed for EVIDENCE_RETENTION_DAYS";
  return [toDo("configuration", message, todo)];
}
