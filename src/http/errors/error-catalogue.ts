/** The error codes as the API answers them. What else the catalogue says of them is in every-code.ts. */
import type { ErrorCode } from "./every-code.ts";
import { ANSWERED } from "./what-is-answered.ts";

type Answered = (typeof ANSWERED)[ErrorCode];

export const CATALOGUE: ReadonlyMap<ErrorCode, Answered> = new Map(Object.entries(ANSWERED) as [ErrorCode, Answered][]);

export const isErrorCode = (text: string): text is ErrorCode => CATALOGUE.has(text as ErrorCode);
