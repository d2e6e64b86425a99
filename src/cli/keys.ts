/**
 * `key rotate | list | remove`: the keys of access tokens and CCG tokens, each a secret named TOKEN_KEY_<kid>. The key
 * with the greatest kid signs, all keys verify. So a rotation adds a key and does not need to read the old ones.
 */
import type { Command } from "commander";
import { countLiveTokens, isInUse, type KeyUse, madeAt, readKeyUse } from "../grants/key-use.ts";
import { clock } from "../platform/clock.ts";
import { relativeTime } from "../platform/relative-time.ts";
import { EXIT, fail } from "./fail.ts";
import { addKey, listKids, removeKey } from "./key-files.ts";
import { addOutputOptions, drawTable, grouped, type OutputOptions, print, type Style } from "./output.ts";
import { withStores } from "./stores.ts";
import { addTargetOptions, type Target, type TargetOptions, targetOf } from "./target.ts";
import { countSealed } from "./webhook-reading.ts";

interface ListedKey {
  readonly kid: string;
  readonly signs: boolean;
  /** ISO 8601; null if the id contains no time. */
  readonly made_at: string | null;
  /** Access tokens that are neither expired nor revoked. CCG tokens are not stored. */
  readonly live_tokens: number;
}

type Common = TargetOptions & OutputOptions;

export function addKeyCommands(program: Command): void {
  const key = program.command("key").description("the keys that make tokens");
  const command = (name: string, description: string) =>
    addOutputOptions(addTargetOptions(key.command(name).description(description)));

  command("rotate", "add a key; new tokens use it, existing tokens stay valid until they expire")
    .addHelpText("after", "\nA running npm start uses it within seconds, as a deployed service does.")
    .action(async (options: Common) => {
      const kid = await addKey(targetOf(options));
      print({ kid }, options, (style) => `${style.good("made")} the key ${kid}, which signs from now on`);
    });

  command("list", "list the keys with their ages and live tokens; the last one makes new tokens").action(
    async (options: Common) => {
      const target = targetOf(options);
      const kids = await listKids(target);
      const at = clock.now();
      const counts = await withStores(target, ({ env }) => countLiveTokens(env, at));
      const keys = kids.map((kid) => describeKey(kid, kid === kids.at(-1), counts.get(kid) ?? 0));
      print(keys, options, (style) => drawKeys(keys, at, style));
    },
  );

  command("remove <kid>", "remove a key that no valid token needs; tokens made with it stop working permanently")
    .option("--force", "even if tokens need it: they stop working at once", false)
    .action(async (kid: string, options: Common & { force: boolean }) => {
      const target = targetOf(options);
      const { accessTokens } = await checkRemoval(await listKids(target), kid, target, options.force);
      await removeKey(target, kid);
      print(
        { kid, removed: true, access_tokens_ended: accessTokens },
        options,
        (style) => `${style.good("removed")} the key ${kid}; ${grouped(accessTokens)} access tokens ended with it`,
      );
    });
}

function describeKey(kid: string, signs: boolean, live_tokens: number): ListedKey {
  const made = madeAt(kid);
  return { kid, signs, made_at: Number.isNaN(made) ? null : iso(made), live_tokens };
}

function drawKeys(keys: readonly ListedKey[], at: number, style: Style): string {
  if (keys.length === 0) return "no key: npm start makes the first one, or key rotate";
  const rows = keys.map(({ kid, signs, made_at, live_tokens }) => [
    kid,
    signs ? style.good("✓ signs") : "verifies",
    made_at === null ? "unknown" : relativeTime(made_at, at),
    grouped(live_tokens),
  ]);
  return drawTable(["key", "use", "made", "live access tokens"], rows, style);
}

/**
 * Fails unless the key may be removed. `force` allows a key with live tokens, but never the key that signs, nor one that
 * has sealed the secret of a webhook: only its receiver has it otherwise.
 */
async function checkRemoval(kids: readonly string[], kid: string, target: Target, force: boolean): Promise<KeyUse> {
  if (!kids.includes(kid)) fail(`${kid}: no such key (key list shows them)`);
  if (kids.length === 1) fail(`${kid} is the only key: no token could be made or verified without it`);
  if (kids.every((other) => other <= kid)) fail(`${kid} is the newest key, which makes new tokens: key rotate first`);
  const at = clock.now();
  const [use, sealed] = await withStores(target, ({ env }) =>
    Promise.all([readKeyUse(env, kids, kid, at), countSealed(env, kid)]),
  );
  if (sealed > 0)
    fail(
      `${kid} was not removed: the secrets of ${sealed} webhooks are sealed with it and would be lost. The next scheduled run seals them with the newest key: try again in two minutes`,
      EXIT.no,
    );
  if (isInUse(use, at) && !force)
    fail(`${kid} was not removed: ${describeUse(use, at)}. Wait until then, or end them now with --force`, EXIT.no);
  return use;
}

function describeUse({ accessTokens, accessTokensUntil, ccgTokensUntil }: KeyUse, at: number): string {
  const access =
    accessTokensUntil !== null &&
    `${accessTokens} access ${accessTokens === 1 ? "token needs" : "tokens need"} it until ${iso(accessTokensUntil)}`;
  const ccg = at < ccgTokensUntil && `CCG tokens, which nobody can count, may need it until ${iso(ccgTokensUntil)}`;
  return [access, ccg].filter(Boolean).join("; ");
}

const iso = (time: number): string => new Date(time).toISOString();
