/** The steps of the demo: each prints a request of the bank and its answer, and checks the answer. */
import type { Answer, Bank } from "./bank.ts";

interface StepRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The expected answer. Only the fields given here are compared; a regular expression is matched with the text. */
interface Expectation {
  readonly status: number;
  readonly body?: unknown;
}

export class Steps {
  readonly #bank: Bank;
  count = 0;
  failures = 0;

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  async step(title: string, request: StepRequest, expected: Expectation): Promise<Answer> {
    this.count++;
    console.log(`\n${this.count}. ${title}\n`);
    printRequest(request);
    const { method, path, ...call } = request;
    const answer = await this.#bank(method, path, call);
    printAnswer(answer);
    const faults = findFaults(answer, expected);
    for (const fault of faults) console.log(`   ✗ ${fault}`);
    if (faults.length > 0) this.failures++;
    else console.log("   ✓ as it should be");
    return answer;
  }
}

function printRequest({ method, path, headers = {}, body }: StepRequest): void {
  console.log(`   > ${method} ${path}`);
  for (const [name, value] of Object.entries(headers)) console.log(`   > ${name}: ${shorten(value)}`);
  if (body !== undefined) print(">", body);
}

function printAnswer({ status, body }: Answer): void {
  console.log(`   < ${status}`);
  if (body !== undefined) print("<", body);
}

const print = (mark: string, body: unknown): void => {
  const json = JSON.stringify(body, (_, value: unknown) => (typeof value === "string" ? shorten(value) : value), 2);
  for (const line of json.split("\n")) console.log(`   ${mark} ${line}`);
};

/** Longer texts, such as certificates, are shortened. */
const MAX_SHOWN_CHARACTERS = 300;
const shorten = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, 60)}... (${text.length} characters)` : text;

function findFaults(answer: Answer, expected: Expectation): string[] {
  const faults = answer.status === expected.status ? [] : [`status ${answer.status} instead of ${expected.status}`];
  return [...faults, ...compare(answer.body, expected.body, "body")];
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

/** The text at a path of keys in an answer; `""` if there is none, which the check of the answer has reported. */
export function textAt(answer: Answer, ...path: string[]): string {
  const found = path.reduce<unknown>(readKey, answer.body);
  return typeof found === "string" ? found : "";
}
