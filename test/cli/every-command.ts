/** Every command that the help names, with arguments by which it succeeds, in an order in which each finds what it needs. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { expect, vi } from "vitest";
import type { Result } from "./run-here.ts";

// `webhook add` asks DNS
vi.mock("node:dns/promises", () => ({ resolve4: async () => ["8.8.8.8"], resolve6: async () => [] }));

type Run = (...args: string[]) => Promise<Result>;

/** The names of the commands under this one, from its help. */
async function listNames(run: Run, path: readonly string[]): Promise<{ names: string[]; runsItself: boolean }> {
  const { stdout } = await run(...path, "--help");
  const [, list = ""] = /^Commands:\n((?: {2}.*\n?)*)/m.exec(stdout) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = ""]) => name);
  const [usage = ""] = stdout.split("\n");
  return { names: names.filter((name) => name !== "help"), runsItself: names.length === 0 || / <\w+>/.test(usage) };
}

/** Such as `fi add`. */
async function listCommands(run: Run, path: readonly string[] = []): Promise<string[]> {
  const { names, runsItself } = await listNames(run, path);
  const below = await Promise.all(names.map((name) => listCommands(run, [...path, name])));
  return [...(runsItself ? [path.join(" ")] : []), ...below.flat()];
}

const FI = ["--fi", "PSDFI-FINFSA-0001"] as const;
const LEDGER = ["--url", "http://127.0.0.1:9"] as const;
const RANGE = ["--from", "2026-01-01", "--to", "2026-01-02"] as const;
const IDENTITY = await generateX25519Identity();
const RECIPIENT = await identityToRecipient(IDENTITY);
const SANDBOX_PSP = "PSDXX-TEST-009001";
const CERTIFICATE = "fixtures/certificates/scenario-1.pem";

interface Step {
  readonly command: string;
  readonly args: readonly string[];
  /** Exit codes with which it may end; [0] by default. */
  readonly ends?: readonly number[];
  /** It has no --remote: it works on files only. */
  readonly filesOnly?: true;
  /** It needs a deployed service. */
  readonly remoteOnly?: true;
  /** Production refuses it. */
  readonly sandbox?: true;
  /** It asks a running service, and there is none: it prints nothing. With one: audited.ts, webhooks.test.ts. */
  readonly silent?: true;
}

interface Known {
  readonly client: string;
  readonly other: string;
  readonly webhook: string;
  readonly kid: string;
  readonly sealed: string;
}

