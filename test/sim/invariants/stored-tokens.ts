/** The unrevoked tokens in D1, each with the code that it was stored for: what the stores themselves say. */
import type { StoredCode } from "../../../src/grants/redemption.ts";
import type { Facts } from "../facts.ts";
import type { World } from "../world.ts";

export interface StoredToken {
  readonly id: string;
  /** 64 hex digits. */
  readonly codeId: string;
  /** Null unless it is of a payment order. */
  readonly paymentOrder: string | null;
}

const UNREVOKED =
  "SELECT id, iif(scope = 'payments', consent_id, NULL) AS paymentOrder FROM tokens WHERE revoked_at IS NULL";

interface View {
  /** Codes by token. */
  readonly codes: Map<string, string>;
  /** The database's count of changes when they were read. */
  changes: number;
  tokens: readonly StoredToken[];
}

const views = new WeakMap<World, View>();

export function listStoredTokens(world: World): readonly StoredToken[] {
  const view = views.get(world) ?? { codes: new Map(), changes: -1, tokens: [] };
  views.set(world, view);
  const { codes } = view;
  if (view.changes === world.database.changes) return view.tokens;
  const rows = world.database.read(UNREVOKED) as unknown as Omit<StoredToken, "codeId">[];
  if (rows.some(({ id }) => !codes.has(id))) learn(world, codes);
  view.tokens = rows.map((row) => ({ ...row, codeId: codes.get(row.id) ?? "" }));
  view.changes = world.database.changes;
  return view.tokens;
}

function learn(world: World, known: Map<string, string>): void {
  for (const { className, name, disk } of world.objects.all.values()) {
    const code = className === "AuthorizationCode" ? (disk.values.get("code") as StoredCode | undefined) : undefined;
    for (const id of [code?.tokenId ?? null, ...(code?.givenBack ?? [])]) if (id !== null) known.set(id, name);
  }
}

/** By the id of its object. */
export const findCode = ({ codes }: Facts, codeId: string) => codes.find(({ text }) => text.startsWith(codeId));
