/**
 * The demo's fourth part: a signed check is verified without the service, made again, exported, and found out if one byte
 * of it is changed; then a register withdraws the PSP, and the bank's receiver is told. On a service of the demo's own.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type OwnService, startOwnService } from "./own-service.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import type { Steps } from "./steps.ts";

const FI = "PSDXX-TEST-FI0001";
const PSP = "PSDXX-TEST-000001";
const HOUR_MS = 3_600_000;

interface Setting {
  readonly steps: Steps;
  readonly service: OwnService;
  /** Certificate: PEM. */
  readonly psp: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** `psp`: PEM. `now`: milliseconds since 1970. */
export async function runEvidence(steps: Steps, psp: string, now: number): Promise<void> {
  console.log("\n== Evidence: what was answered can be proven, and made again ==");
  console.log("\n   (a service of the demo's own is started for it, in a folder of its own)");
  const service = await startOwnService();
  try {
    await proveCheck({ steps, service, psp, now });
    const receiver = await startReceiver();
    try {
      await hearOfChange({ steps, service, psp, now }, receiver);
    } finally {
      await receiver.end();
    }
  } finally {
    await service.end();
  }
}

const identity = {
  Authorization: `Basic ${btoa("sandbox-fi:sandbox-secret")}`,
  fi_reference_id: FI,
  version: "latest",
};

async function proveCheck({ steps, service, psp, now }: Setting): Promise<void> {
  const { url, folder, admin } = service;
  const [exchange, keys, archive] = ["check.json", "keys.json", "november.zip"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const headers = {
    ...{ ...identity, eidas: psp.replaceAll(/-----[^-]+-----|\s/g, "") },
    ...{ "Accept-Signature": "psp-gate=()", transaction_reference: "payment 4711" },
  };
  const address = `${url}/v1/psp/eidas?jurisdiction=XX`;
  const answer = await steps.step(
    "A check whose answer is signed",
    async () => await steps.fetch(address, { method: "GET", headers }),
    {
      status: 200,
      body: { decision: { payments: { allowed: true } }, evidence: { id: /./ } },
    },
  );
  const body = await answer.text();
  const response = { status: answer.status, headers: Object.fromEntries(answer.headers), body };
  await writeFile(exchange, JSON.stringify({ request: { method: "GET", url: address, headers }, response }));
  await writeFile(keys, await (await fetch(`${url}/.well-known/jwks.json`)).text());
  const id = answer.headers.get("x-evidence-id") ?? "";
  await steps.command(
    "Without the service, the saved answer is proven",
    admin,
    ["evidence", "verify", exchange, "--keys", keys],
    {
      code: 0,
      output: /"proven": true/,
    },
  );
  const of = ["--fi", FI, "--url", url];
  await steps.command(
    "The answer is made again from what is kept, and is equal",
    admin,
    ["evidence", "replay", id, ...of],
    {
      code: 0,
      output: /"equal": true/,
    },
  );
  const iso = (time: number) => new Date(time).toISOString();
  const range = ["--from", iso(now - HOUR_MS), "--to", iso(now + HOUR_MS)];
  await steps.command("The ledger is exported", admin, ["evidence", "export", archive, ...of, ...range], {
    code: 0,
    output: /"records": [1-9]/,
  });
  await steps.command(
    "The archive is proven, and every answer made again",
    admin,
    ["evidence", "verify", archive, "--keys", keys],
    {
      code: 0,
      output: /"equal": [1-9]/,
    },
  );
  const bytes = await readFile(archive);
  const place = Math.floor(bytes.length / 2);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  await writeFile(archive, bytes);
  await steps.command(
    `One byte of it is changed, at ${place}: it is found`,
    admin,
    ["evidence", "verify", archive, "--keys", keys],
    {
      code: 1,
      output: /not proven/,
    },
  );
}

async function hearOfChange({ steps, service }: Setting, receiver: Receiver): Promise<void> {
  const { url, admin } = service;
  const added = await steps.command(
    "The operator adds the bank's webhook",
    admin,
    ["webhook", "add", "--reference", FI, "--url", receiver.url],
    { code: 0, output: /"secret": "whsec_/ },
  );
  const watch = {
    method: "PUT",
    headers: { ...identity, "Content-Type": "application/json" },
    body: new TextEncoder().encode("{}"),
  };
  await steps.step("The bank watches the PSP", async () => await steps.fetch(`${url}/v1/psp/watches/${PSP}`, watch), {
    status: 200,
    body: { data: { psp_id: PSP } },
  });
  const { secret } = JSON.parse(added) as { secret: string };
  await steps.command(
    "The authority withdraws the PSP in its register",
    admin,
    ["sandbox", "psp", "set", PSP, "--status", "Withdrawn"],
    { code: 0, output: /Withdrawn/ },
  );
  await steps.event(
    "The bank's receiver is told, with a signature that verifies",
    async () => await receiver.next(secret),
    {
      type: "psp.status_changed",
      data: {
        psp_id: PSP,
        before: { categories: { 0: { status: "Authorised" } } },
        after: { categories: { 0: { status: "Withdrawn" } } },
      },
    },
  );
}
