/** The steps of the demo: each prints the requests of the bank and their answers, and checks the last answer. */
import { type Fetch, PspGateError } from "../../client/index.ts";

/** The expected answer. Only the fields given here are compared; a regular expression is matched with the text. */
interface Expectation {
  readonly status: number;
  readonly body?: unknown;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The walk cannot go on: a step has no result on which the next ones could build. The step has said why. */
export class WalkEnded extends Error {
  override readonly name = "WalkEnded";
}

export class Steps {
  readonly #baseUrl: string;
  #answer: Answer | null = null;
  count = 0;
  failures = 0;

  /** `baseUrl` is left out of what is printed. */
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** The option `fetch` of the bank's clients: sends a request, and prints it and its answer. */
  readonly fetch: Fetch = async (url, init) => {
    printRequest(url.replace(this.#baseUrl, ""), init);
    const response = await fetch(url, init);
    const text = await response.clone().text();
    this.#answer = { status: response.status, body: text === "" ? undefined : parse(text) };
    printAnswer(this.#answer);
    return response;
  };

  /** A step of the bank: `call` asks the service. Answers its result, or ends the walk. */
  async step<Result>(title: string, call: () => PromiseLike<Result>, expected: Expectation): Promise<Result> {
    const result = await this.#take(title, call, expected);
    if (result instanceof PspGateError) throw new WalkEnded(title, { cause: result });
    return result;
  }

  /** A step that the service refuses by an error. */
  async refusal(title: string, call: () => PromiseLike<unknown>, expected: Expectation): Promise<void> {
    await this.#take(title, call, expected);
  }

  /** A step of the operator: a command of `npm run admin --`. Answers what it printed, or ends the walk. */
  async command(
    title: string,
    run: (...args: readonly string[]) => Promise<{ readonly code: number; readonly output: string }>,
    args: readonly string[],
    expected: { readonly code: number; readonly output: RegExp },
  ): Promise<string> {
    this.#begin(title);
    console.log(`   $ npm run admin -- ${args.join(" ")}`);
    const { code, output } = await run(...args);
    for (const line of output.split("\n")) console.log(`   | ${shorten(line.replace(WEBHOOK_SECRET, "whsec_..."))}`);
    const faults = [
      ...(code === expected.code ? [] : [`exit code ${code} instead of ${expected.code}`]),
      ...(expected.output.test(output) ? [] : [`it does not say ${expected.output}`]),
    ];
    this.#end(faults);
    if (faults.length > 0) throw new WalkEnded(title);
    return output;
  }

  /** A step of the bank's receiver: `wait` answers the event that arrives. */
  async event(title: string, wait: () => Promise<unknown>, expected: unknown): Promise<void> {
    this.#begin(title);
    const faults = await wait().then(
      (event) => {
        print("<", event);
        return compare(event, expected, "event");
      },
      (error: unknown) => [String(error)],
    );
    this.#end(faults);
  }

  #begin(title: string): void {
    this.count++;
    console.log(`\n${this.count}. ${title}\n`);
  }

  #end(faults: readonly string[]): void {
    for (const fault of faults) console.log(`   ✗ ${fault}`);
    if (faults.length > 0) this.failures++;
    else console.log("   ✓ as it should be");
  }

  async #take<Result>(title: string, call: () => PromiseLike<Result>, expected: Expectation) {
    this.#begin(title);
    this.#answer = null;
    let result: Result | PspGateError;
    try {
      result = await call();
    } catch (error) {
      if (!(error instanceof PspGateError)) {
        this.failures++;
        throw error;
      }
      result = error;
    }
    const faults = findFaults(this.#answer, expected);
    this.#end(faults);
    return result;
  }
}

/** Of the headers those that the step is about; the others are the same in every request. */
const SHOWN_HEADERS = ["eidas", "ccg_token", "version"];

function printRequest(path: string, { method, headers, body }: RequestInit): void {
  console.log(`   > ${method} ${path}`);
  const given = new Headers(headers);
  for (const name of SHOWN_HEADERS) {
    const value = given.get(name);
    if (value !== null && !(name === "version" && value === "1")) console.log(`   > ${name}: ${shorten(value)}`);
  }
  if (body instanceof Uint8Array) print(">", parse(new TextDecoder().decode(body)));
}

function printAnswer({ status, body }: Answer): void {
  console.log(`   < ${status}`);
  if (body !== undefined) print("<", body);
}

const print = (mark: string, body: unknown): void => {
  const json = JSON.stringify(body, (_, value: unknown) => (typeof value === "string" ? shorten(value) : value), 2);
  for (const line of json.split("\n")) console.log(`   ${mark} ${line}`);
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const WEBHOOK_SECRET = /whsec_[^"\s]+/;

/** Longer texts, such as certificates, are shortened. */
const MAX_SHOWN_CHARACTERS = 300;
const shorten = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, 60)}... (${text.length} characters)` : text;

function findFaults(answer: Answer | null, expected: Expectation): string[] {
  if (answer === null) return ["no answer"];
  if (answer.status !== expected.status) return [`status ${answer.status} instead of ${expected.status}`];
  return compare(answer.body, expected.body, "body");
}

function compare(given: unknown, expected: unknown, where: string): string[] {
  if (expected === undefined) return [];
  if (expected instanceof RegExp)
    return typeof given === "string" && expected.test(given)
      ? []
      : [`${where} is ${JSON.stringify(given)}, not ${expected}`];
  if (typeof expected === "object" && expected !== null)
    return Object.entries(expected).flatMap(([key, value]) => compare(readKey(given, key), value, `${where}.${key}`));
  return given === expected ? [] : [`${where} is ${JSON.stringify(given)} instead of ${JSON.stringify(expected)}`];
}

const readKey = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
