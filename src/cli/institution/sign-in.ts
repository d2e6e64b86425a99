/** `fi sign-in set | show | test | remove | link`: how people of an institution sign in to the console. */
import { type Command, Option } from "commander";
import { noteCommandAct } from "../../evidence/ledger/command-acts.ts";
import { makeSignInLink, SIGN_IN_LINK_LIFETIME_MS } from "../../institutions/sign-in-links.ts";
import {
  AUTH_METHODS,
  findProvider,
  PERSON_ROLES,
  type PersonRole,
  type ProviderSettings,
  SIGN_IN_PROVIDER_STATEMENTS,
  type SignInProvider,
  setProvider,
} from "../../institutions/sign-in-provider.ts";
import { clock } from "../../platform/clock.ts";
import { EXIT, fail } from "../fail.ts";
import { print } from "../output.ts";
import { withStores } from "../stores.ts";
import { commandsOf, targetOf } from "../target.ts";
import { localTargets } from "../webhook/local-deliveries.ts";
import { type OfInstitution, REFERENCE, requireInstitution } from "./options.ts";
import { DEFAULT_CLAIM, type GivenProvider, joinSettings, readSecret } from "./provider-options.ts";

const END_SESSIONS = "DELETE FROM console_sessions WHERE fi_id = ?1";

const AFTER_SET = `
ISSUER is an https address; people sign in at BASE_URL/console/sign-in/REFERENCE. Register there BASE_URL/console/sign-in/REFERENCE/callback as the
redirect, and /logout in the place of /callback for the back-channel logout with its session. A role has whoever is in one of its groups. What is left out stays as it
was set. Each change signs everybody of the institution out.

Example:
  fi sign-in set --reference PSDFI-FINFSA-0001 --issuer https://login.bank.example --client-id psp-gate \\
    --client-secret-file secret.txt --auditors audit --officers psd2-officers --administrators psd2-admins --remote`;

