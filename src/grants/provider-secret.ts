/** The secrets that an institution's OpenID provider gave it, sealed with the token keys as those of webhooks are. */
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { openText, sealText, type TokenKeys } from "./token-keys.ts";

export const PROVIDER_SECRET_STATEMENTS = {
  // a handful of rows: those of institutions whose people sign in
  toSeal: "SELECT fi_id AS fiId, secret, kid FROM sign_in_providers WHERE kid IS NULL OR kid < ?1",
  seal: "UPDATE sign_in_providers SET secret = :sealed, kid = :kid WHERE fi_id = :fiId AND secret = :secret",
  countSealed: "SELECT count(*) AS providers FROM sign_in_providers WHERE kid = ?1",
} as const;

interface Sealed {
  readonly fiId: number;
  readonly secret: string;
  /** Null: as a command wrote it. */
  readonly kid: string | null;
}

const labelOf = (fiId: number): string => `provider ${fiId}`;

/** Null if the key that sealed it is gone. */
export function openProviderSecret({ fiId, secret, kid }: Sealed, keys: TokenKeys): string | null {
  return kid === null ? secret : openText(keys, "console", { kid, sealed: secret }, labelOf(fiId));
}

/** Seals what is in clear, or sealed with an older key. `readKeys` is called if there is any. Throws StoreError. */
export async function sealProviderSecrets(db: D1Database, newestKid: string, readKeys: () => TokenKeys): Promise<void> {
  const toSeal = db.prepare(PROVIDER_SECRET_STATEMENTS.toSeal).bind(newestKid);
  const { results } = await callStore("D1", () => toSeal.all<Sealed>());
  if (results.length === 0) return;
  const keys = readKeys();
  const statements = results.flatMap(({ fiId, secret, kid }) => {
    const text = openProviderSecret({ fiId, secret, kid }, keys);
    if (text === null) return [];
    const sealed = sealText(keys, "console", text, labelOf(fiId));
    return [bindNamed(db, PROVIDER_SECRET_STATEMENTS.seal, { fiId, secret, ...sealed })];
  });
  if (statements.length > 0) await callStore("D1", () => db.batch(statements));
}

/** Those that would be lost with the key. Throws StoreError. */
export async function countSealedProviders(db: D1Database, kid: string): Promise<number> {
  const count = db.prepare(PROVIDER_SECRET_STATEMENTS.countSealed).bind(kid);
  return (await callStore("D1", () => count.first<number>("providers"))) ?? 0;
}
