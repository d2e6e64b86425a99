/** What is wrong with how a command failed, and with how the next run ended. */
import { isDeepStrictEqual } from "node:util";
import { listSealed } from "../../src/cli/keys/custody.ts";
import { hashSecret } from "../../src/platform/secrets.ts";
import type { Result } from "../cli/run-here.ts";
import { describeAccount, findGone, type State } from "./account-state.ts";
import { runHere, WRITTEN } from "./fault-commands.ts";
import type { Account, Platform } from "./platform.ts";

/** One sentence and an exit code, and what it says is so. */
export function judgeFailure({ code, stdout, stderr }: Result, start: Account, middle: Account): string[] {
  const versions = ({ scripts }: Account) => [...scripts.values()].reduce((sum, one) => sum + one.versions.length, 0);
  const isNew = versions(start) !== versions(middle);
  const unchanged = !isNew && isDeepStrictEqual(describeAccount(start), describeAccount(middle));
  const sentences = stderr.split(/^error: /m).length - 1;
  const isDeployment = stdout.includes("✓ ");
  const isKeyUntold =
    code !== 0 &&
    !isDeployment &&
    countSecrets(start) !== countSecrets(middle) &&
    !stderr.includes("does not say whether the new key is stored");
  const claims: [boolean, string][] = [
    [![0, 1, 3].includes(code), `it ends with ${code}`],
    [code !== 0 && sentences !== 1, "it does not fail with one sentence"],
    [code === 0 && sentences > 0, "it succeeds with an error"],
    [/^ {4}at /m.test(stderr), "it prints a stack trace"],
    [(stdout + stderr).split("\n").length > 80, "it prints more than 80 lines"],
    [code !== 0 && stdout !== "" && !isDeployment, "it fails and prints a result"],
    [/nothing was (?:deployed|changed|done)/i.test(stderr) && !unchanged, "it says that nothing was changed"],
    [/previous Worker is still|No Worker is/.test(stderr) && isNew, "a Worker is new"],
    [stderr.includes("The new Worker is deployed") && !isNew, "no Worker is new"],
    [isKeyUntold, "a key is stored and the sentence does not say that it may be"],
    [hasBareWorker(middle), "a Worker is deployed without tables or keys"],
  ];
  return claims.flatMap(([isFault, what]) => (isFault ? [`${what}: ${stdout}${stderr}`] : []));
}

const countSecrets = ({ scripts }: Account): number =>
  [...scripts.values()].reduce((sum, { secrets }) => sum + secrets.size, 0);

const hasBareWorker = ({ scripts, databases }: Account): boolean =>
  [...scripts.values()].some(({ secrets, versions }) => {
    const bound = (versions.at(-1)?.bindings ?? []).filter(({ type }) => type === "d1");
    const isBare = ({ id }: (typeof bound)[number]) =>
      !databases.some((one) => one.uuid === id && hasTables(one.sqlite));
    return secrets.size < 2 || bound.length === 0 || bound.some(isBare);
  });

const hasTables = (sqlite: Account["databases"][number]["sqlite"]): boolean =>
  sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'financial_institutions'").get() !== undefined;

/** `last`: of the run that ended it. */
export async function judgeEnd(
  platform: Platform,
  args: readonly string[],
  last: Result,
  start: Account,
  wanted: State,
): Promise<string[]> {
  const faults = findGone(start, platform.account).filter(
    (gone) => args[0] !== "signing-key" || !/SIGNING_KEY/.test(gone),
  );
  if (args[0] === "fi") faults.push(...(await judgeSecret(platform, last)));
  if (args[0] === "backup") {
    const { code, stderr } = await runHere(["backup", "verify", WRITTEN]);
    if (code !== 0) faults.push(`the backup is not whole: ${stderr}`);
  }
  if (args.includes("rotate")) faults.push(...(await judgeCustody(start, platform.account)));
  const end = describeAccount(platform.account);
  // a key more is one that signs: nobody can take back one whose making was not answered
  const [is, was] = args.includes("rotate") ? [end, wanted].map(withoutRepeats) : [end, wanted];
  if (!isDeepStrictEqual(is, was)) faults.push(`it ends otherwise than without a fault: ${findDifference(is, was)}`);
  return faults;
}

const withoutRepeats = (state: State): State => ({
  ...state,
  workers: state.workers.map((one) => ({ ...one, secrets: [...new Set(one.secrets)] })),
});

/** Of each key that it made. */
async function judgeCustody(start: Account, end: Account): Promise<string[]> {
  const list = ({ scripts }: Account) => [...scripts.values()].flatMap(({ secrets }) => [...secrets.keys()]);
  const sealed = [...list(start), ...(await listSealed({ remote: true, environment: null }))];
  return list(end).flatMap((name) => (sealed.includes(name) ? [] : [`${name} has no custody`]));
}

/** Whoever ran it has a secret that works; else the sentence says how to get one, and it does. */
async function judgeSecret(platform: Platform, last: Result): Promise<string[]> {
  const [, advised] = /(fi rotate --client [\w-]+)/.exec(last.stderr) ?? [];
  const { stdout, stderr } =
    last.code === 0 || advised === undefined ? last : await runHere([...advised.split(" "), "--remote"]);
  const { client_id, client_secret } = stdout === "" ? {} : JSON.parse(stdout);
  const held = platform.account.databases[0]?.sqlite
    .prepare(
      `SELECT f.status FROM credentials c JOIN credential_institutions USING (client_id)
       JOIN financial_institutions f ON f.id = fi_id
       WHERE client_id = ? AND secret_hash = ? AND fi_reference_id = 'PSDFI-NEW-0001'`,
    )
    .get(client_id ?? "", hashSecret(client_secret ?? ""));
  return held?.["status"] === "active" ? [] : [`nobody has a secret that works: ${stdout}${stderr}`];
}

/** The first place at which two states differ. */
function findDifference(is: unknown, was: unknown, path = ""): string {
  const [a, b] = [Object(is), Object(was)];
  if (typeof is !== "object" || typeof was !== "object" || is === null || was === null)
    return `${path}: ${JSON.stringify(is)} and not ${JSON.stringify(was)}`.slice(0, 400);
  const key = [...Object.keys(a), ...Object.keys(b)].find((one) => !isDeepStrictEqual(a[one], b[one])) ?? "";
  return findDifference(a[key], b[key], `${path}/${key}`);
}