export function addFiSignInCommands(fi: Command): void {
  const signIn = fi.command("sign-in").description("how people of an institution sign in to the console");
  const command = commandsOf(signIn);

  command("set", "let people sign in at an OpenID provider; signs everybody of the institution out")
    .requiredOption(...REFERENCE)
    .option("--issuer <address>", "of the provider")
    .option("--client-id <id>", "that the provider gave this service")
    .option("--client-secret-file <file>", "its secret; - reads standard input")
    .option("--private-key <file>", "in the place of a secret: PEM, P-256 or RSA; its public key is the provider's")
    .addOption(new Option("--auth-method <method>", "of a secret; default: client_secret_basic").choices(AUTH_METHODS))
    .option("--claim <name>", `of the id token, which names the groups; default: ${DEFAULT_CLAIM}`)
    .option("--auditors <group...>", "groups whose people read")
    .option("--officers <group...>", "groups whose people check, withdraw and block")
    .option("--administrators <group...>", "groups whose people look after webhooks, secrets and people")
    .addOption(new Option("--credentials <mode>", "whether API credentials sign in, too").choices(["on", "off"]))
    .addHelpText("after", AFTER_SET)
    .action(async (options: GivenProvider) => {
      const target = targetOf(options);
      const secret = await readSecret(options);
      const set = await withStores(target, async ({ env }) => {
        const { id: fiId } = await requireInstitution(env, options.reference);
        const settings = joinSettings(options, secret, await findProvider(env.DB, fiId), target.remote);
        await change(env.DB, fiId, setProvider(env.DB, fiId, settings, clock.now()), "fi sign-in set");
        return settings;
      });
      print(shown(options.reference, set), options, (style) =>
        [
          `${style.good("set")} ${describe(options.reference, set)}`,
          "Everybody of the institution is signed out.",
          `Now: fi sign-in test --reference ${options.reference}`,
        ].join("\n"),
      );
    });

  command("show", "how people of an institution sign in; never the secret")
    .requiredOption(...REFERENCE)
    .action(async (options: OfInstitution) => {
      const provider = await read(options);
      print(shown(options.reference, provider), options, () => describe(options.reference, provider));
    });

  command("test", "read what the provider publishes of itself, and its keys")
    .requiredOption(...REFERENCE)
    .action(async (options: OfInstitution) => {
      const { issuer } = await read(options);
      const { remote } = targetOf(options);
      // it has packages that no other command needs
      const { discover, readKeys } = await import("../../console/sign-in/provider.ts");
      const env = { WEBHOOK_TARGETS: remote ? "public" : localTargets({ WEBHOOK_TARGETS: "public" }) } as const;
      const now = clock.now();
      const unusable = (error: Error) => fail(`${issuer} cannot be used: ${error.message}`, EXIT.no);
      const server = await discover(env as Pick<Env, "WEBHOOK_TARGETS">, issuer, now).catch(unusable);
      const { keys } = await readKeys(env as Pick<Env, "WEBHOOK_TARGETS">, server, now).catch(unusable);
      const { end_session_endpoint: end = null, backchannel_logout_session_supported: logout = false } = server;
      const answer = {
        issuer,
        keys: keys.length,
        end_session_endpoint: end,
        backchannel_logout_session_supported: logout,
      };
      print(answer, options, (style) =>
        [
          `${style.good("✓")} ${issuer} is an OpenID provider, with ${keys.length} keys`,
          end === null ? "! it names no place to sign out" : `  signs out at ${end}`,
          logout ? "  says when a session ends there" : "! it does not say when a session ends there",
          "Whether it knows this client is seen when somebody signs in.",
        ].join("\n"),
      );
    });

  command("remove", "let nobody sign in as themselves any more; signs everybody of the institution out")
    .requiredOption(...REFERENCE)
    .action(async (options: OfInstitution) => {
      await withStores(targetOf(options), async ({ env }) => {
        const { id: fiId } = await requireInstitution(env, options.reference);
        if (!(await findProvider(env.DB, fiId))) noProvider(options.reference);
        await change(env.DB, fiId, env.DB.prepare(SIGN_IN_PROVIDER_STATEMENTS.remove).bind(fiId), "fi sign-in remove");
      });
      print(
        { fi_reference_id: options.reference, removed: true },
        options,
        (style) =>
          `${style.good("removed")} the sign-in of ${options.reference}: its API credentials sign in to the console again`,
      );
    });

  command("link", "break-glass: an address that signs in once, in one role, within ten minutes")
    .requiredOption(...REFERENCE)
    .addOption(new Option("--role <role>", "of whoever opens it").choices(PERSON_ROLES).makeOptionMandatory())
    .addHelpText("after", "\nThe institution's administrators see that it was made, and when it was used.")
    .action(async (options: OfInstitution & { role: PersonRole }) => {
      const { reference, role } = options;
      const now = clock.now();
      const secret = await withStores(targetOf(options), async ({ env }) => {
        const { id: fiId } = await requireInstitution(env, reference);
        const link = makeSignInLink(env.DB, { fiId, role }, now);
        await env.DB.batch([link.statement, noteChange(env.DB, fiId, "fi sign-in link")]);
        return link.secret;
      });
      const path = `/console/sign-in/${encodeURIComponent(reference)}/link/${secret}`;
      const ends = new Date(now + SIGN_IN_LINK_LIFETIME_MS).toISOString();
      print({ fi_reference_id: reference, role, path, ends_at: ends }, options, (style) =>
        [
          `${style.good("made")} a link for ${role} of ${reference}, until ${ends}   ${style.doubtful("shown this once only")}`,
          `  the service's address, then ${path}`,
        ].join("\n"),
      );
    });
}

/** Of the change before it in the batch. */
const noteChange = (db: D1Database, fiId: number, command: string): D1PreparedStatement =>
  noteCommandAct(db, { fiId, event: "sign_in.change", command }, clock.now());

/** Signs everybody of the institution out. */
const change = (db: D1Database, fiId: number, made: D1PreparedStatement, command: string) =>
  db.batch([made, noteChange(db, fiId, command), db.prepare(END_SESSIONS).bind(fiId)]);

const noProvider = (reference: string): never =>
  fail(`${reference}: nobody signs in there as themselves: fi sign-in set lets them`, EXIT.no);

const read = ({ reference, ...target }: OfInstitution): Promise<SignInProvider> =>
  withStores(targetOf(target), async ({ env }) => {
    const { id } = await requireInstitution(env, reference);
    return (await findProvider(env.DB, id)) ?? noProvider(reference);
  });

const shown = (reference: string, { issuer, clientId, authMethod, claim, groups, credentials }: ProviderSettings) => ({
  ...{ fi_reference_id: reference, issuer, client_id: clientId, auth_method: authMethod, claim, groups },
  credentials: credentials ? "on" : "off",
});

const describe = (
  reference: string,
  { issuer, clientId, authMethod, claim, groups, credentials }: ProviderSettings,
): string =>
  [
    `${reference} signs in at ${issuer}`,
    `  client       ${clientId}, ${authMethod}`,
    ...PERSON_ROLES.map(
      (role) => `  ${`${role}s`.padEnd(14)} ${groups[role]?.join(", ") ?? "nobody"}   (claim ${claim})`,
    ),
    `  credentials  ${credentials ? "sign in to the console, too" : "do not sign in to the console"}`,
  ].join("\n");
