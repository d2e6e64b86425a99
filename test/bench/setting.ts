/** What the groups share: who calls, with which certificates, and where the Worker is. */
import type { TokenKeys } from "../../src/grants/token-keys.ts";

export interface Setting {
  readonly url: string;
  /** Headers of the sandbox FI. */
  readonly identity: Readonly<Record<string, string>>;
  /** Scenario 1 of the sandbox, as the header has it. */
  readonly eidas: string;
  /** Certificates that are new to the service, more than an isolate remembers. */
  readonly leaves: readonly string[];
  readonly fiId: number;
  readonly keys: TokenKeys;
}

/** POST of JSON; the answer's body. Throws when it is not 201. */
export async function post(url: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** `count` results of `make`, eight at a time. */
export async function makeMany<Result>(count: number, make: () => Promise<Result>): Promise<Result[]> {
  const made: Result[] = [];
  const work = async () => {
    while (made.length < count) made.push(await make());
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return made;
}
