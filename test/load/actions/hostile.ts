/** What nobody should send, and somebody will. */
import type { Bank } from "../bank.ts";
import { drawOne } from "../mix.ts";
import { checkForgedCertificate } from "./hostile-certificate.ts";
import { HOSTILE_REQUESTS, sendHostileRequest } from "./hostile-request.ts";
import { askUnauthorised, misuseCode, raceForCode, replayCode, stealToken } from "./stolen-code.ts";

/** Each hostile request as often as each of the others. */
const HOSTILE_ACTIONS = [
  ...HOSTILE_REQUESTS.map(() => sendHostileRequest),
  checkForgedCertificate,
  replayCode,
  raceForCode,
  misuseCode,
  stealToken,
  askUnauthorised,
];

export const attack = (bank: Bank): Promise<void> => drawOne(bank.random, HOSTILE_ACTIONS)(bank);
