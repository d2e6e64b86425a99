/**
 * One story of a bank, its customer and a PSP in story.json: requests to the sandbox, and what it answered. The document's
 * examples and the .http file are made from it. test/worker/reference/story.test.ts sends them again and compares.
 */
import story from "./story.json" with { type: "json" };

export interface ExampleDetails {
  /** Of the path, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Beside the bank's own. `{{name}}` stands for a certificate of the sandbox, base64 of its DER. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ExampleRequest extends ExampleDetails {
  readonly method: string;
  /** With its parameters in braces, as in endpoints.ts. */
  readonly path: string;
}

/** What the bank has learnt from earlier answers. */
export type Known = Readonly<Record<string, string>>;

export interface Step {
  /** Of the example in the document, and unique for its operation. */
  readonly name: string;
  readonly summary: string;
  /** As among the operations beside the routes. */
  readonly operation: string;
  /** `<<name>>` stands for what an earlier answer gave. */
  readonly request?: ExampleDetails;
  readonly status: number;
  /** What is remembered of the answer: a name, and the path to the value. */
  readonly learns?: Readonly<Record<string, string>>;
  /** As the sandbox gave it; absent without a body. */
  readonly answer?: unknown;
}

/** In the order in which they are sent. */
export const STORY: readonly Step[] = story as readonly unknown[] as readonly Step[];

/** The request of a step, once what it needs is known. */
export function requestOf({ operation, request = {} }: Step, known: Known): ExampleRequest {
  const [method = "", path = ""] = operation.split(" ");
  const fill = (text: string) =>
    text.replaceAll(/<<(\w+)>>/g, (_, name: string) => {
      const value = known[name];
      if (value === undefined) throw new Error(`no earlier step of the story learns ${name}`);
      return value;
    });
  const details: ExampleDetails = JSON.parse(JSON.stringify(request), (_, value) =>
    typeof value === "string" ? fill(value) : value,
  );
  return { method, path, ...details };
}

/** What a step learns from its answer. */
export const learnFrom = ({ learns = {} }: Step, answer: unknown): Known =>
  Object.fromEntries(
    Object.entries(learns).map(([name, way]) => [
      name,
      String(way.split(".").reduce<unknown>((value, key) => Reflect.get(Object(value), key), answer)),
    ]),
  );

/** The certificates of the sandbox in examples: `{{scenario-1}}` is fixtures/certificates/scenario-1.pem, base64 of its DER. */
const CERTIFICATE = /^\{\{([\w-]+)\}\}$/;

/** Replaces the names of certificates anywhere in a value. `certificates`: PEM by name. */
export function fillCertificates<Value>(value: Value, certificates: Readonly<Record<string, string>>): Value {
  return JSON.parse(JSON.stringify(value), (_, inner) => {
    const name = typeof inner === "string" ? CERTIFICATE.exec(inner)?.[1] : undefined;
    if (name === undefined) return inner;
    const pem = certificates[name];
    if (pem === undefined) throw new Error(`there is no certificate ${name} in fixtures/certificates`);
    return pem.replaceAll(/-----[^-]+-----|\s/g, "");
  });
}
