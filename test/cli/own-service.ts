/**
 * The service whose life the tests of service-life.test.ts follow, on the stores of own-state.ts: each start of one costs
 * as much as hundreds of tests.
 */
import type { Service } from "../spec/service.ts";

let running: Service | null = null;

/** The service that runs now. */
export function life(): Service {
  if (!running) throw new Error("no service was started: service-life.test.ts does");
  return running;
}

/** It is this one from now on. */
export function live(service: Service): void {
  running = service;
}
