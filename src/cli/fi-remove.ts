/** `fi remove`: what goes with an institution, and then its removal. */
import { clock } from "../platform/clock.ts";
import { EXIT, fail } from "./fail.ts";
import { type Belongings, readBelongings, removeInstitution } from "./institution-end.ts";
import { type OutputOptions, print, type Style } from "./output.ts";
import { makeProgressBar } from "./progress-bar.ts";
import { withStores } from "./stores.ts";
import { grouped } from "./table.ts";
import { type TargetOptions, targetOf } from "./target.ts";

interface Options extends TargetOptions, OutputOptions {
  reference: string;
  yes: boolean;
}

/** Without `yes` nothing is removed, and the command ends with 1. */
export async function removeFi(options: Options): Promise<void> {
  const { reference, yes } = options;
  const found = await withStores(targetOf(options), async ({ env }) => {
    const at = clock.now();
    const belongings = (await readBelongings(env, reference, at)) ?? fail(`${reference}: no such institution`);
    if (yes) {
      const total = Object.values(belongings.rows).reduce((sum, rows) => sum + rows, 0);
      const bar = makeProgressBar("removing");
      await removeInstitution(env, belongings.id, at, (deleted) => bar.show(deleted, total));
      bar.clear();
    }
    return belongings;
  });
  const { name, liveTokens, rows, credentials, sharedCredentials } = found;
  const goes = { ...rows, live_tokens: liveTokens, credentials };
  const answer = { name, fi_reference_id: reference, removed: yes, goes, credentials_that_stay: sharedCredentials };
  print(answer, options, (style) => describe(found, reference, yes, style));
  if (!yes) process.exitCode = EXIT.no;
}

function describe(found: Belongings, reference: string, removed: boolean, style: Style): string {
  const { name, liveTokens, rows, credentials, sharedCredentials } = found;
  const lines = [
    `${grouped(rows.tokens)} tokens, ${grouped(liveTokens)} of them live`,
    `${grouped(rows.account_access_consents)} account access consents and ${grouped(rows.payment_order_consents)} payment order consents, with all that they record`,
    `${grouped(rows.core_permissions)} permissions of customers without a consent, ${grouped(rows.account_blocks)} blocks of accounts`,
    `${credentials.length} credentials${credentials.length > 0 ? `: ${credentials.join(", ")}` : ""}`,
  ].map((line) => `  ${line}`);
  const stay = sharedCredentials.map((client) => `  ${client} stays: it speaks for other institutions, too`);
  return removed
    ? [`${style.good("removed")} ${name} (${reference}), and with it`, ...lines, ...stay].join("\n")
    : [
        `${style.doubtful("not removed:")} with ${name} (${reference}) would go, for good`,
        ...lines,
        ...stay,
        "Its authorization codes and CCG tokens would be refused from then on.",
        "Its ledger would stay until its retention is over, but nothing could read it any more: evidence export first.",
        "To do it: the same with --yes.",
      ].join("\n");
}
