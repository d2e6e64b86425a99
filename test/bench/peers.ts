/**
 * `npm run bench -- --only peers`: the service's path and revocation code in workerd, beside what a bank would take in its
 * place: pkijs and `@peculiar/x509` in Node, OpenSSL, and the JDK's PKIX. Each is a process that gets a file of cases and
 * answers a text of 1 (valid), 0 and - (none in time), one for each; so its verdicts and its processor time are taken alike. The work is a
 * certificate with two issuers, nothing of which was seen before, the revocation of both below the anchor included.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  at,
  type Holder,
  keyUsage,
  makeCertificate,
  makeCrl,
  makeOcspResponse,
  type Scheme,
  sequence,
} from "../../fixtures/makers/made-pki.ts";
import {
  authorityKeyIdentifier,
  basicConstraints,
  subjectKeyIdentifier,
} from "../../fixtures/makers/path-extensions.ts";
import { encodeDer, encodeOid, Tag } from "../../src/x509/der.ts";
import { installFolder } from "../install-folder.ts";
import { findTool } from "../tools.ts";
import { describe, distribute, pair } from "./measure.ts";
import { type PeerCase, readPathCases, writeCases } from "./peers/cases.ts";
import { processorNanoseconds } from "./process-usage.ts";
import { bundle, startRuntime } from "./runtime.ts";

const FOLDER = join(import.meta.dirname, "peers");
const CASES = 100;
const KEYS = 16;
/** The JDK and the libraries on Node are compiled for some 25 rounds, and take a half to a third then of what they take at first. */
const [WARMING_ROUNDS, ROUNDS] = [30, 7];
const NOW = at("2026-06-15T00:00:00Z");
const OURS = "psp-gate in workerd";

interface Peer {
  readonly name: string;
  readonly pid: number;
  /** False: it has no code for OCSP. */
  readonly readsOcsp: boolean;
  readonly load: (file: string) => Promise<void>;
  readonly run: () => Promise<string>;
  readonly stop: () => Promise<unknown>;
}

const RSA_SHA256: Scheme = {
  identifier: sequence(encodeOid("1.2.840.113549.1.1.11"), encodeDer(Tag.null)),
  sign: (data, key) => sign("sha256", data, key),
};
const KINDS = {
  "P-256": { key: () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey, scheme: undefined },
  "RSA 2048": { key: () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey, scheme: RSA_SHA256 },
};

