/** The mixed load: banks draw what they do from a seeded mix, in the generator's process. */
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { weighted } from "../random.ts";
import { type Bank, makeBank } from "../raw-bank.ts";
import { OTHER_CREDENTIALS, SANDBOX_CREDENTIALS } from "../sandbox-fis.ts";
import { ACTIONS, sendLargeHeader } from "./load-actions.ts";
import { LoadBank } from "./load-bank.ts";
import { emptySlice, KINDS, MIX, type MixSlice, type MixTask, SHOWN_WRONG_ANSWERS } from "./load-slice.ts";

const drawKind = weighted(Object.values(MIX));

async function act(bank: LoadBank, slice: MixSlice, until: number, { largeHeaders }: MixTask): Promise<void> {
  while (performance.now() < until) {
    const kind = largeHeaders ? "hostile input" : (KINDS[drawKind(bank.random)] ?? "PSP check");
    slice.actions[kind]++;
    bank.begin(kind, slice);
    await (largeHeaders ? sendLargeHeader : ACTIONS[kind])(bank).catch((error: Error) => {
      slice.wrong++;
      // the client's own words for whatever its fetch throws say nothing of the contract
      const { message } = error.cause instanceof Error ? error.cause : error;
      if (slice.firstWrong.length < SHOWN_WRONG_ANSWERS) slice.firstWrong.push(`${kind}: ${message}`);
      // a service that refuses connections is not asked a hundred thousand times a second
      return new Promise((resolve) => setTimeout(resolve, 20));
    });
  }
}

export interface Mix {
  readonly act: (seconds: number) => Promise<MixSlice>;
}

export async function startMix(task: MixTask): Promise<Mix> {
  const contract = pathToFileURL(task.contract).href;
  registerHooks({
    resolve: (name, context, next) =>
      name === "virtual:contract" ? { url: contract, shortCircuit: true } : next(name, context),
  });
  const { checked } = await import("../contract/checked.ts");
  const [own, other] = [SANDBOX_CREDENTIALS, OTHER_CREDENTIALS].map((credentials) =>
    makeBank(checked(fetch), task.url, credentials),
  ) as [Bank, Bank];
  const banks = Array.from({ length: task.connections }, (_, number) =>
    number % 2 === 0 ? new LoadBank(task, number, own, other) : new LoadBank(task, number, other, own),
  );
  return {
    act: async (seconds) => {
      const slice = emptySlice();
      const until = performance.now() + seconds * 1_000;
      await Promise.all(banks.map((bank) => act(bank, slice, until, task)));
      return slice;
    },
  };
}
