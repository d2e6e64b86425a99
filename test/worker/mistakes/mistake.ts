/** One row of the table of mistakes: what an integrator did, and what the answer must say about it. */
import type { Answer } from "../bank.ts";

export interface Mistake {
  readonly what: string;
  /** Makes the mistake; what it needs before (a code, a token) it obtains itself. */
  readonly send: () => Promise<Answer>;
  readonly status: number;
  /** Of an answer that a gateway hands on to the PSP. */
  readonly challenge?: "Bearer";
  /** Of every element of `errors`, in its order: the code, and what its title must say. */
  readonly errors: readonly (readonly [code: string, title: RegExp])[];
}

/** The body with the value at a path of names; `undefined` leaves the member out. */
export function withMember(body: object, [name = "", ...rest]: readonly string[], value: unknown): object {
  const inner: unknown = Reflect.get(body, name);
  return { ...body, [name]: rest.length === 0 ? value : withMember((inner ?? {}) as object, rest, value) };
}

/** Every member of a body, by its path of names. */
export function membersOf(body: object, path: readonly string[] = []): string[][] {
  return Object.entries(body).flatMap(([name, value]) => [
    [...path, name],
    ...(typeof value === "object" && value !== null && !Array.isArray(value) ? membersOf(value, [...path, name]) : []),
  ]);
}
