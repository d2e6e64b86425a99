/** What is fuzzed: a reader of a stranger's bytes, where its inputs begin, and what must hold of each. */

/** A property that does not hold. The message names it, and is the same for each input that breaks it so. */
export class Broken extends Error {
  override readonly name = "Broken";
}

export interface Target {
  readonly name: string;
  /** The first is a lawful one. */
  readonly corpus: readonly Uint8Array[];
  /** How inputs are changed, beside {@link changeBytes}. */
  readonly form: "der" | "json" | "text" | "bytes";
  /** What a reader looks for, put in whole: chance would not write it. */
  readonly words?: readonly string[];
  /** Reads the input, and throws unless all that must hold of it does: {@link Broken}, or what the reader threw. */
  readonly check: (input: Uint8Array) => void | Promise<void>;
  /** The bound of the work: counted runs of blocks of code, for each byte and beyond {@link FREE_STEPS}. */
  readonly stepsPerByte: number;
  /** How many times as many inputs as others it gets at a turn: for those that are cheap. */
  readonly share?: number;
  readonly maxBytes?: number;
}

/** What an input of no bytes may cost: tables that are made at first use, signatures in plain numbers. */
const FREE_STEPS = 1_000_000;
export const MAX_BYTES = 16 * 1024;

export const stepLimit = ({ stepsPerByte }: Target, { length }: Uint8Array): number =>
  FREE_STEPS + stepsPerByte * length;

/** `holds` with a sentence on what else is broken. */
export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Broken(otherwise);
}

/** What `read` gives, or null where it refuses by an error of the class that is its own. */
export function readOrRefuse<T>(read: () => T, own: abstract new (...args: never) => Error): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof own) return null;
    throw error;
  }
}

const utf8 = new TextEncoder();
export const toBytes = (text: string): Uint8Array => utf8.encode(text);
/** Lossy, as a reader of files is. */
export const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
/** As headers reach the Worker: each byte a character. */
export const toLatin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
export const fromLatin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
