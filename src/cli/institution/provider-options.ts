/** What `fi sign-in set` is given, read and joined with what was set before. */
import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { text as readStream } from "node:stream/consumers";
import {
  type AUTH_METHODS,
  PERSON_ROLES,
  type ProviderSettings,
  type SignInProvider,
} from "../../institutions/sign-in-provider.ts";
import { EXIT, fail } from "../fail.ts";
import type { OfInstitution } from "./options.ts";

export const DEFAULT_CLAIM = "groups";

export interface GivenProvider extends OfInstitution {
  issuer?: string;
  clientId?: string;
  clientSecretFile?: string;
  privateKey?: string;
  authMethod?: (typeof AUTH_METHODS)[number];
  claim?: string;
  auditors?: string[];
  officers?: string[];
  administrators?: string[];
  credentials?: "on" | "off";
}

type Secret = Pick<SignInProvider, "secret" | "authMethod"> | null;

/** Null: none is given. Ends the command where the options contradict each other, or the file is of no use. */
export async function readSecret({ clientSecretFile, privateKey, authMethod }: GivenProvider): Promise<Secret> {
  if (clientSecretFile !== undefined && privateKey !== undefined)
    fail("--client-secret-file and --private-key: the provider takes one of them", EXIT.usage);
  if (privateKey !== undefined) {
    if (authMethod !== undefined && authMethod !== "private_key_jwt")
      fail("--auth-method: with --private-key it is private_key_jwt", EXIT.usage);
    return { authMethod: "private_key_jwt", secret: readPrivateKey(privateKey, await readGiven(privateKey)) };
  }
  if (clientSecretFile === undefined) return null;
  if (authMethod === "private_key_jwt") fail("--auth-method private_key_jwt: with --private-key", EXIT.usage);
  const secret = (await readGiven(clientSecretFile)).trim();
  if (secret === "") fail(`${clientSecretFile}: is empty, and no secret`, EXIT.usage);
  return { authMethod: authMethod ?? "client_secret_basic", secret };
}

const readGiven = (file: string): Promise<string> =>
  file === "-"
    ? readStream(process.stdin)
    : readFile(file, "utf8").catch(() => fail(`${file}: cannot be read`, EXIT.usage));

function readPrivateKey(file: string, pem: string): string {
  try {
    const jwk = createPrivateKey(pem).export({ format: "jwk" });
    if (jwk.kty === "RSA" || (jwk.kty === "EC" && jwk.crv === "P-256")) return JSON.stringify(jwk);
  } catch {
    // said below
  }
  return fail(`${file}: no private key of P-256 or RSA in PEM without a password`, EXIT.usage);
}

const MAX_ISSUER_CHARACTERS = 512;

/** What is set from now on. `before`: what was. */
export function joinSettings(
  given: GivenProvider,
  secret: Secret,
  before: SignInProvider | null,
  remote: boolean,
): ProviderSettings {
  const missing = (option: string): never => fail(`${option}: is needed to let people sign in`, EXIT.usage);
  const issuer = given.issuer ?? before?.issuer ?? missing("--issuer");
  const url = issuer.length <= MAX_ISSUER_CHARACTERS ? URL.parse(issuer) : null;
  const isLocal = url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname) && !remote;
  if (!url || (url.protocol !== "https:" && !isLocal) || url.search || url.hash || url.username)
    fail(`--issuer: ${issuer} is no https address without a query`, EXIT.usage);
  const groups = Object.fromEntries(
    PERSON_ROLES.flatMap((role) => {
      const names = given[`${role}s`] ?? before?.groups[role] ?? [];
      return names.length === 0 ? [] : [[role, names]];
    }),
  ) as SignInProvider["groups"];
  if (Object.keys(groups).length === 0)
    fail("--auditors, --officers or --administrators: nobody would have a role", EXIT.usage);
  const kept =
    before && secret === null ? { secret: before.secret, authMethod: before.authMethod, kid: before.kid } : null;
  const { authMethod, ...held } = kept ?? {
    ...(secret ?? missing("--client-secret-file or --private-key")),
    kid: null,
  };
  return {
    ...{ issuer, clientId: given.clientId ?? before?.clientId ?? missing("--client-id"), authMethod, ...held },
    ...{ claim: given.claim ?? before?.claim ?? DEFAULT_CLAIM, groups },
    credentials: given.credentials === undefined ? (before?.credentials ?? true) : given.credentials === "on",
  };
}
