/** The bank's backend in the demo: sends requests, prints them with their answers, and checks the answers. */

export interface DemoRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface DemoAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** The expected answer. Only the fields given here are compared; a regular expression is matched with the text. */
export interface Expectation {
  readonly status: number;
  readonly body?: unknown;
}

export class DemoBank {
  readonly #baseUrl: string;
  readonly #headers: Readonly<Record<string, string>>;
  steps = 0;
  failures = 0;

  constructor(baseUrl: string, credentials: { clientId: string; secret: string; fiReferenceId: string }) {
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#headers = {
      Authorization: `Basic ${Buffer.from(`${credentials.clientId}:${credentials.secret}`).toString("base64")}`,
      fi_reference_id: credentials.fiReferenceId,
      version: "1",
    };
  }

  async step(title: string, request: DemoRequest, expected: Expectation): Promise<DemoAnswer> {
    this.steps++;
    console.log(`\n${this.steps}. ${title}\n`);
    printRequest(request);
    const answer = await this.#send(request);
    printAnswer(answer);
    const faults = findFaults(answer, expected);
    for (const fault of faults) console.log(`   ✗ ${fault}`);
    if (faults.length > 0) this.failures++;
    else console.log("   ✓ as it should be");
    return answer;
  }

  async #send({ method, path, headers = {}, body }: DemoRequest): Promise<DemoAnswer> {
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: {
        ...this.#headers,
        ...headers,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : parse(text) };
  }
}

/** Returns the text itself if it is not JSON, such as a proxy's error page. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function printRequest({ method, path, headers = {}, body }: DemoRequest): void {
  console.log(`   > ${method} ${path}`);
  for (const [name, value] of Object.entries(headers)) console.log(`   > ${name}: ${shorten(value)}`);
  if (body !== undefined) print(">", body);
}

function printAnswer({ status, body }: DemoAnswer): void {
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

function findFaults(answer: DemoAnswer, expected: Expectation): string[] {
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
export function textAt(answer: DemoAnswer, ...path: string[]): string {
  const found = path.reduce<unknown>(readKey, answer.body);
  return typeof found === "string" ? found : "";
}
