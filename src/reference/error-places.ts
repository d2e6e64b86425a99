/** Which endpoint answers which error code with which status: one source for the document and for /errors. */
import { ENDPOINTS, type Endpoint, OPERATION } from "../http/endpoints.ts";
import type { ErrorCode } from "../http/errors/every-code.ts";
import { type CodesByStatus, errorCodes } from "./error-codes.ts";
import { ofRequest } from "./open-api.ts";
import { REQUESTS } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Throws if the endpoint has no row in operations.ts. */
export function codesOf(endpoint: Endpoint): CodesByStatus {
  const operation = OPERATIONS[nameOf(endpoint)];
  if (!operation) throw new Error(`${nameOf(endpoint)} has no row in src/reference/operations.ts`);
  const { query, body, whole } = operation;
  const schemas = [...(query ? [query] : []), ...(body ? [whole ?? REQUESTS[body]] : [])];
  return errorCodes(endpoint, operation, schemas.map(ofRequest));
}

/** By code and status: the names of endpoints, in their order. Not what every path may answer: 404 of none, 405, 429, 500, 503. */
export function findErrorPlaces(): ReadonlyMap<ErrorCode, ReadonlyMap<number, readonly string[]>> {
  const places = new Map<ErrorCode, Map<number, string[]>>();
  for (const endpoint of [...ENDPOINTS, ...OPERATION])
    for (const [status, codes] of codesOf(endpoint))
      for (const code of codes) {
        const ofCode = places.get(code) ?? new Map<number, string[]>();
        places.set(code, ofCode.set(status, [...(ofCode.get(status) ?? []), nameOf(endpoint)]));
      }
  return places;
}

/** "404 at GET /v1/a, GET /v1/b; 400 elsewhere": of a code with several statuses, the one of most endpoints last; else null. */
export function describePlaces(places: ReadonlyMap<number, readonly string[]> = new Map()): string | null {
  const sorted = [...places].sort(([, some], [, others]) => some.length - others.length);
  const [usual] = sorted.at(-1) ?? [];
  if (sorted.length < 2) return null;
  const others = sorted.slice(0, -1).map(([status, names]) => `${status} at ${names.join(", ")}`);
  return [...others, `${usual} elsewhere`].join("; ");
}