/** The steps. `known`: what the steps before answered; `folder`: for files. */
const listSteps = (known: Known, folder: string): readonly Step[] => [
  { command: "fi add", args: ["--name", "A Bank", "--reference", FI[1]] },
  { command: "fi list", args: [] },
  { command: "fi set", args: [...FI, "--name", "A Bank's new name"] },
  { command: "fi rotate", args: ["--client", known.client] },
  { command: "fi link", args: [...FI] },
  { command: "fi unlink", args: [...FI, "--client", known.other, "--yes"] },
  {
    command: "fi sign-in set",
    args: [
      ...[...FI, "--issuer", "https://login.bank.example", "--client-id", "psp-gate", "--officers", "officers"],
      ...["--client-secret-file", join(folder, "identity.txt")],
    ],
  },
  { command: "fi sign-in show", args: [...FI] },
  // the provider is asked, and is none
  { command: "fi sign-in test", args: [...FI], ends: [1], silent: true },
  { command: "fi sign-in link", args: [...FI, "--role", "officer"] },
  { command: "fi sign-in remove", args: [...FI] },
  { command: "fi disable", args: [...FI] },
  { command: "fi enable", args: [...FI] },
  { command: "key rotate", args: ["--recipient", RECIPIENT] },
  { command: "key list", args: [] },
  { command: "key import", args: [known.sealed, "--identity", join(folder, "identity.txt")] },
  { command: "signing-key rotate", args: [] },
  { command: "signing-key list", args: [] },
  { command: "account export", args: [...FI, "--account", "4711"] },
  { command: "account erase", args: [...FI, "--account", "4711"] },
  {
    command: "trust import",
    args: [CERTIFICATE, CERTIFICATE, "--source", "OWN", "--jurisdiction", "XZ"],
  },
  { command: "register import", args: ["fixtures/register-example.csv"] },
  { command: "register list", args: [] },
  { command: "register find", args: ["amber"] },
  { command: "register numbers import", args: ["fixtures/numbers-example.csv"] },
  { command: "register numbers list", args: [] },
  { command: "register numbers remove", args: ["--country", "XX", "--source", "Test Authority of XX"] },
  { command: "certificate show", args: [CERTIFICATE], filesOnly: true },
  { command: "psp check", args: [CERTIFICATE, "--jurisdiction", "XZ"], ends: [0, 1, 3] },
  { command: "refresh", args: ["--only", "crl"] },
  { command: "status", args: [], ends: [0, 1] },
  { command: "doctor", args: [], ends: [0, 1, 3] },
  { command: "database list", args: [] },
  { command: "sandbox psp add", args: ["--name", "A PSP", "--number", SANDBOX_PSP], sandbox: true },
  { command: "sandbox psp set", args: [SANDBOX_PSP, "--status", "Withdrawn"], sandbox: true },
  { command: "sandbox psp list", args: [], sandbox: true },
  { command: "sandbox certificate", args: ["--psp", SANDBOX_PSP, "--out", folder], sandbox: true },
  { command: "sandbox revoke", args: [join(folder, SANDBOX_PSP, "certificate.pem")], sandbox: true },
  { command: "webhook add", args: [...FI, "--url", "https://events.bank.example/psp"] },
  { command: "webhook list", args: [...FI] },
  { command: "webhook rotate", args: ["--webhook", known.webhook] },
  { command: "webhook replay", args: ["--webhook", known.webhook], ends: [1], silent: true },
  { command: "webhook test", args: ["wh_none"], ends: [1], silent: true },
  { command: "webhook remove", args: [known.webhook] },
  { command: "audit list", args: [...FI, ...LEDGER], ends: [3], silent: true },
  { command: "audit show", args: ["an-id", ...FI, ...LEDGER], ends: [3], silent: true },
  { command: "evidence replay", args: ["an-id", ...FI, ...LEDGER], ends: [3], silent: true },
  { command: "evidence export", args: [join(folder, "a.zip"), ...FI, ...RANGE, ...LEDGER], ends: [3], silent: true },
  { command: "evidence compare", args: [join(folder, "head.json"), ...FI, ...LEDGER], ends: [3], silent: true },
  { command: "evidence verify", args: [CERTIFICATE], ends: [2], silent: true, filesOnly: true },
  { command: "backup", args: [join(folder, "backup"), "--yes"] },
  { command: "backup verify", args: [join(folder, "backup")], filesOnly: true },
  { command: "backup bookmark", args: [], remoteOnly: true },
  { command: "restore", args: [join(folder, "backup"), "--yes"] },
  { command: "fi remove", args: [...FI, "--yes"] },
  { command: "key remove", args: [known.kid, "--force"] },
  { command: "database add", args: [], filesOnly: true },
];

/** What a step answered that later ones name. */
function learn(known: Known, command: string, answer: Record<string, string>): Known {
  const { client_id = "", id = "" } = answer;
  switch (command) {
    case "fi add":
      return { ...known, client: client_id };
    case "fi link":
      return { ...known, other: client_id };
    case "webhook add":
      return { ...known, webhook: id };
    case "key rotate":
      return { ...known, sealed: answer["sealed"] ?? "" };
    case "key list":
      return { ...known, kid: Object(Object.values(answer)[0]).kid };
    default:
      return known;
  }
}

/** Runs each step with `--json` and `target`; its output is one JSON document, or nothing where it says so. */
export async function runEveryCommand(run: Run, folder: string, target: readonly string[]): Promise<void> {
  await writeFile(join(folder, "head.json"), "{}");
  await writeFile(join(folder, "identity.txt"), IDENTITY);
  let known: Known = { client: "", other: "", webhook: "", kid: "", sealed: "" };
  const count = listSteps(known, folder).length;
  const named = listSteps(known, folder).map(({ command }) => command);
  expect(named.toSorted()).toEqual((await listCommands(run)).toSorted());
  for (let i = 0; i < count; i++) {
    const step = listSteps(known, folder)[i];
    if (!step || (target.length > 0 ? step.filesOnly : step.remoteOnly)) continue;
    const refused = step.sandbox && target.length > 0;
    const { command, args, ends = refused ? [1] : [0], silent = refused } = step;
    const { code, stdout, stderr } = await run(...command.split(" "), ...args, "--json", ...target);
    expect({ command, ends: ends.includes(code), stderr }).toEqual({
      ...{ command, ends: true, stderr: ends[0] === 0 ? expect.any(String) : expect.stringMatching(/^error: /) },
    });
    if (silent) expect({ command, stdout }).toEqual({ command, stdout: "" });
    else known = learn(known, command, JSON.parse(stdout));
  }
}
