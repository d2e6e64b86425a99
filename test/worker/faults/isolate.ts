/** An isolate that can be made to forget, and requests with all that goes on behind their answers. */
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { app } from "../../../src/app.ts";
import { waitingRecords } from "../../../src/evidence/ledger/recorder.ts";
import { clock } from "../../../src/platform/clock.ts";
import { Memory } from "../../../src/platform/memory.ts";
import { AnswerMemory } from "../../../src/revocation/answer-memory.ts";
import { checked } from "../../contract/checked.ts";
import * as bank from "../../raw-bank.ts";
import { SANDBOX_CREDENTIALS } from "../../sandbox-fis.ts";
import type { Answer, Call } from "../bank.ts";
import { holdDeadlines } from "./deadlines.ts";
import type { FaultyStores } from "./faulty-stores.ts";

const remembered = new Map<Memory<unknown>, Set<string>>();
/** Of the console. */
export const logged: string[] = [];

/** Until `vi.restoreAllMocks()`: waits take no time, and what is remembered and logged is noted. */
export function startIsolate(): void {
  const { set } = Memory.prototype;
  vi.spyOn(Memory.prototype, "set").mockImplementation(function (this: Memory<unknown>, key, ...rest) {
    remembered.set(this, (remembered.get(this) ?? new Set()).add(key));
    return set.call(this, key, ...rest);
  });
  vi.spyOn(AnswerMemory.prototype, "recall").mockReturnValue(null);
  vi.spyOn(clock, "wait").mockResolvedValue();
  vi.spyOn(scheduler, "wait").mockImplementation(() => new Promise((end) => setTimeout(end, 0)));
  holdDeadlines();
  for (const name of ["log", "error"] as const)
    vi.spyOn(console, name).mockImplementation((line: unknown) => void logged.push(String(line)));
}

/** As a new isolate. */
export function forget(): void {
  for (const [memory, keys] of remembered) for (const key of keys) memory.delete(key);
  remembered.clear();
}

/** A request; what is down is up again once it is answered. Returns when nothing goes on any more. */
export async function ask(
  method: string,
  path: string,
  { stores, ...given }: Call & { readonly stores?: FaultyStores | undefined } = {},
): Promise<Answer> {
  const behind: Promise<unknown>[] = [];
  const ctx = { waitUntil: (promise: Promise<unknown>) => void behind.push(promise) } as ExecutionContext;
  const send = async (request: Request) => app.fetch(request, stores?.env ?? env, ctx);
  const answer = await bank.makeBank(checked(send), "http://service.test", SANDBOX_CREDENTIALS)(method, path, given);
  if (stores) await new Promise((resolve) => setTimeout(resolve, 5));
  await stores?.heal();
  while (behind.length > 0) await Promise.allSettled(behind.splice(0));
  await vi.waitUntil(() => waitingRecords.queues === 0, { timeout: 60_000, interval: 2 });
  return answer as Answer;
}
