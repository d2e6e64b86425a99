/** What an isolate remembers of callers, PSPs and certificates, and for how long (src: CREDENTIALS_MEMORY_SECONDS etc.). */
import type { State } from "./rounds.ts";

const CALLER_SECONDS = 60;
/** Of a check, of a register reading, of anchors and CRLs. */
const PSP_SECONDS = 30;

export class Isolate {
  readonly #until = new Map<string, number>();

  /** The state in which a request finds the isolate at `second`, after which it knows both. Null: needs no PSP. */
  meet(caller: string, psp: string | null, second: number): Exclude<State, "withoutReadAhead"> {
    const callerKnown = this.#recall(`caller ${caller}`, CALLER_SECONDS, second);
    const pspKnown = psp === null || this.#recall(`psp ${psp}`, PSP_SECONDS, second);
    return callerKnown ? (pspKnown ? "warm" : "unread") : "cold";
  }

  /** As in the service, a memory ends by its age, however often it is used. */
  #recall(key: string, seconds: number, second: number): boolean {
    if (second < (this.#until.get(key) ?? Number.NEGATIVE_INFINITY)) return true;
    this.#until.set(key, second + seconds);
    return false;
  }
}
