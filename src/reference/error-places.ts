/** Which endpoint answers which error code with which status: one source for the document and for /errors. */

import type { Endpoint } from "../http/endpoint.ts";
import { ENDPOINTS } from "../http/endpoints.ts";
import type { ErrorCode } from "../http/errors/every-code.ts";
import { OPERATION } from "../routes/endpoints.ts";
import { type CodesByStatus, errorCodes } from "./error-codes.ts";
import { ofRequest } from "./open-api.ts";
import { OPERATIONS, REQUESTS } from "./resources.ts";

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

export const lacksOperation = (endpoint: Endpoint): Error =>
  new Error(`${nameOf(endpoint)} has no operation beside its route: NAME.reference.ts`);

/** Throws if the endpoint has no operation beside its route, or a body that is not among the requests. */
export function codesOf(endpoint: Endpoint): CodesByStatus {
  const operation = OPERATIONS[nameOf(endpoint)];
  if (!operation) throw lacksOperation(endpoint);
  const { query, body, whole } = operation;
  const sent = body === undefined ? undefined : (whole ?? REQUESTS[body]);
  if (body !== undefined && !sent) throw new Error(`no resource has the request ${body}`);
  const schemas = [query, sent].flatMap((schema) => schema ?? []);
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