export async function measurePeers(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-peers-"));
  const peers: Peer[] = [];
  try {
    await installFolder(FOLDER);
    peers.push(await startOurs(folder), ...(await startOthers()));
    for (const [algorithm, { key, scheme }] of Object.entries(KINDS)) {
      const keys = Array.from({ length: KEYS }, key);
      for (const by of ["CRL", "OCSP"] as const) {
        const make = (first: number) =>
          Array.from({ length: CASES }, (_, index) => makeCase(keys, scheme, first + index, by));
        console.log(`\nA new certificate with two issuers, ${algorithm}, revocation by ${by}`);
        const able = peers.filter(({ readsOcsp }) => by === "CRL" || readsOcsp);
        console.table(await measureTurns(able, join(folder, "cases"), make));
      }
    }
    for (const suite of ["limbo", "pkits"]) await countVerdicts(peers, suite, join(folder, "suite"));
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

/** Certificates, CRLs and answers are all new; keys come round. */
function makeCase(keys: readonly KeyObject[], scheme: Scheme | undefined, index: number, by: "CRL" | "OCSP"): PeerCase {
  const holder = (level: string, turn: number, issuer?: Holder) => {
    const key = keys[(index + turn) % KEYS];
    if (!key) throw new Error("no key");
    const extensions = [
      ...(level === "Leaf" ? [keyUsage(0)] : [basicConstraints(true), keyUsage(5, 6)]),
      subjectKeyIdentifier(turn),
      authorityKeyIdentifier(Math.max(0, turn - 1)),
    ];
    const serial = (0x10_0000 + 3 * index + turn).toString(16);
    const own = { subject: `${level} ${index}`, key, serial, extensions, ...(scheme && { scheme }) };
    return makeCertificate(issuer ? { ...own, issuer } : own);
  };
  const root = holder("Root", 0);
  const issuing = holder("Issuing", 1, root);
  const leaf = holder("Leaf", 2, issuing);
  const answer = (responder: Holder, { certificate }: Holder) =>
    makeOcspResponse({ responder, singles: [{ certificate, issuer: responder.certificate }] });
  return {
    time: NOW,
    anchors: [root.certificate.der],
    issuers: [issuing.certificate.der],
    leaf: leaf.certificate.der,
    crls:
      by === "CRL"
        ? [issuing, root].map((issuer) =>
            makeCrl({
              issuer,
              entries: [{ serial: "0f" }],
              extensions: [authorityKeyIdentifier(issuer === root ? 0 : 1)],
            }),
          )
        : [],
    answers: by === "OCSP" ? [answer(issuing, leaf), answer(root, issuing)] : [],
  };
}

/** Each round has cases of its own: what a program remembers of those before is of no use to it. */
async function measureTurns(peers: readonly Peer[], file: string, make: (first: number) => readonly PeerCase[]) {
  const turns = new Map<Peer, number[]>(peers.map((peer) => [peer, []]));
  for (let round = -WARMING_ROUNDS; round < ROUNDS; round++) {
    await writeCases(file, make((round + WARMING_ROUNDS) * CASES));
    for (const peer of round % 2 === 0 ? peers : peers.toReversed()) {
      await peer.load(file);
      const began = await processorNanoseconds(peer.pid);
      const verdicts = await peer.run();
      const spent = (await processorNanoseconds(peer.pid)) - began;
      if (verdicts !== "1".repeat(CASES)) throw new Error(`${peer.name} refuses what is valid: ${verdicts}`);
      if (round >= 0) turns.get(peer)?.push(spent / 1000 / CASES);
    }
  }
  const ours = [...turns].find(([{ name }]) => name === OURS)?.[1] ?? [];
  return [...turns].map(([{ name }, own]) => ({
    program: name,
    "processor µs": Math.round(distribute(own).median),
    "times ours": describe(pair(own, ours)),
  }));
}

async function countVerdicts(peers: readonly Peer[], suite: string, file: string): Promise<void> {
  const { cases, left } = await readPathCases(suite);
  await writeCases(file, cases);
  const rows: object[] = [];
  for (const peer of peers) {
    await peer.load(file);
    const verdicts = await peer.run();
    const count = (verdict: string, expected: boolean) =>
      cases.filter((one, i) => verdicts[i] === verdict && one.expected === expected).length;
    const right = count("1", true) + count("0", false);
    const wrong = { "wrong accept": count("1", false), "wrong refusal": count("0", true) };
    rows.push({ program: peer.name, right, ...wrong, "no answer": count("-", true) + count("-", false) });
  }
  console.log(`\n${suite}: ${cases.length} cases; ${left} are left out, which ask for more than a path`);
  console.table(rows);
}

async function startOurs(folder: string): Promise<Peer> {
  const built = await bundle(join(FOLDER, "wrangler.toml"), join(FOLDER, "worker.ts"), join(folder, "built"));
  const { urls, pid, stop } = await startRuntime([{ name: "peers", built }], folder, folder);
  const ask = async (init: RequestInit) => {
    const response = await fetch(urls["peers"] ?? "", init);
    if (!response.ok) throw new Error(`${OURS}: ${response.status}`);
    return await response.text();
  };
  const load = async (file: string) => void (await ask({ method: "POST", body: await readFile(file, "utf8") }));
  return { name: OURS, pid, readsOcsp: true, load, run: () => ask({}), stop };
}

/** Those that this machine has. A missing one is named. */
async function startOthers(): Promise<Peer[]> {
  const library = (name: string) => [process.execPath, join(FOLDER, "libraries.mjs"), name];
  const [python, java] = [findTool("openssl") && findTool("python"), findTool("java")];
  if (!python) console.error("OpenSSL and Python are not there to be measured");
  if (!java) console.error("Java is not there to be measured");
  const commands: [string, string[], boolean][] = [
    ["pkijs", library("pkijs"), true],
    ["@peculiar/x509", library("x509"), false],
    ...(python ? [["OpenSSL", [python, join(FOLDER, "openssl.py")], true] as [string, string[], boolean]] : []),
    ...(java ? [["the JDK's PKIX", [java, join(FOLDER, "Pkix.java")], true] as [string, string[], boolean]] : []),
  ];
  return commands.map(([name, [command = "", ...args], readsOcsp]) => startProgram(name, command, args, readsOcsp));
}

function startProgram(name: string, command: string, args: readonly string[], readsOcsp: boolean): Peer {
  const child: ChildProcess = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const { pid, stdin, stdout } = child;
  if (pid === undefined || !stdin || !stdout) throw new Error(`${name} does not start`);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const ask = async (line: string): Promise<string> => {
    stdin.write(`${line}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} has ended`);
    return value;
  };
  const load = async (file: string) => void (await ask(`load\t${file}`));
  return { name, pid, readsOcsp, load, run: () => ask("run"), stop: async () => child.kill() };
}
