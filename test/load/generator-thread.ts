/** A thread of the load generator: its banks draw actions and carry them out, each one at a time. */
import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { useConsent } from "./actions/consents.ts";
import { runCoreFlow } from "./actions/core-flow.ts";
import { attack } from "./actions/hostile.ts";
import { sendLargeHeader } from "./actions/hostile-certificate.ts";
import { runOpenBankingFlow } from "./actions/open-banking-flow.ts";
import { checkPsp } from "./actions/psp-check.ts";
import { askForToken } from "./actions/token-information.ts";
import { Bank, WrongAnswer } from "./bank.ts";
import type { Command, GeneratorMessage, GeneratorTask } from "./generator-messages.ts";
import { type ActionKind, drawAction, makeRandom } from "./mix.ts";
import { makeRecord, noteWrong } from "./run-record.ts";

const ACTIONS: Readonly<Record<ActionKind, (bank: Bank) => Promise<void>>> = {
  "PSP check": checkPsp,
  "token information": askForToken,
  "code-to-token flow": (bank) => (bank.random() < 0.5 ? runCoreFlow(bank) : runOpenBankingFlow(bank)),
  consent: useConsent,
  "hostile input": attack,
};

const PROGRESS_MILLISECONDS = 500;
/** A service that refuses connections is not asked a hundred thousand times a second. */
const FAILURE_PAUSE_MILLISECONDS = 20;

if (parentPort === null) throw new Error("generator-thread.ts is started by generator.ts");
const parent = parentPort;
const { url, world, seed, banks, largeHeaders } = workerData as GeneratorTask;
const run = makeRecord();
let gate = Promise.withResolvers<void>();
let paused = true;
let stopped = false;
let acting = 0;

const say = (message: GeneratorMessage): void => parent.postMessage(message);

async function work(number: number): Promise<void> {
  // seeds of neighbours differ in every bit that matters: the generator mixes them
  const bank = new Bank(url, number, world, makeRandom(seed * 100_003 + number), run);
  for (;;) {
    if (paused) await gate.promise;
    if (stopped) break;
    acting++;
    const kind = largeHeaders ? "hostile input" : drawAction(bank.random);
    bank.begin(kind);
    await (largeHeaders ? sendLargeHeader : ACTIONS[kind])(bank).catch((error) => {
      // a wrong answer is counted already
      if (!(error instanceof WrongAnswer)) noteWrong(run, `${kind}: ${error.stack}`);
      return wait(FAILURE_PAUSE_MILLISECONDS);
    });
    acting--;
    if (paused && acting === 0) say({ is: "paused" });
  }
  await bank.close();
}

const progress = setInterval(() => {
  const { requests, wrong, serverErrors } = run;
  say({ is: "progress", progress: { requests, wrong, serverErrors } });
}, PROGRESS_MILLISECONDS);

parent.on("message", (command: Command) => {
  switch (command) {
    case "pause":
      paused = true;
      gate = Promise.withResolvers();
      if (acting === 0) say({ is: "paused" });
      return;
    case "stop":
      stopped = true;
      paused = false;
      return gate.resolve();
    case "resume":
      paused = false;
      return gate.resolve();
  }
});

const working = Promise.all(banks.map(work));
say({ is: "ready" });
await working;
clearInterval(progress);
// the process counts the time of all its threads
say({ is: "stopped", run, processorSeconds: 0 });
parent.close();
