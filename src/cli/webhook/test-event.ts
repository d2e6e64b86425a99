/** `webhook test`: delivers a test event, and says what is to be done about the receiver's answer. */

import { insertTestEvent } from "../../events/event-log.ts";
import { clock } from "../../platform/clock.ts";
import { EXIT, fail } from "../fail.ts";
import { print } from "../output.ts";
import { withStores } from "../stores.ts";
import { type Common, type MakeCommand, targetOf } from "../target.ts";
import { withLocalSecrets } from "./local-deliveries.ts";
import { requireActive } from "./named.ts";

const STATUS = "SELECT status FROM financial_institutions WHERE id = ?1";

export function addWebhookTest(command: MakeCommand): void {
  command("test", "deliver a test event, and wait for the receiver's answer")
    .argument("<id>", "of the webhook")
    .addHelpText("after", "\nOn the deployed service the next scheduled run makes the delivery: within two minutes.")
    .action(async (id: string, options: Common) => {
      const target = targetOf(options);
      const ended = await withStores(target, async ({ env }) => {
        const { db, webhook } = await requireActive(env, id);
        if ((await db.prepare(STATUS).bind(webhook.fiId).first("status")) !== "active")
          fail(`${id}: its institution is disabled, so nothing is delivered until \`fi enable\``);
        const delivery = await insertTestEvent(db, webhook, clock.now());
        const made = target.remote ? await awaitDelivery(db, delivery) : await deliverHere(env, db, delivery);
        return { ...made, advice: adviceFor({ id, url: webhook.url, outcome: made.outcome }) };
      });
      print(ended, options, (style) =>
        [
          ended.status !== "delivered"
            ? `${style.bad("✗ not delivered:")} the receiver ${ended.outcome ?? "was not asked yet"}`
            : ended.advice === null
              ? `${style.good("✓ delivered:")} the receiver ${ended.outcome}`
              : `${style.doubtful("? delivered:")} the receiver ${ended.outcome}`,
          ...(ended.advice === null ? [] : [`  → ${ended.advice}`]),
        ].join("\n"),
      );
      if (ended.status !== "delivered") process.exitCode = ended.outcome === null ? EXIT.unknown : EXIT.no;
      else if (ended.advice !== null) process.exitCode = EXIT.unknown;
    });
}

interface TestDelivery {
  readonly id: string;
  readonly status: "pending" | "delivered" | "dead";
  /** Completes the sentence "The receiver ..."; null: there was no attempt yet. */
  readonly outcome: string | null;
}

const READ = "SELECT id, status, outcome FROM webhook_deliveries WHERE id = ?1";
const readDelivery = async (db: D1Database, id: string): Promise<TestDelivery> =>
  (await db.prepare(READ).bind(id).first<TestDelivery>()) ?? { id, status: "pending", outcome: null };

const POLL_MS = 3_000;
/** The run of the next minute, and a timeout of the receiver. */
const LONGEST_WAIT_MS = 120_000;

/** Of the deployed service. After the first attempt the outcome is known, whatever follows. */
async function awaitDelivery(db: D1Database, id: string): Promise<TestDelivery> {
  const until = clock.now() + LONGEST_WAIT_MS;
  for (;;) {
    const delivery = await readDelivery(db, id);
    if (delivery.outcome !== null || clock.now() >= until) return delivery;
    await clock.wait(POLL_MS);
  }
}

/** On this machine, where no schedule runs: with the local secrets. */
async function deliverHere(env: Env, db: D1Database, id: string): Promise<TestDelivery> {
  // its library signs: no other command needs it
  const { deliver } = await import("../../events/deliver.ts");
  await deliver(db, id, { env: await withLocalSecrets(env), now: clock.now(), clock: clock.now });
  return await readDelivery(db, id);
}

interface Tested {
  readonly id: string;
  readonly url: string;
  /** As events/deliver.ts describes it; null: there was no attempt. */
  readonly outcome: string | null;
}

const ofCertificate = (url: string): string => {
  const { host, hostname, port } = new URL(url);
  return `TLS with ${host} failed: its certificate has to be of a public CA, of this name and of now, and sent with its intermediates; \`openssl s_client -connect ${hostname}:${port || 443} -servername ${hostname}\` shows what it sends`;
};
const newAddress = ({ id }: Tested) => `add the right address with webhook add, then webhook remove ${id}`;

/** The first that fits. */
const ADVICE: readonly (readonly [RegExp, (tested: Tested) => string])[] = [
  [
    /HTML page/,
    ({ url }) =>
      `${url} answers with a web page, as a login or a maintenance page does: expected is 2xx of the receiver itself, so ask the bank whether it got this event, and have this path exempted from logins`,
  ],
  [
    /status 3\d\d/,
    (tested) =>
      `${tested.url} redirects, and no redirect is followed, since nobody has looked where it leads: ${newAddress(tested)}`,
  ],
  [
    /status 40[13]/,
    ({ id, url }) =>
      `${url} refuses: a delivery has its signature and no other credential, so a gateway has to let POST through to it; if the receiver itself refuses, its secret is another one (webhook rotate --webhook ${id} makes a new one) or its clock is minutes off`,
  ],
  [
    /status 40[45]/,
    (tested) => `no receiver takes POST at ${tested.url}: ask the bank for the path, and ${newAddress(tested)}`,
  ],
  [
    /status 410/,
    ({ url }) => `${url} wants no more events, which has ended its webhook: if it shall have them again, webhook add`,
  ],
  [/status 52[56]|TLS failed/, ({ url }) => ofCertificate(url)],
  [
    /status 52[1-4]|could not be reached/,
    ({ url }) =>
      `nothing answers at ${new URL(url).host}: expected is a server that the public internet reaches; look at its firewall, its port and its name in DNS`,
  ],
  [
    /status [1345]/,
    ({ url }) =>
      `${url} refuses, where 2xx was expected: the receiver's own log says why; the delivery is repeated for three days`,
  ],
  [
    /in time/,
    ({ url }) =>
      `${url} took more than ten seconds: the receiver has to answer with 2xx first, and handle the event afterwards`,
  ],
  [
    /its address/,
    (tested) =>
      `nothing was sent to ${tested.url}: expected is https and a host with addresses on the public internet alone; correct its DNS, or ${newAddress(tested)}`,
  ],
  [
    /signed for/,
    ({ id }) =>
      `the secret of ${id} is lost with the token key that sealed it: webhook rotate --webhook ${id} --now makes another one for its receiver`,
  ],
];

/** One sentence; null: the receiver has it. */
export function adviceFor(tested: Tested): string | null {
  const { outcome } = tested;
  if (outcome === null)
    return "no scheduled run has made the delivery: look whether runs are logged, and at `status`, then test again";
  return ADVICE.find(([wrong]) => wrong.test(outcome))?.[1](tested) ?? null;
}
